import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ChangedLeads, LeadPatch } from './changed-leads.ts';

const CHANGED = ['changed-leads'];

/** Kept with the other data, so that they end with the session. */
export function useChangedLeads(): ChangedLeads {
  const queries = useQueryClient();
  const { data } = useQuery<ChangedLeads>({
    queryKey: CHANGED,
    queryFn: () => queries.getQueryData(CHANGED) ?? {},
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ?? {};
}

/** Shows changes in the list at once, before it follows. */
export function noteChanges(queries: QueryClient, patches: Readonly<Record<string, LeadPatch>>): void {
  const at = Date.now();
  queries.setQueryData<ChangedLeads>(CHANGED, (before = {}) => ({
    ...before,
    ...Object.fromEntries(
      Object.entries(patches).map(([id, patch]) => [id, { patch: { ...before[id]?.patch, ...patch }, at }]),
    ),
  }));
}
