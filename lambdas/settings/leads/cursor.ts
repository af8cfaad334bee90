import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { filterMark, isLeadId, type LeadFilter, markOf } from './lead-filter.ts';

export type RequestProblem = 'invalid_cursor' | 'invalid_range' | 'invalid_columns';

/** The request cannot be answered, whatever is stored. The message is shown to the caller. */
export class InvalidRequest extends Error {
  readonly code: RequestProblem;

  constructor(code: RequestProblem, message: string) {
    super(message);
    this.name = 'InvalidRequest';
    this.code = code;
  }
}

/** Does not say what is wrong: clients cannot fix a cursor. */
export class InvalidCursor extends InvalidRequest {
  constructor() {
    super('invalid_cursor', 'The cursor does not belong to this request. Start again without one.');
    this.name = 'InvalidCursor';
  }
}

export class InvalidRange extends InvalidRequest {
  constructor(message: string) {
    super('invalid_range', message);
    this.name = 'InvalidRange';
  }
}

const VERSION = 1;
/** API Gateway takes 10,240 bytes of request line and headers, and the owner's token is among them. */
const LONGEST_CURSOR = 8_000;
/** No cursor may unpack to more than our own could. */
const LARGEST_PAYLOAD = 65_536;

export const MAX_COLUMNS = 200;
export const LONGEST_COLUMN_NAME = 200;

/** What one page and the next must have in common. The workspace is never part of a cursor: it comes from the session. */
export interface LeadQuery {
  readonly kind: 'leads' | 'csv' | 'ndjson';
  readonly formId: string;
  readonly filter: LeadFilter;
  /** The columns that the owner chose. A cursor has only their mark, since every request has the names. */
  readonly chosen?: readonly string[] | undefined;
}

export interface LeadPosition {
  /** Everything up to and including this lead has been given. */
  readonly leadId: string;
  /** The keys that the first page of a CSV export settled for all of its pages, unless the owner chose the columns. */
  readonly columns?: readonly string[] | undefined;
}

export function encodeLeadCursor(query: LeadQuery, position: LeadPosition): string {
  const { kind, formId, filter, chosen } = query;
  const { leadId, columns } = position;
  return encode({
    v: VERSION,
    kind,
    formId,
    filter: filterMark(filter),
    leadId,
    ...(chosen && { chosen: markOf(chosen) }),
    ...(columns && { columns }),
  });
}

export function decodeLeadCursor(text: string, query: LeadQuery): LeadPosition {
  const { v, kind, formId, filter, chosen, leadId, columns, ...rest } = decode(text);
  const matches =
    v === VERSION && kind === query.kind && formId === query.formId && filter === filterMark(query.filter);
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

const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/;

/** Pages of events end at whole minutes, so a cursor contains only a minute. */
export function encodeEventCursor(beforeMinute: string): string {
  return encode({ v: VERSION, kind: 'events', beforeMinute });
}

export function decodeEventCursor(text: string): string {
  const { v, kind, beforeMinute, ...rest } = decode(text);
  const known = v === VERSION && kind === 'events' && Object.keys(rest).length === 0;
  if (!known || typeof beforeMinute !== 'string' || !MINUTE.test(beforeMinute)) throw new InvalidCursor();
  return beforeMinute;
}

/** Which messages are listed. The destination is the workspace's own. */
export interface MessageList {
  readonly destinationId: string;
  readonly status: string | undefined;
}

const MESSAGE_POSITION = /^([0-9a-f-]{36})#[a-z.]{1,40}$/;

/** `before` is the sort key of the last message that was given. */
export function encodeMessageCursor({ destinationId, status }: MessageList, before: string): string {
  return encode({ v: VERSION, kind: 'messages', destinationId, status, before });
}

export function decodeMessageCursor(text: string, { destinationId, status }: MessageList): string {
  const { v, kind, destinationId: ownDestination, status: ownStatus, before, ...rest } = decode(text);
  const matches = v === VERSION && kind === 'messages' && Object.keys(rest).length === 0;
  if (!matches || ownDestination !== destinationId || ownStatus !== status) throw new InvalidCursor();
  const [, leadId = ''] = MESSAGE_POSITION.exec(typeof before === 'string' ? before : '') ?? [];
  if (!isLeadId(leadId)) throw new InvalidCursor();
  return before as string;
}

/** `before` is the id of the last alert that was given. */
export function encodeAlertCursor(before: string): string {
  return encode({ v: VERSION, kind: 'alerts', before });
}

export function decodeAlertCursor(text: string): string {
  const { v, kind, before, ...rest } = decode(text);
  const known = v === VERSION && kind === 'alerts' && Object.keys(rest).length === 0;
  if (!known || typeof before !== 'string' || !isLeadId(before)) throw new InvalidCursor();
  return before;
}

/** `before` is the id of the last entry of the activity log that was given. */
export function encodeActivityCursor(before: string): string {
  return encode({ v: VERSION, kind: 'activity', before });
}

export function decodeActivityCursor(text: string): string {
  const { v, kind, before, ...rest } = decode(text);
  const known = v === VERSION && kind === 'activity' && Object.keys(rest).length === 0;
  if (!known || typeof before !== 'string' || !isLeadId(before)) throw new InvalidCursor();
  return before;
}

function encode(payload: Readonly<Record<string, unknown>>): string {
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    // The best quality, 11, takes a hundred times as long for a few bytes less.
    [constants.BROTLI_PARAM_QUALITY]: 5,
  };
  return brotliCompressSync(JSON.stringify(payload), { params }).toString('base64url');
}

function decode(text: string): Readonly<Record<string, unknown>> {
  if (text.length > LONGEST_CURSOR || !/^[\w-]+$/.test(text)) throw new InvalidCursor();
  let payload: unknown;
  try {
    const packed = Buffer.from(text, 'base64url');
    payload = JSON.parse(brotliDecompressSync(packed, { maxOutputLength: LARGEST_PAYLOAD }).toString('utf8'));
  } catch {
    throw new InvalidCursor();
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw new InvalidCursor();
  return payload as Record<string, unknown>;
}

function areColumns(columns: unknown): columns is string[] {
  return (
    Array.isArray(columns) &&
    columns.length <= MAX_COLUMNS &&
    columns.every((name) => typeof name === 'string' && name.length <= LONGEST_COLUMN_NAME) &&
    new Set(columns).size === columns.length
  );
}
