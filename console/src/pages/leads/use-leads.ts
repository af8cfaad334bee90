import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import type { Client, Query } from '../../api/client.ts';
import { useClient } from '../../api/queries.ts';
import type { Lead, LeadPage } from '../../api/types.ts';
import { type LeadFilter, toQuery, writeFilter } from './table/lead-filter.ts';

const POLL_MS = 3_000;
/** Slower enrichment waits for external servers; stop polling then. */
const LONGEST_WATCH_MS = 10 * 60_000;

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

function isWorthWatching({ enrichment, receivedAt }: Lead): boolean {
  return enrichment.state === 'pending' && Date.now() - Date.parse(receivedAt) < LONGEST_WATCH_MS;
}

interface From {
  readonly cursor: string;
  /** A cursor works only with the exact filter it was created for, including times. */
  readonly query: Query;
}

interface ReadPage extends LeadPage {
  readonly next?: From;
}

/** With a narrow filter many API pages are empty. Skip up to this many. */
const MOST_EMPTY_PAGES = 5;

const PAGES = 'pages';

/** The loaded pages of a form's leads, newest first. If not enabled, only those that were loaded before. */
export function useLeadPages(formId: string, filter: LeadFilter, enabled = true) {
  const client = useClient();
  const path = leadsPath(formId);
  return useInfiniteQuery({
    queryKey: [path, PAGES, writeFilter(filter).toString()],
    initialPageParam: undefined as From | undefined,
    queryFn: ({ pageParam, signal }) =>
      readPage(client, path, pageParam ?? { query: toQuery(filter, Date.now()) }, signal),
    getNextPageParam: ({ next }) => next,
    enabled,
    // It would refetch all loaded pages.
    refetchOnWindowFocus: false,
  });
}

/** Removes deleted leads from the cache until it is refetched. */
export function forgetLeads(queries: QueryClient, submissionIds: readonly string[]): void {
  const erased = new Set(submissionIds);
  queries.setQueriesData<InfiniteData<ReadPage, From | undefined>>(
    { predicate: ({ queryKey }) => queryKey[1] === PAGES },
    (read) =>
      read && {
        ...read,
        pages: read.pages.map((page) => ({
          ...page,
          rows: page.rows.filter(({ submissionId }) => !erased.has(submissionId)),
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
