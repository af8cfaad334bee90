import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { isLeadId } from '../model/lead-item.ts';
import { InvalidCursor } from './errors.ts';

export const CURSOR_VERSION = 1;
/** API Gateway takes 10,240 bytes of request line and headers, and the owner's token is among them. */
const MAX_CURSOR_LENGTH = 8_000;
/** No cursor may unpack to more than our own could. */
const MAX_PAYLOAD = 65_536;

const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/;

/** Pages of events end at whole minutes, so a cursor contains only a minute. */
export function encodeEventCursor(beforeMinute: string): string {
  return encodeCursor({ v: CURSOR_VERSION, kind: 'events', beforeMinute });
}

export function decodeEventCursor(text: string): string {
  const { v, kind, beforeMinute, ...rest } = decodeCursor(text);
  const known = v === CURSOR_VERSION && kind === 'events' && Object.keys(rest).length === 0;
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
  return encodeCursor({ v: CURSOR_VERSION, kind: 'messages', destinationId, status, before });
}

export function decodeMessageCursor(text: string, { destinationId, status }: MessageList): string {
  const { v, kind, destinationId: ownDestination, status: ownStatus, before, ...rest } = decodeCursor(text);
  const matches = v === CURSOR_VERSION && kind === 'messages' && Object.keys(rest).length === 0;
  if (!matches || ownDestination !== destinationId || ownStatus !== status) throw new InvalidCursor();
  const [, leadId = ''] = MESSAGE_POSITION.exec(typeof before === 'string' ? before : '') ?? [];
  if (!isLeadId(leadId)) throw new InvalidCursor();
  return before as string;
}

/** `before` is the id of the last alert that was given. */
export function encodeAlertCursor(before: string): string {
  return encodeCursor({ v: CURSOR_VERSION, kind: 'alerts', before });
}

export function decodeAlertCursor(text: string): string {
  const { v, kind, before, ...rest } = decodeCursor(text);
  const known = v === CURSOR_VERSION && kind === 'alerts' && Object.keys(rest).length === 0;
  if (!known || typeof before !== 'string' || !isLeadId(before)) throw new InvalidCursor();
  return before;
}

/** `before` is the id of the last entry of the activity log that was given. */
export function encodeActivityCursor(before: string): string {
  return encodeCursor({ v: CURSOR_VERSION, kind: 'activity', before });
}

export function decodeActivityCursor(text: string): string {
  const { v, kind, before, ...rest } = decodeCursor(text);
  const known = v === CURSOR_VERSION && kind === 'activity' && Object.keys(rest).length === 0;
  if (!known || typeof before !== 'string' || !isLeadId(before)) throw new InvalidCursor();
  return before;
}

export function encodeCursor(payload: Readonly<Record<string, unknown>>): string {
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    // The best quality, 11, takes a hundred times as long for a few bytes less.
    [constants.BROTLI_PARAM_QUALITY]: 5,
  };
  return brotliCompressSync(JSON.stringify(payload), { params }).toString('base64url');
}

export function decodeCursor(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MAX_CURSOR_LENGTH || !/^[\w-]+$/.test(text)) throw new InvalidCursor();
  let payload: unknown;
  try {
    const packed = Buffer.from(text, 'base64url');
    payload = JSON.parse(brotliDecompressSync(packed, { maxOutputLength: MAX_PAYLOAD }).toString('utf8'));
  } catch {
    throw new InvalidCursor();
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw new InvalidCursor();
  return payload as Record<string, unknown>;
}
