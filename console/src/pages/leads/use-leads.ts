import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Client, Query } from '../../api/client.ts';
import { useClient } from '../../api/queries.ts';
import type { Lead, LeadPage } from '../../api/types.ts';
import { type LeadFilter, toQuery, writeFilter } from './table/lead-filter.ts';

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

interface From {
  readonly cursor: string;
  /** A cursor goes on only under the very filter it was made under, its times included. */
  readonly query: Query;
}

interface ReadPage extends LeadPage {
  readonly next?: From;
}

/** Under a narrow filter many pages of the API are empty: so many are passed over before somebody is asked. */
const MOST_EMPTY_PAGES = 5;

const PAGES = 'pages';

/** A form's leads, newest first, as far as they were asked for. */
export function useLeadPages(formId: string, filter: LeadFilter) {
  const client = useClient();
  const path = leadsPath(formId);
  return useInfiniteQuery({
    queryKey: [path, PAGES, writeFilter(filter).toString()],
    initialPageParam: undefined as From | undefined,
    queryFn: ({ pageParam, signal }) =>
      readPage(client, path, pageParam ?? { query: toQuery(filter, Date.now()) }, signal),
    getNextPageParam: ({ next }) => next,
    // All that was loaded would be read again.
    refetchOnWindowFocus: false,
  });
}

/** Takes erased leads out of what was read already: until it is read again they would seem to be there still. */
export function forgetLeads(queries: QueryClient, leadIds: readonly string[]): void {
  const erased = new Set(leadIds);
  queries.setQueriesData<InfiniteData<ReadPage, From | undefined>>(
    { predicate: ({ queryKey }) => queryKey[1] === PAGES },
    (read) =>
      read && {
        ...read,
        pages: read.pages.map((page) => ({
          ...page,
          rows: page.rows.filter(({ leadId }) => !erased.has(leadId)),
        })),
      },
  );
}

export function leadsPath(formId: string): string {
  return `/settings/forms/${encodeURIComponent(formId)}/leads`;
}

async function readPage(
  client: Client,
  path: string,
  { query, cursor: start }: Partial<From> & { readonly query: Query },
  signal: AbortSignal,
): Promise<ReadPage> {
  let cursor = start;
  for (let pages = 1; ; pages += 1) {
    const page: LeadPage = await client.get(path, { ...query, cursor }, signal);
    cursor = page.cursor;
    if (cursor === undefined) return page;
    if (page.rows.length > 0 || pages === MOST_EMPTY_PAGES) return { ...page, next: { cursor, query } };
  }
}
