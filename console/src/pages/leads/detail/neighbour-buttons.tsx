import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLocation, useSearch } from 'wouter';
import { readFilter } from '../table/lead-filter.ts';
import { useArrowKeys, useNeighbours } from './use-neighbours.ts';

interface NeighbourButtonsProps {
  readonly formId: string;
  readonly submissionId: string;
}

/** Opens the previous and next lead of the list, whose filter is in the URL. */
export function NeighbourButtons({ formId, submissionId }: NeighbourButtonsProps) {
  const search = useSearch();
  const [, go] = useLocation();
  const neighbours = useNeighbours(formId, submissionId, readFilter(new URLSearchParams(search)));
  const hrefOf = (id: string) =>
    `/forms/${encodeURIComponent(formId)}/leads/${encodeURIComponent(id)}${search && `?${search}`}`;
  // Replaces the entry, so that Back returns to the list.
  const open = (id: string) => go(hrefOf(id), { replace: true });
  useArrowKeys(neighbours, open);
  const linkTo = (id: string | undefined, shortcut: string): ButtonProps =>
    id === undefined
      ? { disabled: true }
      : {
          href: hrefOf(id),
          onFollow: (event) => {
            event.preventDefault();
            open(id);
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
