import type { Client, Query } from '#console/api/client.ts';
import type { LeadPage } from '#console/api/types.ts';

export interface From {
  readonly cursor: string;
  /** A cursor works only with the exact filter it was created for, including times. */
  readonly query: Query;
}

/** What is shown at once. With a narrow filter, the API returns it in several parts. */
export interface ShownLeads {
  readonly parts: readonly LeadPage[];
  readonly next?: From;
}

const LEADS_PER_PAGE = 50;

/** With a narrow filter many parts are empty. Read up to this many, then let the owner decide. */
const MOST_PARTS = 5;

/** Reads until the page is full or the leads end. */
export async function readLeads(
  client: Pick<Client, 'get'>,
  path: string,
  { query, cursor: start }: Partial<From> & Pick<From, 'query'>,
  signal: AbortSignal,
): Promise<ShownLeads> {
  const parts: LeadPage[] = [];
  let cursor = start;
  let limit = LEADS_PER_PAGE;
  while (limit > 0 && parts.length < MOST_PARTS) {
    const part: LeadPage = await client.get(path, { ...query, cursor, limit }, signal);
    parts.push(part);
    limit -= part.rows.length;
    cursor = part.cursor;
    if (cursor === undefined) return { parts };
  }
  return { parts, ...(cursor !== undefined && { next: { cursor, query } }) };
}
