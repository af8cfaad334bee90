import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import type { Stats } from '../../api/types.ts';
import { leadsByForm, weekAgo } from './leads-by-form.ts';

/** How many leads a form got in the last 7 days. All forms share one read. */
export function LastWeek({ formId }: { readonly formId: string }) {
  const [from] = useState(() => weekAgo(Date.now()));
  const stats = useRead<Stats>('/settings/stats', { by: 'day', from });
  if (stats.data) {
    const count = (leadsByForm(stats.data).get(formId) ?? 0).toLocaleString();
    return stats.data.truncated ? `at least ${count}` : count;
  }
  return stats.isPending ? '…' : 'Could not be read';
}
