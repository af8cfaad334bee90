import CloudscapeTable, { type TableProps } from '@cloudscape-design/components/table';
import { useMemo, useSyncExternalStore } from 'react';

const NARROW = '(max-width: 699px)';

/** Whether the window is as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(onTurn, () => matchMedia(NARROW).matches);
}

function onTurn(notice: () => void): () => void {
  const query = matchMedia(NARROW);
  query.addEventListener('change', notice);
  return () => query.removeEventListener('change', notice);
}

/** Cloudscape's table. On a phone each row is a card, because columns would scroll sideways. */
export default function Table<T>({ columnDefinitions, stickyColumns, ...props }: TableProps<T>) {
  const isNarrow = useIsNarrow();
  const columns = useMemo(
    () => (isNarrow ? [cardColumn(columnDefinitions)] : columnDefinitions),
    [isNarrow, columnDefinitions],
  );
  return (
    <CloudscapeTable
      {...props}
      columnDefinitions={columns}
      {...(!isNarrow && stickyColumns && { stickyColumns })}
    />
  );
}

type Column<T> = TableProps.ColumnDefinition<T>;

/** One column with everything. The first column is the card's title; the others have their names. */
function cardColumn<T>(columns: readonly Column<T>[]): Column<T> {
  const [title, ...others] = columns;
  return {
    id: 'card',
    header: title?.header,
    isRowHeader: title?.isRowHeader ?? false,
    cell: (item) => (
      <>
        {title?.cell(item)}
        <div className="card-values">
          {others.map((column) => (
            <div key={column.id}>
              {column.id !== ACTIONS && <span className="card-name">{column.header}</span>}
              <span>{column.cell(item)}</span>
            </div>
          ))}
        </div>
      </>
    ),
  };
}

/** The column of buttons needs no name. */
const ACTIONS = 'actions';
