import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import type { Delivery, ListedForm, Stats } from '../../api/types.ts';
import { Moment } from '../../shared/moment.tsx';
import { previousOf } from '../delivery/secret/secret-rules.ts';
import { countLeadsByForm, weekAgo } from './leads-by-form.ts';

export function ActiveState({ form }: { readonly form: Pick<ListedForm, 'active' | 'archivedAt'> }) {
  if (form.archivedAt !== undefined) return <StatusIndicator type="stopped">Archived</StatusIndicator>;
  return form.active ? (
    <StatusIndicator type="success">Active</StatusIndicator>
  ) : (
    <StatusIndicator type="stopped">Inactive</StatusIndicator>
  );
}

/** Whether a form has a webhook secret. All forms share one request. */
export function SecretState({ formId }: { readonly formId: string }) {
  const { data, isPending } = useRead<{ deliveries: Delivery[] }>('/settings/deliveries');
  const delivery = data?.deliveries.find((one) => one.formId === formId);
  if (!delivery) return isPending ? '…' : 'Couldn’t load';
  if (!delivery.secret.isSet) return <StatusIndicator type="warning">Not set</StatusIndicator>;
  const previous = previousOf(delivery);
  return previous ? (
    <StatusIndicator type="in-progress">
      Set. The previous secret works until <Moment at={previous.worksUntil} />
    </StatusIndicator>
  ) : (
    <StatusIndicator type="success">Set</StatusIndicator>
  );
}

/** A form's leads of the last 7 days. All forms share one request. */
export function LastWeek({ formId }: { readonly formId: string }) {
  const [from] = useState(() => weekAgo(Date.now()));
  const stats = useRead<Stats>('/settings/stats', { by: 'day', from });
  if (stats.data) {
    const count = (countLeadsByForm(stats.data).get(formId) ?? 0).toLocaleString();
    return stats.data.truncated ? `${count}+` : count;
  }
  return stats.isPending ? '…' : 'Couldn’t load';
}
