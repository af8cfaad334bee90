import { useQuery } from '@tanstack/react-query';
import { useClient } from '#console/api/context.ts';
import type { Lead } from '#console/api/types.ts';

const POLL_MS = 3_000;
/** Enrichment that takes longer waits for somebody's servers, and no page has to wait with it. */
const LONGEST_WATCH_MS = 10 * 60_000;

export function leadPath(leadId: string): string {
  return `/settings/leads/${encodeURIComponent(leadId)}`;
}

/** One lead, read again and again while it is being enriched. */
export function useLead(leadId: string) {
  const client = useClient();
  const path = leadPath(leadId);
  return useQuery({
    queryKey: [path, {}],
    queryFn: ({ signal }) => client.get<Lead>(path, {}, signal),
    refetchInterval: ({ state }) => (state.data && isWorthWatching(state.data) ? POLL_MS : false),
  });
}

function isWorthWatching({ enrichment, receivedAt }: Lead): boolean {
  return enrichment.state === 'pending' && Date.now() - Date.parse(receivedAt) < LONGEST_WATCH_MS;
}
