import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useLocation, useSearch } from 'wouter';
import { leadAddress } from '../leads-navigation.ts';
import type { Neighbour } from './find-neighbours.ts';
import { useArrowKeys, useNeighbours } from './use-neighbours.ts';

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
