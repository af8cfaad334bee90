import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useRead } from '../../api/queries.ts';
import type { Delivery } from '../../api/types.ts';

/** Whether webhooks to a form can be accepted at all. All forms share one read. */
export function SecretState({ formId }: { readonly formId: string }) {
  const { data, isPending } = useRead<{ deliveries: Delivery[] }>('/settings/deliveries');
  const delivery = data?.deliveries.find((one) => one.formId === formId);
  if (!delivery) return isPending ? '…' : 'Could not be read';
  return delivery.secret.isSet ? (
    <StatusIndicator type="success">Set</StatusIndicator>
  ) : (
    <StatusIndicator type="warning">Not set</StatusIndicator>
  );
}
