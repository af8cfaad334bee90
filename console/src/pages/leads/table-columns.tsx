import type { TableProps } from '@cloudscape-design/components/table';
import type { ReactNode } from 'react';
import { Moment } from '../../shared/moment.tsx';
import { Link } from '../../shell/link.tsx';
import { type Column, RECEIVED, type TableRow } from './lead-columns.ts';
import { Clean, EnrichmentState, Score, TestBadge } from './lead-marks.tsx';
import { surfaceName } from './lead-words.ts';

const OWN_CELLS: Readonly<Record<string, (row: TableRow) => ReactNode>> = {
  'own:score': (row) => <Score score={row.score} grade={row.grade} />,
  'own:clean': (row) => <Clean clean={row.clean} />,
  'own:enrichment': (row) => <EnrichmentState state={row.enrichment} />,
  'own:surface': (row) => surfaceName(row.surface),
};

/** How the table shows each column. `addressOf` is where a lead opens. */
export function tableColumns(
  columns: readonly Column[],
  addressOf: (leadId: string) => string,
): TableProps.ColumnDefinition<TableRow>[] {
  return columns.map(({ id, label, key }) => {
    if (id === RECEIVED)
      return { id, header: label, cell: (row) => received(row, addressOf), isRowHeader: true };
    if (key === undefined) return { id, header: label, cell: (row) => OWN_CELLS[id]?.(row) };
    return {
      id,
      header: <Label text={label} />,
      maxWidth: 240,
      cell: (row) => <Value text={row.values.get(key) ?? ''} />,
    };
  });
}

function received(row: TableRow, addressOf: (leadId: string) => string): ReactNode {
  return (
    <>
      <Link href={addressOf(row.leadId)}>
        <Moment at={row.receivedAt} />
      </Link>{' '}
      {row.test && <TestBadge />}
    </>
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
