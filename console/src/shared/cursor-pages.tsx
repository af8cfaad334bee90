import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';

/** The pages of a list, newest first. Each page names the cursor of the next, so their number is unknown. */
export function useCursorPages() {
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  return cursorPages(cursors, setCursors);
}

/** The cursors of the pages up to the one shown. The first page has none. */
export function cursorPages<Cursor>(
  cursors: readonly (Cursor | undefined)[],
  setCursors: (cursors: readonly (Cursor | undefined)[]) => void,
): CursorPages<Cursor> {
  return {
    cursor: cursors.at(-1),
    number: cursors.length,
    isFirst: cursors.length === 1,
    newer: () => setCursors(cursors.slice(0, -1)),
    older: (next) => setCursors([...cursors, next]),
  };
}

interface CursorPages<Cursor> {
  readonly cursor: Cursor | undefined;
  readonly number: number;
  readonly isFirst: boolean;
  readonly newer: () => void;
  readonly older: (next: Cursor) => void;
}

interface CursorPagerProps<Cursor> {
  readonly pages: CursorPages<Cursor>;
  /** The next page's cursor. */
  readonly next: Cursor | undefined;
  /** "messages" */
  readonly what: string;
}

export function CursorPager<Cursor>({
  pages: { isFirst, newer, older },
  next,
  what,
}: CursorPagerProps<Cursor>) {
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
