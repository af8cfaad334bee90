import type { Client, Query } from '#console/api/client.ts';
import type { InboxLead, LeadList } from '#console/api/types.ts';
import { INBOX_PATH } from '../inbox/inbox-filter.ts';

// IDs are UUIDv7: they sort by time, which is the order of the list.

/** What a lead's URL is made of. */
export type Neighbour = Pick<InboxLead, 'submissionId' | 'formId'>;

/** The neighbours of a lead in the list, newest first. Undefined at an end of the list. */
export interface Neighbours {
  readonly newer?: Neighbour | undefined;
  readonly older?: Neighbour | undefined;
}

export type Direction = keyof Neighbours;

interface PressedKey {
  readonly key: string;
  readonly altKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly defaultPrevented: boolean;
}

/** Where a key leads. Only arrows: single letters would interfere with speech input (WCAG 2.1.4). */
export function directionOf(pressed: PressedKey): Direction | undefined {
  const hasModifier = pressed.altKey || pressed.ctrlKey || pressed.metaKey || pressed.shiftKey;
  if (hasModifier || pressed.defaultPrevented) return undefined;
  if (pressed.key === 'ArrowLeft') return 'newer';
  return pressed.key === 'ArrowRight' ? 'older' : undefined;
}

interface LoadedList {
  readonly rows: readonly Neighbour[];
  /** There are no newer leads than those loaded. */
  readonly isFirst: boolean;
  /** There may be older leads than those loaded. */
  readonly mayHaveMore: boolean;
}

/** What a loaded list says. A missing key means that the list doesn't know. */
export function neighboursIn({ rows, isFirst, mayHaveMore }: LoadedList, submissionId: string): Neighbours {
  const at = rows.findIndex((row) => row.submissionId === submissionId);
  if (at < 0) return {};
  const [newer, older] = [rows[at - 1], rows[at + 1]];
  return {
    ...((newer !== undefined || isFirst) && { newer }),
    ...((older !== undefined || !mayHaveMore) && { older }),
  };
}

/** The millisecond in which a lead was received. */
export function receivedAtOf(submissionId: string): number {
  return Number.parseInt(submissionId.replace('-', '').slice(0, 12), 16);
}

export interface Search {
  readonly client: Pick<Client, 'get'>;
  /** The list's filter. */
  readonly query: Query;
  readonly submissionId: string;
  readonly signal: AbortSignal;
}

/** Few are needed, except for bursts of leads after long silence. */
const MAX_REQUESTS = 60;
/** With a narrow filter many API pages are empty. Then the neighbour stays unknown. */
const MAX_EMPTY_PAGES = 5;

/** The next older lead of the list. */
export async function findOlder(search: Search): Promise<Neighbour | undefined> {
  const { client, query, submissionId, signal } = search;
  // Including its own millisecond, in which others may have been received.
  const end = Math.min(momentOf(query.to) ?? Number.POSITIVE_INFINITY, receivedAtOf(submissionId) + 1);
  if (end <= (momentOf(query.from) ?? 0)) return undefined;
  const to = iso(end);
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_EMPTY_PAGES; pages += 1) {
    const page: LeadList = await client.get(INBOX_PATH, { ...query, to, cursor, limit: 10 }, signal);
    const older = page.leads.find((lead) => lead.submissionId < submissionId);
    cursor = page.cursor;
    if (older || cursor === undefined) return older;
  }
  return undefined;
}

const FIRST_SPAN_MS = 60_000;
const GROWTH = 16;

/**
 * The next newer lead of the list. The API lists the newest first, so this looks at spans of time after the lead: longer
 * ones until there is a lead in one, then shorter ones until all of its leads fit on a page.
 */
export async function findNewer(search: Search, nowMilliseconds: number): Promise<Neighbour | undefined> {
  const { client, query, submissionId, signal } = search;
  const end = Math.min(momentOf(query.to) ?? Number.POSITIVE_INFINITY, nowMilliseconds + FIRST_SPAN_MS);
  /** There is no newer lead of the list before `from`. */
  let from = Math.max(receivedAtOf(submissionId), momentOf(query.from) ?? 0);
  let span = FIRST_SPAN_MS;
  let to = Math.min(from + span, end);
  /** The oldest newer lead seen so far, and whether it is in this span. */
  let nearest: Neighbour | undefined;
  let isInSpan = false;
  let cursor: string | undefined;
  let emptyPages = 0;
  for (let requests = 0; requests < MAX_REQUESTS && from < end; requests += 1) {
    const times = { from: iso(from), to: iso(to) };
    const page: LeadList = await client.get(INBOX_PATH, { ...query, ...times, cursor, limit: 50 }, signal);
    const last = page.leads.findLast((lead) => lead.submissionId > submissionId);
    nearest = last ?? nearest;
    isInSpan ||= last !== undefined;
    cursor = page.cursor;
    if (cursor === undefined) {
      if (isInSpan) return nearest;
      from = to;
      span *= GROWTH;
      to = nearest === undefined ? Math.min(from + span, end) : receivedAtOf(nearest.submissionId) + 1;
    } else if (last === undefined) {
      emptyPages += 1;
      if (emptyPages === MAX_EMPTY_PAGES) return undefined;
    } else {
      // More leads are between this one and the page's last. Look at the nearer half, unless they share a moment.
      const middle = Math.floor((from + receivedAtOf(last.submissionId)) / 2);
      if (middle === from) continue;
      to = middle;
      cursor = undefined;
      isInSpan = false;
    }
  }
  return undefined;
}

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

function momentOf(text: Query[string]): number | undefined {
  return typeof text === 'string' ? Date.parse(text) : undefined;
}
