import { topLevelSources } from '../../model/json-text.ts';
import { TEST_MARK } from '../../model/limits.ts';
import { encodeLeadCursor, type LeadQuery, MAX_COLUMN_NAME_LENGTH, MAX_COLUMNS } from '../lead-cursors.ts';

/** A value that fits a cell. `source` is its JSON as sent, `cell` what a reader sees. */
export interface Scalar {
  readonly cell: string;
  readonly source: string;
}

/**
 * The top-level keys whose values are no object and no array, in the order sent. Read from the text, since a parsed
 * number has lost digits and a parsed object has moved its numeric keys. Of repeated keys the last counts, as
 * everywhere; `__proto__` is a key like any other. Empty for a text that is no JSON object.
 */
export function topLevelScalars(text: string): Map<string, Scalar> {
  const scalars = new Map<string, Scalar>();
  for (const [key, source] of topLevelSources(text)) {
    const cell = cellOf(source);
    if (cell !== undefined) scalars.set(key, { cell, source });
  }
  return scalars;
}

/** What a reader sees of a value, or undefined where it is nested. */
export function cellOf(source: string): string | undefined {
  if (isNested(source)) return undefined;
  if (source.startsWith('"')) return JSON.parse(source) as string;
  return source === 'null' ? '' : source;
}

export function isNested(source: string): boolean {
  return source.startsWith('{') || source.startsWith('[');
}

/** A form has dozens of keys. A sender of random keys must not fill our memory. */
const MAX_KEYS_WATCHED = 10_000;
/** So that one lead with thousands of keys leaves room for those of all others. */
const MAX_NEW_KEYS_OF_ONE_LEAD = 500;
/** Leaves room in a request line for the path, the filters and the owner's token. */
const MAX_CURSOR_WITH_COLUMNS = 5_500;
const ANY_LEAD = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Collects the keys of leads and picks those that get a column. */
export interface ColumnSample {
  add(keys: Iterable<string>): void;
  /** Those that the owner has configured and then the most frequent, in the order in which they first appeared. */
  columns(most: number): string[];
  /** Whether some keys would have no column among so many, those included that were not watched. */
  hasMoreThan(most: number): boolean;
}

interface WatchedKey {
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
  longestName = MAX_COLUMN_NAME_LENGTH,
  configured = new Set(),
}: SampleOptions = {}): ColumnSample {
  const seen = new Map<string, WatchedKey>();
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
          (configured.has(key) || (seen.size < MAX_KEYS_WATCHED && ++fresh <= MAX_NEW_KEYS_OF_ONE_LEAD))
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
function byWorth(a: WatchedKey, b: WatchedKey): number {
  return b.times - a.times || a.keysBeside - b.keysBeside;
}

/** As many columns as the limit and the length of a cursor allow; all other keys go into the last column. */
export function columnsForExport(sample: ColumnSample, query: LeadQuery): string[] {
  let columns = sample.columns(MAX_COLUMNS);
  for (;;) {
    const { length } = encodeLeadCursor(query, { leadId: ANY_LEAD, columns });
    if (columns.length === 0 || length <= MAX_CURSOR_WITH_COLUMNS) return columns;
    const share = Math.min(0.9, MAX_CURSOR_WITH_COLUMNS / length);
    columns = sample.columns(Math.floor(columns.length * share));
  }
}

export function isTest(scalars: ReadonlyMap<string, Scalar>): boolean {
  return scalars.get(TEST_MARK)?.source === 'true';
}
