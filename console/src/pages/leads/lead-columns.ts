import { TEST_MARK } from '../../../../lambdas/core/owner/test-mark.ts';
import type { FormField, LeadPage, LeadRow } from '../../api/types.ts';

export interface Column {
  readonly id: string;
  readonly label: string;
  /** The top-level key of the body whose values it shows; what the service found out has none. */
  readonly key?: string;
}

export interface ShownColumn {
  readonly id: string;
  readonly visible: boolean;
}

/** A row with its values by key: every page of the API has columns of its own. */
export interface TableRow extends LeadRow {
  readonly values: ReadonlyMap<string, string>;
}

export const RECEIVED = 'own:received';
const MOST_KEYS_AT_FIRST = 5;

const BEFORE_KEYS: readonly Column[] = [
  { id: RECEIVED, label: 'Received' },
  { id: 'own:score', label: 'Score' },
];
const AFTER_KEYS: readonly Column[] = [
  { id: 'own:clean', label: 'Clean' },
  { id: 'own:enrichment', label: 'Enrichment' },
  { id: 'own:surface', label: 'Came by' },
];

/** Every column there is: keys in the order of the form's configuration, then as they were first seen. */
export function columnsOf(
  fields: readonly FormField[],
  pages: readonly LeadPage[],
  chosen: readonly string[] = [],
): Column[] {
  const labels = new Map(fields.map(({ key, label }) => [key, label ?? key]));
  const chosenKeys = chosen.filter((id) => id.startsWith('key:')).map((id) => id.slice('key:'.length));
  const keys = new Set([...labels.keys(), ...pages.flatMap(({ columns }) => columns), ...chosenKeys]);
  return [
    ...BEFORE_KEYS,
    ...[...keys].map((key) => ({ id: `key:${key}`, label: labels.get(key) ?? key, key })),
    ...AFTER_KEYS,
  ];
}

/**
 * What the owner chose comes first and in that order. With no choice yet: all that was found out, and the keys that
 * are configured or else have values most often.
 */
export function displayOf(
  columns: readonly Column[],
  { chosen, often }: { readonly chosen: readonly string[] | undefined; readonly often: readonly string[] },
): ShownColumn[] {
  if (!chosen) {
    const first = new Set(often.slice(0, MOST_KEYS_AT_FIRST));
    return columns.map(({ id, key }) => ({ id, visible: key === undefined || first.has(key) }));
  }
  const known = new Set(columns.map(({ id }) => id));
  const wanted = chosen.includes(RECEIVED) ? chosen : [RECEIVED, ...chosen];
  const shown = new Set(wanted.filter((id) => known.has(id)));
  const hidden = columns.filter(({ id }) => !shown.has(id));
  return [
    ...[...shown].map((id) => ({ id, visible: true })),
    ...hidden.map(({ id }) => ({ id, visible: false })),
  ];
}

/** Configured keys in their order, then the others by how many of the rows have a value for them. */
export function oftenest(fields: readonly FormField[], page: LeadPage | undefined): string[] {
  const { columns = [], rows = [] } = page ?? {};
  const uses = columns.map((key, index) => ({ key, count: rows.filter(({ cells }) => cells[index]).length }));
  const byUse = uses.toSorted((a, b) => b.count - a.count).map(({ key }) => key);
  const keys = new Set([...fields.map(({ key }) => key), ...byUse]);
  keys.delete(TEST_MARK);
  return [...keys];
}

export function rowsOf(pages: readonly LeadPage[]): TableRow[] {
  return pages.flatMap(({ columns, rows }) =>
    rows.map((row) => ({
      ...row,
      values: new Map(columns.map((key, index) => [key, row.cells[index] ?? ''])),
    })),
  );
}
