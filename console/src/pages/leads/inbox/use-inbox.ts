import { hashKey, type QueryClient, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import type { Query } from '#console/api/client.ts';
import { useClient, useRead } from '#console/api/queries.ts';
import type { LeadCount, LeadList } from '#console/api/types.ts';
import { useTimesInUtc } from '#console/shared/moment.tsx';
import { withOwnChanges } from './changed-leads.ts';
import { INBOX_PATH, type InboxFilter, toQuery } from './inbox-filter.ts';
import { countNew, type InboxPage, readInbox, watchQuery, withChanges } from './read-inbox.ts';
import { useChangedLeads } from './use-changed-leads.ts';

const PAGES = 'pages';
const COUNT_PATH = '/settings/leads/count';
/** The pages that were left are forgotten soon, so the browser never holds a long list. */
const KEPT_MS = 60_000;
const POLL_MS = 10_000;

/** The API query of a filter. It changes only with the filter and at midnight. */
export function useInboxQuery(filter: InboxFilter): Query {
  return toQuery(filter, { now: Date.now(), inUtc: useTimesInUtc() });
}

interface ReadPage extends InboxPage {
  /** False for what was found so far. */
  readonly isComplete: boolean;
  /** Looks for new leads. */
  readonly watch?: Query | undefined;
}

const pageKey = (query: Query, cursor: string | undefined) => [INBOX_PATH, PAGES, query, cursor ?? ''];

/** One page of leads, newest first. It changes only on request, so that rows don't move while they are read. */
export function useInboxPage(query: Query, cursor: string | undefined) {
  const client = useClient();
  const queries = useQueryClient();
  const queryKey = pageKey(query, cursor);
  const stopping = useRef<AbortController>(undefined);
  const page = useQuery<ReadPage>({
    queryKey,
    queryFn: async ({ signal }) => {
      const shown = queries.getQueryData<ReadPage>(queryKey);
      const stop = new AbortController();
      stopping.current = stop;
      const found = await readInbox(client, {
        query,
        cursor,
        signal,
        stop: stop.signal,
        // After an error it goes on where it was, and a refresh ends where the owner stopped.
        found: shown?.isComplete ? undefined : shown,
        backTo: shown?.isComplete ? shown.searchedTo : undefined,
        // A search that takes long shows what it has found.
        ...(!shown?.isComplete && {
          onPart: (part) => queries.setQueryData<ReadPage>(queryKey, { ...part, isComplete: false }),
        }),
      });
      const watch = cursor === undefined ? watchQuery(query, found, Date.now()) : undefined;
      return { ...found, isComplete: true, watch };
    },
    // The previous page stays until the next is there, but not under another filter.
    placeholderData: (shown, before) =>
      before && hashKey([before.queryKey[2]]) === hashKey([query]) ? shown : undefined,
    gcTime: KEPT_MS,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const found = useNewLeads(page.data, page.dataUpdatedAt);
  const { refetch } = page;
  // In an empty list no row can move.
  const isFirstLead = found.leads.length === 0 && found.newLeads > 0;
  useEffect(() => {
    if (isFirstLead) void refetch();
  }, [isFirstLead, refetch]);
  return {
    page,
    ...found,
    stop: () => stopping.current?.abort(),
    async refresh() {
      void queries.invalidateQueries({ queryKey: [COUNT_PATH] });
      await refetch();
    },
  };
}

/** New leads of the first page are counted, and those shown are kept up to date. */
function useNewLeads(shown: ReadPage | undefined, readAt: number) {
  const watch = shown?.watch;
  const { data, dataUpdatedAt } = useRead<LeadList>(INBOX_PATH, watch, {
    enabled: watch !== undefined,
    refetchInterval: POLL_MS,
  });
  const changed = useChangedLeads();
  const watched = withOwnChanges((watch && data?.leads) ?? [], changed, dataUpdatedAt);
  const newLeads = shown ? countNew(shown, watched) : 0;
  return {
    leads: withChanges(withOwnChanges(shown?.leads ?? [], changed, readAt), watched),
    newLeads,
    hasMoreNew: newLeads === watched.length && data?.cursor !== undefined,
  };
}

const COUNT_FOLLOWS_MS = 3_000;

/** The number of matches: from the list if it has all of them, else from the API. */
export function useLeadCount(query: Query, shown: InboxPage | undefined, isFirst: boolean) {
  const { sort: _sort, ...counted } = query;
  const isAll = isFirst && shown !== undefined && shown.next === undefined;
  const { data } = useRead<LeadCount>(COUNT_PATH, counted, { enabled: shown !== undefined && !isAll });
  return isAll ? { count: shown.leads.length, exact: true } : data;
}

/** After a change to leads. The list itself shows the change already, and its rows must not move. */
export function refreshAround(queries: QueryClient): void {
  const isPage = ({ queryKey }: { readonly queryKey: QueryKey }) =>
    queryKey[0] === INBOX_PATH && queryKey[1] === PAGES;
  void queries.invalidateQueries({ predicate: (query) => !isPage(query) });
  // Read again when the list is opened again.
  void queries.invalidateQueries({ predicate: isPage, refetchType: 'none' });
  setTimeout(() => void queries.invalidateQueries({ queryKey: [COUNT_PATH] }), COUNT_FOLLOWS_MS);
}

/** The cursors of the newer pages, kept with the entry of the browser's history. The first page has none. */
interface Trail {
  readonly newer: readonly string[];
}

/** The page of the list in the URL. Each page is an entry of the browser's history. */
export function usePages() {
  const [path, go] = useLocation();
  const search = useSearch();
  const trail = useHistoryState<Partial<Trail> | null>()?.newer ?? [];
  const cursor = new URLSearchParams(search).get('cursor') ?? undefined;
  const open = (to: string, newer: readonly string[]) => {
    const address = new URLSearchParams(search);
    address.delete('cursor');
    if (to !== '') address.set('cursor', to);
    const query = address.toString();
    go(query === '' ? path : `${path}?${query}`, { state: { newer } satisfies Trail });
  };
  return {
    cursor,
    /** Undefined if the page was opened by its URL. */
    number: cursor === undefined ? 1 : trail.length > 0 ? trail.length + 1 : undefined,
    isFirst: cursor === undefined,
    // Without a trail, back to the first page.
    newer: () => open(trail.at(-1) ?? '', trail.slice(0, -1)),
    older: (next: string) => open(next, [...trail, cursor ?? '']),
  };
}

/** The page of the list that was shown last, if it is still loaded. */
export function useShownPage(query: Query, cursor: string | undefined) {
  const shown = useQueryClient().getQueryData<ReadPage>(pageKey(query, cursor));
  return {
    rows: shown?.leads ?? [],
    isFirst: cursor === undefined,
    mayHaveMore: shown?.next !== undefined,
  };
}

/** Removes deleted leads from the cache until it is refetched. */
export function forgetLeads(queries: QueryClient, submissionIds: readonly string[]): void {
  const erased = new Set(submissionIds);
  queries.setQueriesData<ReadPage>(
    { queryKey: [INBOX_PATH, PAGES] },
    (shown) =>
      shown && { ...shown, leads: shown.leads.filter(({ submissionId }) => !erased.has(submissionId)) },
  );
}
