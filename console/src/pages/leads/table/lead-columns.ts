import type { FormField, LeadPage, LeadRow } from '#console/api/types.ts';
import { TEST_MARK } from '#submission/limits.ts';
import { keyName } from '../lead-words.ts';

export interface Column {
  readonly id: string;
  readonly label: string;
  /** The body key that it shows; undefined for the service's own columns. */
  readonly key?: string;
}

export interface ShownColumn {
  readonly id: string;
  readonly visible: boolean;
}

/** A row with its values by key, since each API page has its own columns. */
export interface TableRow extends LeadRow {
  readonly values: ReadonlyMap<string, string>;
}

export const RECEIVED = 'own:received';
export const SCORE = 'own:score';
const MOST_KEYS_AT_FIRST = 5;

const BEFORE_KEYS: readonly Column[] = [
  { id: RECEIVED, label: 'Received' },
  { id: SCORE, label: 'Score' },
];
const AFTER_KEYS: readonly Column[] = [
  { id: 'own:clean', label: 'Clean' },
  { id: 'own:enrichment', label: 'Enrichment' },
  { id: 'own:surface', label: 'Received via' },
];

/** All columns: configured keys in order, then the most used keys. */
export function columnsOf(
  fields: readonly FormField[],
  pages: readonly LeadPage[],
  chosen: readonly string[] = [],
): Column[] {
  const labels = new Map(fields.map(({ key, label }) => [key, label]));
  const chosenKeys = chosen.filter((id) => id.startsWith('key:')).map((id) => id.slice('key:'.length));
  const keys = new Set([...labels.keys(), ...byUse(pages), ...chosenKeys]);
  return [
    ...BEFORE_KEYS,
    ...[...keys].map((key) => ({ id: `key:${key}`, label: labels.get(key) ?? keyName(key), key })),
    ...AFTER_KEYS,
  ];
}

/**
 * The owner's chosen columns in their order. By default the service's columns and the configured or most used keys.
 */
export function displayOf(
  columns: readonly Column[],
  { chosen, often }: { readonly chosen: readonly string[] | undefined; readonly often: readonly string[] },
): ShownColumn[] {
  if (!chosen) {
    const first = often.slice(0, MOST_KEYS_AT_FIRST).map((key) => `key:${key}`);
    const hidden = columns.filter(({ id, key }) => key !== undefined && !first.includes(id));
    return [
      ...[...BEFORE_KEYS.map(({ id }) => id), ...first].map((id) => ({ id, visible: true })),
      ...hidden.map(({ id }) => ({ id, visible: false })),
      ...AFTER_KEYS.map(({ id }) => ({ id, visible: true })),
    ];
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

/** On a phone the score is shown below the time, to leave room for a field. */
export function narrowColumns(display: readonly ShownColumn[]): ShownColumn[] {
  return display.filter(({ id }) => id !== SCORE);
}

/** Configured keys first, then those of the page. */
export function mostUsedKeys(fields: readonly FormField[], page: LeadPage | undefined): string[] {
  const keys = new Set([...fields.map(({ key }) => key), ...byUse(page ? [page] : [])]);
  keys.delete(TEST_MARK);
  return [...keys];
}

/** Keys by number of leads with a value; ties in order of appearance. */
function byUse(pages: readonly LeadPage[]): string[] {
  const uses = new Map<string, number>();
  for (const { columns, rows } of pages) {
    for (const [index, key] of columns.entries()) {
      const count = rows.filter(({ cells }) => cells[index]).length;
      uses.set(key, (uses.get(key) ?? 0) + count);
    }
  }
  return [...uses].toSorted(([, a], [, b]) => b - a).map(([key]) => key);
}

export function rowsOf(pages: readonly LeadPage[]): TableRow[] {
  return pages.flatMap(({ columns, rows }) =>
    rows.map((row) => ({
      ...row,
      values: new Map(columns.map((key, index) => [key, row.cells[index] ?? ''])),
    })),
  );
}

export interface TablePreferences {
  /** IDs of the visible columns, in order. */
  readonly columns: readonly string[];
  readonly wrapLines: boolean;
}

type Store = Pick<Storage, 'getItem' | 'setItem'>;

const keyOf = (formId: string) => `lead-ingest.columns.${formId}`;

/** The owner's column choice for a form in this browser. Stores column names, never values. */
export function rememberedPreferences(store: Store, formId: string): TablePreferences | undefined {
  try {
    const kept: unknown = JSON.parse(store.getItem(keyOf(formId)) ?? 'null');
    return isPreferences(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function rememberPreferences(store: Store, formId: string, preferences: TablePreferences): void {
  try {
    store.setItem(keyOf(formId), JSON.stringify(preferences));
  } catch {
    // Storage is full or blocked: the choice lasts until the page is left.
  }
}

function isPreferences(value: unknown): value is TablePreferences {
  if (typeof value !== 'object' || value === null) return false;
  const { columns, wrapLines } = value as Partial<TablePreferences>;
  return (
    typeof wrapLines === 'boolean' && Array.isArray(columns) && columns.every((id) => typeof id === 'string')
  );
}

type Zone = 'UTC' | undefined;

/** A short time: without the year this year, without the time of day otherwise. */
export function shortTime(at: string, now: number, timeZone: Zone): string {
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
  const isThisYear = year.format(new Date(at)) === year.format(now);
  const day = { day: 'numeric', month: 'short', timeZone } as const;
  const rest = isThisYear
    ? ({ hour: '2-digit', minute: '2-digit' } as const)
    : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat(undefined, { ...day, ...rest }).format(new Date(at));
}
