import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useClient } from '#console/api/queries.ts';
import { type LeadFilter, toQuery, writeFilter } from '../table/lead-filter.ts';
import { leadQuery, leadsPath, useShownPage } from '../use-leads.ts';
import {
  type Direction,
  directionOf,
  findNewer,
  findOlder,
  type Neighbours,
  neighboursIn,
} from './find-neighbours.ts';

const KEPT_MS = 60_000;

/** The neighbours of a lead: from the list if it is loaded, else from the API. */
export function useNeighbours(formId: string, submissionId: string, filter: LeadFilter): Neighbours {
  const known = neighboursIn(useShownPage(formId, filter), submissionId);
  const place = { formId, submissionId, filter };
  const newer = useNeighbour('newer', place, !('newer' in known));
  const older = useNeighbour('older', place, !('older' in known));
  const found = { newer: known.newer ?? newer, older: known.older ?? older };
  useLoadAhead(found.newer);
  useLoadAhead(found.older);
  return found;
}

interface Place {
  readonly formId: string;
  readonly submissionId: string;
  readonly filter: LeadFilter;
}

function useNeighbour(direction: Direction, place: Place, enabled: boolean): string | undefined {
  const client = useClient();
  const queries = useQueryClient();
  const path = leadsPath(place.formId);
  const keyOf = (towards: Direction, of: string) => [path, towards, writeFilter(place.filter).toString(), of];
  const { data } = useQuery({
    queryKey: keyOf(direction, place.submissionId),
    queryFn: async ({ signal }) => {
      const { submissionId, filter } = place;
      const search = { client, path, query: toQuery(filter, Date.now()), submissionId, signal };
      const found = await (direction === 'older' ? findOlder(search) : findNewer(search, Date.now()));
      // The way back is known now.
      const back = direction === 'older' ? 'newer' : 'older';
      if (found !== undefined) queries.setQueryData(keyOf(back, found), submissionId);
      return found ?? null;
    },
    enabled,
    staleTime: KEPT_MS,
    refetchOnWindowFocus: false,
  });
  return enabled ? (data ?? undefined) : undefined;
}

/** The next page then opens at once, with its title. */
function useLoadAhead(submissionId: string | undefined): void {
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

export function useArrowKeys({ newer, older }: Neighbours, open: (submissionId: string) => void): void {
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
