import { receivedAtOf } from '../../model/lead-events.ts';
import type { LeadItem } from '../../model/lead-item.ts';
import { idAfter, idBefore, type LeadIdRange, leadIdRange } from '../lead-filter.ts';

/** A part of the list, in one month. */
export interface Slice extends LeadIdRange {
  readonly month: string;
}

interface Page {
  readonly items: readonly LeadItem[];
  /** The last lead that was read; undefined at the end of the slice. */
  readonly readTo: string | undefined;
  /** How many entries were read to find these. */
  readonly read: number;
}

export interface SlicesToRead {
  /** Newest first. */
  readonly slices: readonly Slice[];
  readonly wanted: number;
  /** Whether a filter leaves entries out. */
  readonly selective: boolean;
  readonly until: number;
  readonly now: () => number;
  readonly read: (slice: Slice, limit: number) => Promise<Page>;
}

const FIRST_LIMIT = 1_000;
const MIN_LIMIT = 100;
/** About a megabyte, as much as DynamoDB reads in one call. DynamoDB Local would read on for seconds. */
const MAX_LIMIT = 4_000;
const MAX_AT_ONCE = 8;
/** A table that takes longer gets no more reads at once. */
const FAST_MS = 1_000;
const MAX_PARTS = 64;
/** A step may take this much longer for what it would otherwise read again. */
const GAPS_MS = 800;

/** The months of a range, newest first, each with its own part of it. */
export function slicesOf(months: readonly string[], { oldest, newest }: LeadIdRange): Slice[] {
  return months.flatMap((month) => {
    const begin = Date.parse(`${month}-01T00:00:00Z`);
    const end = new Date(begin);
    const whole = leadIdRange(begin, end.setUTCMonth(end.getUTCMonth() + 1));
    if (!whole) return [];
    const part = {
      oldest: whole.oldest > oldest ? whole.oldest : oldest,
      newest: whole.newest < newest ? whole.newest : newest,
    };
    return part.oldest <= part.newest ? { month, ...part } : [];
  });
}

/**
 * Reads slices newest first, until enough was found or the time is over. While nothing is found, several are read at once.
 * What was read stays in order: leads count only once everything newer was read.
 */
export async function readSlices({ slices, wanted, selective, until, now, read }: SlicesToRead) {
  const items: LeadItem[] = [];
  /** Newest first: what was read already, and what is still to be read. */
  let segments: (Slice | readonly LeadItem[])[] = [...slices];
  let entriesRead = 0;
  let atOnce = 1;
  /** How much time a page of the list covers, judged by the one that was read last. */
  let pageMilliseconds: number | undefined;
  /** How long the last reads took. The next ones take about as long. */
  let took = 0;
  for (;;) {
    while (isRead(segments[0])) items.push(...(segments.shift() as readonly LeadItem[]));
    const [next] = segments as readonly (Slice | undefined)[];
    if (next === undefined) return { items, readTo: undefined };
    // What stands behind something that was not read is lost with the step, so gaps are read first, and beyond its end.
    const gaps = segments
      .slice(0, segments.findLastIndex(isRead) + 1)
      .filter((each) => !isRead(each)) as Slice[];
    const end = until + (gaps.length > 0 ? GAPS_MS : 0);
    const isOver = entriesRead > 0 && now() + took >= end;
    if (items.length > wanted || isOver) return { items, readTo: idAfter(next.newest) };
    const missing = wanted + 1 - items.length;
    const isBlind = selective && entriesRead > 0 && items.length === 0;
    const limit = selective ? limitFor(missing, items.length, entriesRead) : missing;
    if (isBlind && gaps.length === 0 && pageMilliseconds)
      segments = cutNext(segments, atOnce, pageMilliseconds);
    const unread = gaps.length > 0 ? gaps : (segments.filter((each) => !isRead(each)) as Slice[]);
    const reading = unread.slice(0, atOnce);
    const begun = now();
    const pages = new Map(
      await Promise.all(reading.map(async (slice) => [slice, await read(slice, limit)] as const)),
    );
    segments = segments.flatMap((segment) => {
      const page = isRead(segment) ? undefined : pages.get(segment);
      if (!page) return [segment];
      entriesRead += page.read;
      pageMilliseconds = timeOfPage(segment as Slice, page, limit) ?? pageMilliseconds;
      return [page.items, ...restOf(segment as Slice, page)];
    });
    took = now() - begun;
    if (isBlind && took < FAST_MS) atOnce = Math.min(MAX_AT_ONCE, atOnce * 2);
  }
}

const isRead = (segment: Slice | readonly LeadItem[] | undefined): segment is readonly LeadItem[] =>
  Array.isArray(segment);

/** Rather less than it takes to find the rest, judged by what was found so far: what is read in vain costs the same. */
function limitFor(missing: number, found: number, read: number): number {
  if (read === 0) return FIRST_LIMIT;
  const expected = found === 0 ? MAX_LIMIT : Math.ceil((missing * read * 0.9) / found);
  return Math.min(MAX_LIMIT, Math.max(MIN_LIMIT, expected));
}

function restOf({ month, oldest }: Slice, { readTo }: Page): Slice[] {
  const rest = readTo && idBefore(readTo);
  return rest === undefined || rest < oldest ? [] : [{ month, oldest, newest: rest }];
}

/** Rather less than what a page covers. Undefined if nothing was there to judge by. */
function timeOfPage({ oldest, newest }: Slice, { read, readTo }: Page, limit: number): number | undefined {
  if (read === 0) return undefined;
  const covered = receivedAtOf(newest) - receivedAtOf(readTo ?? oldest) + 1;
  // DynamoDB ends a page of large entries earlier.
  const entries = readTo && read < limit ? read : MAX_LIMIT;
  return Math.max(1, Math.floor((covered / read) * entries * 0.9));
}

/** Cuts what will be read next into parts of at most a page. */
function cutNext(
  segments: readonly (Slice | readonly LeadItem[])[],
  atOnce: number,
  pageMilliseconds: number,
): (Slice | readonly LeadItem[])[] {
  let unread = 0;
  return segments.flatMap((segment) => {
    if (isRead(segment) || unread >= atOnce) return [segment];
    const parts = partsOf(segment, pageMilliseconds);
    unread += parts.length;
    return parts;
  });
}

function partsOf({ month, oldest, newest }: Slice, milliseconds: number): Slice[] {
  const [from, to] = [receivedAtOf(oldest), receivedAtOf(newest)];
  const parts = Math.min(MAX_PARTS, Math.ceil((to - from + 1) / milliseconds));
  const step = Math.ceil((to - from + 1) / parts);
  return Array.from({ length: parts }, (_, index) => {
    const begin = Math.max(from, to + 1 - (index + 1) * step);
    const part = leadIdRange(begin, to + 1 - index * step);
    return {
      month,
      oldest: index === parts - 1 ? oldest : (part?.oldest ?? oldest),
      newest: index === 0 ? newest : (part?.newest ?? newest),
    };
  }).filter((part) => part.oldest <= part.newest);
}
