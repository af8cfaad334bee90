import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Client } from '../../api/client.ts';
import { useClient } from '../../api/queries.ts';
import type { Lead } from '../../api/types.ts';

const POLL_MS = 3_000;
/** Slower enrichment waits for external servers; stop polling then. */
const MAX_WATCH_MS = 10 * 60_000;

export function leadPath(submissionId: string): string {
  return `/settings/leads/${encodeURIComponent(submissionId)}`;
}

/** Also used to load a lead before its page is opened. */
export function leadQuery(client: Client, submissionId: string) {
  const path = leadPath(submissionId);
  return queryOptions({
    queryKey: [path, {}],
    queryFn: ({ signal }) => client.get<Lead>(path, {}, signal),
  });
}

/** One lead, polled while it is being enriched. */
export function useLead(submissionId: string) {
  return useQuery({
    ...leadQuery(useClient(), submissionId),
    refetchInterval: ({ state }) => (state.data && isWorthWatching(state.data) ? POLL_MS : false),
  });
}

/** A review may be what starts the enrichment. */
function isWorthWatching({ enrichment, review, receivedAt }: Lead): boolean {
  const since = Date.parse(review?.at ?? receivedAt);
  return enrichment.state === 'pending' && Date.now() - since < MAX_WATCH_MS;
}
