import { encodeLeadCursor, type LeadQuery, LONGEST_COLUMN_NAME, MOST_COLUMNS } from './cursor.ts';

/** A form has some dozens of keys; whoever sends random ones must not fill our memory with them. */
const MOST_KEYS_WATCHED = 10_000;
/** So that one lead with thousands of keys leaves room for those of all others. */
const MOST_NEW_KEYS_OF_ONE_LEAD = 500;
/** Leaves room in a request line for the path, the filters and the owner's token. */
const LONGEST_CURSOR_WITH_COLUMNS = 5_500;
const ANY_LEAD = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Watches the keys of leads go by, and says which of them deserve a column. */
export interface ColumnSample {
  add(keys: Iterable<string>): void;
  /** The most frequent keys, in the order in which they first appeared. */
  columns(most: number): string[];
}

export function sampleColumns(longestName = LONGEST_COLUMN_NAME): ColumnSample {
  const seen = new Map<string, number>();
  return {
    add(keys) {
      let fresh = 0;
      for (const key of keys) {
        if (key.length > longestName) continue;
        const times = seen.get(key);
        if (times !== undefined) seen.set(key, times + 1);
        else if (seen.size < MOST_KEYS_WATCHED && ++fresh <= MOST_NEW_KEYS_OF_ONE_LEAD) seen.set(key, 1);
      }
    },
    columns(most) {
      const frequent = [...seen].sort(([, a], [, b]) => b - a).slice(0, most);
      const kept = new Set(frequent.map(([name]) => name));
      return [...seen.keys()].filter((name) => kept.has(name));
    },
  };
}

/** As many columns as their number and the length of a cursor allow; the keys of the rest go into the last column. */
export function columnsForExport(sample: ColumnSample, query: LeadQuery): string[] {
  let columns = sample.columns(MOST_COLUMNS);
  for (;;) {
    const { length } = encodeLeadCursor(query, { leadId: ANY_LEAD, columns });
    if (columns.length === 0 || length <= LONGEST_CURSOR_WITH_COLUMNS) return columns;
    const share = Math.min(0.9, LONGEST_CURSOR_WITH_COLUMNS / length);
    columns = sample.columns(Math.floor(columns.length * share));
  }
}
