import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useRead } from '../../api/queries.ts';
import type { Delivery } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { previousOf } from '../delivery/secret/previous-use.ts';

/** Whether webhooks to a form can be accepted at all. All forms share one read. */
export function SecretState({ formId }: { readonly formId: string }) {
  const { data, isPending } = useRead<{ deliveries: Delivery[] }>('/settings/deliveries');
  const delivery = data?.deliveries.find((one) => one.formId === formId);
  if (!delivery) return isPending ? '…' : 'Could not be read';
  if (!delivery.secret.isSet) return <StatusIndicator type="warning">Not set</StatusIndicator>;
  const previous = previousOf(delivery);
  return previous ? (
    <StatusIndicator type="in-progress">
      Set; the previous one works until <Moment at={previous.worksUntil} />
    </StatusIndicator>
  ) : (
    <StatusIndicator type="success">Set</StatusIndicator>
  );
}
