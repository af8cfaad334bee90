import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Query } from '#console/api/client.ts';
import { useClient } from '#console/api/queries.ts';
import { INBOX_PATH, readFilter } from '../inbox/inbox-filter.ts';
import { useInboxQuery, useShownPage } from '../inbox/use-inbox.ts';
import { leadAddress } from '../leads-navigation.ts';
import { leadQuery } from '../use-lead.ts';
import {
  type Direction,
  directionOf,
  findNewer,
  findOlder,
  type Neighbour,
  type Neighbours,
  neighboursIn,
} from './find-neighbours.ts';

/** Opens the previous and next lead of the list, whose filter is in the URL. */
export function NeighbourButtons({ here }: { readonly here: Neighbour }) {
  const search = useSearch();
  const [, go] = useLocation();
  const neighbours = useNeighbours(here, search);
  // Replaces the entry, so that Back returns to the list.
  const open = (lead: Neighbour) => go(leadAddress(lead, search), { replace: true });
  useArrowKeys(neighbours, open);
  const linkTo = (lead: Neighbour | undefined, shortcut: string): ButtonProps =>
    lead === undefined
      ? { disabled: true }
      : {
          href: leadAddress(lead, search),
          onFollow: (event) => {
            event.preventDefault();
            open(lead);
          },
          nativeAnchorAttributes: { 'aria-keyshortcuts': shortcut },
        };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button ariaLabel="Previous lead" iconName="angle-left" {...linkTo(neighbours.newer, 'ArrowLeft')}>
        Previous
      </Button>
      <Button
        ariaLabel="Next lead"
        iconName="angle-right"
        iconAlign="right"
        {...linkTo(neighbours.older, 'ArrowRight')}
      >
        Next
      </Button>
    </SpaceBetween>
  );
}

const KEPT_MS = 60_000;

/** The neighbours of a lead in the list of this URL: from the list if it is loaded, else from the API. */
function useNeighbours(here: Neighbour, search: string): Neighbours {
  const address = new URLSearchParams(search);
  const query = useInboxQuery(readFilter(address));
  const known = neighboursIn(useShownPage(query, address.get('cursor') ?? undefined), here.submissionId);
  const place = { here, query };
  // By score, only the loaded list knows the order.
  const canAsk = query.sort === undefined;
  const newer = useNeighbour('newer', place, canAsk && !('newer' in known));
  const older = useNeighbour('older', place, canAsk && !('older' in known));
  const found = { newer: known.newer ?? newer, older: known.older ?? older };
  useLoadAhead(found.newer);
  useLoadAhead(found.older);
  return found;
}

interface Place {
  readonly here: Neighbour;
  /** The list's filter. */
  readonly query: Query;
}

function useNeighbour(direction: Direction, { here, query }: Place, enabled: boolean): Neighbour | undefined {
  const client = useClient();
  const queries = useQueryClient();
  const keyOf = (towards: Direction, of: string) => [INBOX_PATH, towards, query, of];
  const { data } = useQuery({
    queryKey: keyOf(direction, here.submissionId),
    queryFn: async ({ signal }) => {
      const search = { client, query, submissionId: here.submissionId, signal };
      const found = await (direction === 'older' ? findOlder(search) : findNewer(search, Date.now()));
      // The way back is known now.
      const back = direction === 'older' ? 'newer' : 'older';
      if (found) queries.setQueryData(keyOf(back, found.submissionId), here);
      return found ?? null;
    },
    enabled,
    staleTime: KEPT_MS,
    refetchOnWindowFocus: false,
  });
  return enabled ? (data ?? undefined) : undefined;
}

/** The next page then opens at once, with its title. */
function useLoadAhead(neighbour: Neighbour | undefined): void {
  const submissionId = neighbour?.submissionId;
  const client = useClient();
  const queries = useQueryClient();
  useEffect(() => {
    if (submissionId !== undefined) void queries.prefetchQuery(leadQuery(client, submissionId));
  }, [client, queries, submissionId]);
}

/** These use the arrow keys themselves. A table that scrolls sideways is a region. */
const USES_ARROWS =
  'input, textarea, select, [contenteditable], ' +
  ['dialog', 'menu', 'radiogroup', 'region', 'tablist', 'toolbar']
    .map((role) => `[role="${role}"]`)
    .join(', ');

function useArrowKeys({ newer, older }: Neighbours, open: (neighbour: Neighbour) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const direction = directionOf(event);
      const target = direction === 'newer' ? newer : direction && older;
      if (target === undefined) return;
      if (event.target instanceof Element && event.target.closest(USES_ARROWS)) return;
      event.preventDefault();
      open(target);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
