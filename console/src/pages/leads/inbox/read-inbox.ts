import type { Client, Query } from '#console/api/client.ts';
import type { InboxLead, LeadList } from '#console/api/types.ts';
import { INBOX_PATH, LEADS_PER_PAGE } from './inbox-filter.ts';

export interface InboxPage {
  readonly leads: readonly InboxLead[];
  /** The cursor of the next page, if there may be more leads. */
  readonly next?: string | undefined;
  /** How far back was searched. Undefined if the page is full or the leads end. */
  readonly searchedTo?: string | undefined;
}

interface Reading {
  readonly query: Query;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
  /** Ends the search early, with what was found. */
  readonly stop?: AbortSignal;
  /** What an interrupted read has found: it is continued. */
  readonly found?: InboxPage | undefined;
  /** Reads no further back than this: where the owner stopped before. */
  readonly backTo?: string | undefined;
  /** Called with what was found so far, if more is to be read. */
  readonly onPart?: (found: InboxPage) => void;
}

/** Reads until the page is full or the leads end. One request searches for a few seconds, and may find few leads or none. */
export async function readInbox(
  client: Pick<Client, 'get'>,
  { query, cursor, signal, stop, found, backTo, onPart }: Reading,
): Promise<InboxPage> {
  let page: InboxPage = found ?? { leads: [], next: cursor };
  for (let isFirst = found === undefined; ; isFirst = false) {
    // Without a first part there is nothing to stop at.
    const until = isFirst || !stop ? signal : AbortSignal.any([signal, stop]);
    const limit = LEADS_PER_PAGE - page.leads.length;
    let part: LeadList;
    try {
      part = await client.get(INBOX_PATH, { ...query, cursor: page.next, limit }, until);
    } catch (error) {
      if (stop?.aborted && !isFirst && !signal.aborted) return page;
      throw error;
    }
    page = { leads: [...page.leads, ...part.leads], next: part.cursor, searchedTo: part.searchedTo };
    const { leads, next, searchedTo } = page;
    if (next === undefined || leads.length >= LEADS_PER_PAGE || stop?.aborted) return page;
    if (backTo !== undefined && searchedTo !== undefined && searchedTo <= backTo) return page;
    onPart?.(page);
  }
}

/** The index may list a lead some time after newer ones. */
const LATE_MS = 60_000;
/** In an empty list only the browser's clock says when it was read, and that may be wrong. */
const WRONG_CLOCK_MS = 5 * 60_000;
/** Slower enrichment waits for external servers. */
const MAX_ENRICHMENT_MS = 10 * 60_000;

/**
 * The query for new leads, and for changes to those that are being enriched. It looks only at the time since the newest
 * lead shown: with a narrow filter the whole list would be read each time. Undefined if the period has ended, and
 * by score, where new leads can belong anywhere.
 */
export function watchQuery(query: Query, { leads }: InboxPage, readAt: number): Query | undefined {
  const { from: start = '', to, sort } = query;
  if (sort !== undefined) return undefined;
  if (typeof to === 'string' && Date.parse(to) <= readAt) return undefined;
  const from = new Date(watchFrom(leads, readAt)).toISOString();
  return { ...query, from: String(start) > from ? start : from, limit: LEADS_PER_PAGE };
}

function watchFrom(leads: readonly InboxLead[], readAt: number): number {
  const [newest] = leads;
  if (!newest) return readAt - WRONG_CLOCK_MS;
  const newestAt = Date.parse(newest.receivedAt);
  const pending = leads
    .filter(({ enrichment }) => enrichment === 'pending')
    .map(({ receivedAt }) => Date.parse(receivedAt))
    .filter((at) => at > newestAt - MAX_ENRICHMENT_MS);
  return Math.min(newestAt - LATE_MS, ...pending);
}

/** How many of the watched leads the first page should have, but doesn't. */
export function countNew({ leads, next }: InboxPage, watched: readonly InboxLead[]): number {
  const shown = new Set(leads.map(({ submissionId }) => submissionId));
  const oldest = next === undefined ? '' : (leads.at(-1)?.submissionId ?? '');
  return watched.filter(({ submissionId }) => !shown.has(submissionId) && submissionId > oldest).length;
}

/** The same leads in the same order, as they are now. */
export function withChanges(
  leads: readonly InboxLead[],
  watched: readonly InboxLead[],
): readonly InboxLead[] {
  const now = new Map(watched.map((lead) => [lead.submissionId, lead]));
  return leads.map((lead) => now.get(lead.submissionId) ?? lead);
}
