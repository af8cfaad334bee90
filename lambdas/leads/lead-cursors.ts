import { isLeadId } from '../model/lead-item.ts';
import { CURSOR_VERSION, decodeCursor, encodeCursor } from '../owner-api/cursor.ts';
import { InvalidCursor } from '../owner-api/errors.ts';
import { filterMark, type LeadFilter, markOf } from './lead-filter.ts';

export const MAX_COLUMNS = 200;
export const MAX_COLUMN_NAME_LENGTH = 200;

/** Where a page of leads by score ends. */
export interface ScorePosition {
  readonly score: number;
  readonly leadId: string;
}

/** What one page and the next must have in common. The workspace is never part of a cursor: it comes from the session. */
export interface LeadQuery {
  readonly kind: 'leads' | 'csv' | 'ndjson';
  readonly formId: string;
  readonly filter: LeadFilter;
  /** The columns that the owner chose. A cursor has only their mark, since every request has the names. */
  readonly chosen?: readonly string[] | undefined;
}

export interface LeadPosition {
  /** The last lead that was returned. */
  readonly leadId: string;
  /** The keys that the first page of a CSV export settled for all of its pages, unless the owner chose the columns. */
  readonly columns?: readonly string[] | undefined;
}

export function encodeLeadCursor(query: LeadQuery, position: LeadPosition): string {
  const { kind, formId, filter, chosen } = query;
  const { leadId, columns } = position;
  return encodeCursor({
    v: CURSOR_VERSION,
    kind,
    formId,
    filter: filterMark(filter),
    leadId,
    ...(chosen && { chosen: markOf(chosen) }),
    ...(columns && { columns }),
  });
}

export function decodeLeadCursor(text: string, query: LeadQuery): LeadPosition {
  const { v, kind, formId, filter, chosen, leadId, columns, ...rest } = decodeCursor(text);
  const matches =
    v === CURSOR_VERSION &&
    kind === query.kind &&
    formId === query.formId &&
    filter === filterMark(query.filter);
  if (!matches || Object.keys(rest).length > 0) throw new InvalidCursor();
  if (chosen !== (query.chosen && markOf(query.chosen))) throw new InvalidCursor();
  if (typeof leadId !== 'string' || !isLeadId(leadId)) throw new InvalidCursor();
  if (kind !== 'csv' || query.chosen) {
    if (columns !== undefined) throw new InvalidCursor();
    return { leadId };
  }
  if (!areColumns(columns)) throw new InvalidCursor();
  return { leadId, columns };
}

/** `mark` stands for everything that was asked for; `leadId` is the last lead of the page before. */
export function encodeListCursor(mark: string, leadId: string): string {
  return encodeCursor({ v: CURSOR_VERSION, kind: 'list', mark, leadId });
}

export function decodeListCursor(text: string, expectedMark: string): string {
  const { v, kind, mark, leadId, ...rest } = decodeCursor(text);
  const matches =
    v === CURSOR_VERSION && kind === 'list' && mark === expectedMark && Object.keys(rest).length === 0;
  if (!matches || typeof leadId !== 'string' || !isLeadId(leadId)) throw new InvalidCursor();
  return leadId;
}

/** The same for a list by score. */
export function encodeScoreCursor(mark: string, { score, leadId }: ScorePosition): string {
  return encodeCursor({ v: CURSOR_VERSION, kind: 'scores', mark, score, leadId });
}

export function decodeScoreCursor(text: string, expectedMark: string): ScorePosition {
  const { v, kind, mark, score, leadId, ...rest } = decodeCursor(text);
  const matches = v === CURSOR_VERSION && kind === 'scores' && mark === expectedMark;
  if (!matches || Object.keys(rest).length > 0) throw new InvalidCursor();
  if (typeof score !== 'number' || typeof leadId !== 'string' || !isLeadId(leadId)) throw new InvalidCursor();
  return { score, leadId };
}

/** `askedAt` is when the erasure was first asked for, in milliseconds. */
export function encodeErasureCursor(mark: string, askedAt: number): string {
  return encodeCursor({ v: CURSOR_VERSION, kind: 'erasure', mark, askedAt });
}

export function decodeErasureCursor(text: string, expectedMark: string): number {
  const { v, kind, mark, askedAt, ...rest } = decodeCursor(text);
  const matches = v === CURSOR_VERSION && kind === 'erasure' && mark === expectedMark;
  if (!matches || Object.keys(rest).length > 0 || typeof askedAt !== 'number') throw new InvalidCursor();
  return askedAt;
}

function areColumns(columns: unknown): columns is string[] {
  return (
    Array.isArray(columns) &&
    columns.length <= MAX_COLUMNS &&
    columns.every((name) => typeof name === 'string' && name.length <= MAX_COLUMN_NAME_LENGTH) &&
    new Set(columns).size === columns.length
  );
}
