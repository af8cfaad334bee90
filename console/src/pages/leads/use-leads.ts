import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Client } from '../../api/client.ts';
import { useClient } from '../../api/queries.ts';
import type { Lead } from '../../api/types.ts';
import { cursorPages } from '../../shared/cursor-pages.tsx';
import { type From, readLeads, type ShownLeads } from './read-leads.ts';
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

/** A review may be what starts the enrichment. */
function isWorthWatching({ enrichment, review, receivedAt }: Lead): boolean {
  const since = Date.parse(review?.at ?? receivedAt);
  return enrichment.state === 'pending' && Date.now() - since < LONGEST_WATCH_MS;
}

const PAGES = 'pages';
const FIRST_PAGE = [undefined];
/** The pages that were left are forgotten soon, so the browser never holds a long list. */
const KEPT_MS = 60_000;

/** One page of a form's leads, newest first. The position is kept while a lead is open. */
export function useLeadPage(formId: string, filter: LeadFilter) {
  const client = useClient();
  const path = leadsPath(formId);
  const filterText = writeFilter(filter).toString();
  const queries = useQueryClient();
  const pages = useKeptPages<From>(positionKey(path, filter));
  const leads = useQuery({
    queryKey: [path, PAGES, filterText, pages.cursor?.cursor],
    queryFn: ({ signal }) =>
      readLeads(client, path, pages.cursor ?? { query: toQuery(filter, Date.now()) }, signal),
    // The previous page stays until the next is there, but not under another filter.
    placeholderData: (shown, query) => (query?.queryKey[2] === filterText ? shown : undefined),
    gcTime: KEPT_MS,
    // New leads would move the rows while they are being read.
    refetchOnWindowFocus: false,
  });
  /** A filter that is chosen starts at its first page. */
  const restart = (chosen: LeadFilter) => queries.setQueryData(positionKey(path, chosen), FIRST_PAGE);
  return { leads, pages, restart };
}

const positionKey = (path: string, filter: LeadFilter) => [path, 'position', writeFilter(filter).toString()];

/** The page of the list that was shown last, if it is still loaded. */
export function useShownPage(formId: string, filter: LeadFilter) {
  const queries = useQueryClient();
  const path = leadsPath(formId);
  const cursors =
    queries.getQueryData<readonly (From | undefined)[]>(positionKey(path, filter)) ?? FIRST_PAGE;
  const key = [path, PAGES, writeFilter(filter).toString(), cursors.at(-1)?.cursor];
  const shown = queries.getQueryData<ShownLeads>(key);
  return {
    rows: shown?.parts.flatMap(({ rows }) => rows) ?? [],
    isFirst: cursors.length === 1,
    mayHaveMore: shown?.next !== undefined,
  };
}

/** Like `useCursorPages`, but kept with the other data of the page. */
function useKeptPages<Cursor>(queryKey: readonly string[]) {
  const queries = useQueryClient();
  const { data: cursors } = useQuery<readonly (Cursor | undefined)[]>({
    queryKey,
    initialData: FIRST_PAGE,
    enabled: false,
  });
  return cursorPages(cursors, (next) => queries.setQueryData(queryKey, next));
}

/** Removes deleted leads from the cache until it is refetched. */
export function forgetLeads(queries: QueryClient, submissionIds: readonly string[]): void {
  const erased = new Set(submissionIds);
  queries.setQueriesData<ShownLeads>(
    { predicate: ({ queryKey }) => queryKey[1] === PAGES },
    (shown) =>
      shown && {
        ...shown,
        parts: shown.parts.map((part) => ({
          ...part,
          rows: part.rows.filter(({ submissionId }) => !erased.has(submissionId)),
        })),
      },
  );
}

export function leadsPath(formId: string): string {
  return `/settings/forms/${encodeURIComponent(formId)}/leads`;
}
