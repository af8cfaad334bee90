import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';

/** The pages of a list, newest first. Each page names the cursor of the next, so their number is unknown. */
export function useCursorPages() {
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  return {
    cursor: cursors.at(-1),
    isFirst: cursors.length === 1,
    newer: () => setCursors(cursors.slice(0, -1)),
    older: (next: string) => setCursors([...cursors, next]),
  };
}

export interface CursorPages {
  readonly isFirst: boolean;
  readonly newer: () => void;
  readonly older: (next: string) => void;
}

interface CursorPagerProps {
  readonly pages: CursorPages;
  /** The next page's cursor. */
  readonly next: string | undefined;
  /** "messages" */
  readonly what: string;
}

export function CursorPager({ pages: { isFirst, newer, older }, next, what }: CursorPagerProps) {
  if (isFirst && next === undefined) return null;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button disabled={isFirst} ariaLabel={`Newer ${what}`} onClick={newer}>
        Newer
      </Button>
      <Button
        disabled={next === undefined}
        ariaLabel={`Older ${what}`}
        onClick={() => next !== undefined && older(next)}
      >
        Older
      </Button>
    </SpaceBetween>
  );
}
