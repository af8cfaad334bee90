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
  /** Those that the owner has configured and then the most frequent, in the order in which they first appeared. */
  columns(most: number): string[];
  /** Whether some keys would have no column among so many, those included that were not watched. */
  hasMoreThan(most: number): boolean;
}

interface Watched {
  times: number;
  /** Of the lead with the fewest keys that has this one. */
  keysBeside: number;
}

interface SampleOptions {
  readonly longestName?: number;
  /** Keys that go before all others. */
  readonly configured?: ReadonlySet<string>;
}

export function sampleColumns({
  longestName = LONGEST_COLUMN_NAME,
  configured = new Set(),
}: SampleOptions = {}): ColumnSample {
  const seen = new Map<string, Watched>();
  let someUnwatched = false;
  return {
    add(keys) {
      const ofLead = [...keys];
      let fresh = 0;
      for (const key of ofLead) {
        const watched = seen.get(key);
        if (watched) {
          watched.times += 1;
          watched.keysBeside = Math.min(watched.keysBeside, ofLead.length);
        } else if (
          key.length <= longestName &&
          (configured.has(key) || (seen.size < MOST_KEYS_WATCHED && ++fresh <= MOST_NEW_KEYS_OF_ONE_LEAD))
        ) {
          seen.set(key, { times: 1, keysBeside: ofLead.length });
        } else {
          someUnwatched = true;
        }
      }
    },
    columns(most) {
      const rank = (name: string) => (configured.has(name) ? 0 : 1);
      const worthiest = [...seen].sort(([a, one], [b, other]) => rank(a) - rank(b) || byWorth(one, other));
      const kept = new Set(worthiest.slice(0, most).map(([name]) => name));
      return [...seen.keys()].filter((name) => kept.has(name));
    },
    hasMoreThan: (most) => someUnwatched || seen.size > most,
  };
}

/** Of keys as frequent as each other, those of an ordinary lead go before those of one that has hundreds. */
function byWorth(a: Watched, b: Watched): number {
  return b.times - a.times || a.keysBeside - b.keysBeside;
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
