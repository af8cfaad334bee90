import type { TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import { localTime, Moment, useTimesInUtc, utc } from '#console/shared/moment.tsx';
import { surfaceName } from '#console/shared/surface-names.ts';
import { Link } from '#console/shell/link.tsx';
import { Clean, EnrichmentState, Score, TestBadge } from '../lead-marks.tsx';
import { type Column, RECEIVED, SCORE, shortTime, type TableRow } from './lead-columns.ts';

const OWN_CELLS: Readonly<Record<string, (row: TableRow) => ReactNode>> = {
  [SCORE]: (row) => <Score {...row} />,
  'own:clean': (row) => <Clean {...row} />,
  'own:enrichment': (row) => <EnrichmentState state={row.enrichment} />,
  'own:surface': (row) => surfaceName(row.surface),
};

interface Showing {
  /** The URL of a lead. */
  readonly addressOf: (submissionId: string) => string;
  readonly isNarrow: boolean;
  readonly showsScore: boolean;
}

/** Column definitions. On a phone, time and score share a column to leave room for a field. */
export function tableColumns(
  columns: readonly Column[],
  showing: Showing,
): TableProps.ColumnDefinition<TableRow>[] {
  return columns.map(({ id, label, key }) => {
    if (id === RECEIVED)
      return { id, header: label, cell: (row) => received(row, showing), isRowHeader: true };
    if (key === undefined) return { id, header: label, cell: (row) => OWN_CELLS[id]?.(row) };
    return {
      id,
      header: <Label text={label} />,
      maxWidth: showing.isNarrow ? 120 : 240,
      cell: (row) => <Value text={row.values.get(key) ?? ''} />,
    };
  });
}

function received(row: TableRow, { addressOf, isNarrow, showsScore }: Showing): ReactNode {
  // Where the score is shown, it is replaced by the badge.
  const badge = row.test && (isNarrow || !showsScore) && <TestBadge />;
  if (!isNarrow) {
    return (
      <>
        <Link href={addressOf(row.submissionId)}>
          <Moment at={row.receivedAt} />
        </Link>{' '}
        {badge}
      </>
    );
  }
  return (
    <>
      <Link href={addressOf(row.submissionId)}>
        <ShortMoment at={row.receivedAt} />
      </Link>
      {showsScore && !row.test && (
        <div>
          Score <Score {...row} />
        </div>
      )}
      <div>{badge}</div>
    </>
  );
}

function ShortMoment({ at }: { readonly at: string }) {
  const inUtc = useTimesInUtc();
  return (
    <time dateTime={at} title={inUtc ? localTime(at) : utc(at)}>
      {shortTime(at, Date.now(), inUtc ? 'UTC' : undefined)}
    </time>
  );
}

function Label({ text }: { readonly text: string }) {
  return <span className="value">{text}</span>;
}

function Value({ text }: { readonly text: string }) {
  return text === '' ? (
    '–'
  ) : (
    <span className="value" title={text}>
      {text}
    </span>
  );
}
