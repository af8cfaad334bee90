import type { Client, Query } from '#console/api/client.ts';
import type { InboxLead, LeadList } from '#console/api/types.ts';

export const INBOX_PATH = '/settings/leads';
export const LEADS_PER_PAGE = 50;

/** With a narrow filter the API may return few leads or none. Read up to this many parts, then let the owner decide. */
const MAX_PARTS = 5;

export interface InboxPage {
  readonly leads: readonly InboxLead[];
  /** The cursor of the next page, if there may be more leads. */
  readonly next?: string | undefined;
}

interface Reading {
  readonly query: Query;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
  /** Called with what was found so far, if more is to be read. */
  readonly onPart?: (found: InboxPage) => void;
}

/** Reads until the page is full or the leads end. */
export async function readInbox(
  client: Pick<Client, 'get'>,
  { query, cursor: start, signal, onPart }: Reading,
): Promise<InboxPage> {
  let leads: readonly InboxLead[] = [];
  let next = start;
  for (let parts = 1; ; parts += 1) {
    const limit = LEADS_PER_PAGE - leads.length;
    const part: LeadList = await client.get(INBOX_PATH, { ...query, cursor: next, limit }, signal);
    leads = [...leads, ...part.leads];
    next = part.cursor;
    const isDone = next === undefined || leads.length >= LEADS_PER_PAGE || parts === MAX_PARTS;
    if (isDone) return { leads, next };
    onPart?.({ leads, next });
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
 * lead shown: with a narrow filter the whole list would be read each time. Undefined if the period has ended.
 */
export function watchQuery(query: Query, { leads }: InboxPage, readAt: number): Query | undefined {
  const { from: start = '', to } = query;
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
