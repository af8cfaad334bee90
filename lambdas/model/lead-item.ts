import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Followed } from './handling.ts';
import type { LeadRoles } from './lead-fields.ts';
import { type AnySurface, wholeSeconds } from './limits.ts';
import type { Review, SenderStatus } from './senders.ts';
import type { StreamRecord } from './stream-record.ts';

/** One named finding and what it adds to the score, so that an owner sees why a lead scored as it did. */
export interface Signal {
  readonly name: string;
  readonly weight: number;
  /** The words that say so, if it is the text model's. */
  readonly words?: readonly string[];
}

export type Grade = 'A' | 'B' | 'C' | 'D';

export interface Score {
  /** 0 to 100: how many of a hundred such leads are good, where half of all are. */
  readonly score: number;
  readonly grade: Grade;
  /** Fit for enrichment: reachable, and not spam. */
  readonly clean: boolean;
  readonly signals: readonly Signal[];
  /** Present if the form's configured roles made a difference, for enrichment to use. */
  readonly roles?: LeadRoles;
}

/** A score as it is stored: the list may have overridden `clean`. */
export interface ListedScore extends Score {
  /** Present if the sender was on the workspace's list when the lead was received. */
  readonly sender?: SenderStatus;
  /** What scoring said. Present where `clean` may be something else. */
  readonly scoredClean?: boolean;
}

export interface Lead extends ListedScore, Followed {
  readonly leadId: string;
  readonly workspaceId: string;
  readonly formId: string;
  readonly surface: AnySurface;
  readonly receivedAt: string;
  /** The body's text exactly as sent. Not a DynamoDB map: numbers keep every digit and any nesting survives. */
  readonly body: string;
  /** JSON of flat fields, where a provider's payload was mapped to them. Read it with fieldsTextOf(). */
  readonly fields?: string;
  /** Present if the provider sent it in a test mode. The body of such a delivery stays as sent. */
  readonly test?: true;
  /** In seconds since 1970. Set if the form has a retention period. */
  readonly expiresAt?: number;
  /** Present if the owner has said that it is spam, or that it is not. */
  readonly review?: Review;
}

/** UUIDv7: 48 bits of milliseconds, then randomness, so that ids sort by time of arrival. */
export function makeLeadId(nowMilliseconds: number, random10: Uint8Array): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMilliseconds, 0, 6);
  bytes.set(random10, 6);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export type LeadItem = Readonly<Record<string, unknown>>;

const SCHEMA_VERSION = 1;

/**
 * Body, signals and fields go in as text, or compressed together whenever that saves a write unit. Fields repeat what is
 * in the body, so that compressed they are almost free.
 */
export function toLeadItem(lead: Lead): LeadItem {
  const { body, signals, fields, ...rest } = lead;
  const mapped = fields === undefined ? [] : [fields];
  const base = { ...rest, part: 'lead', v: SCHEMA_VERSION };
  const plain = { ...base, body, signals: JSON.stringify(signals), ...(fields !== undefined && { fields }) };
  const plainUnits = writeUnits(itemBytes(plain));
  if (plainUnits === 1) return plain;
  const packed = { ...base, packed: compress(JSON.stringify([body, signals, ...mapped])) };
  return writeUnits(itemBytes(packed)) < plainUnits ? packed : plain;
}

/** Throws if the item has a later version than this code knows: see docs/schema-versions.md. */
export function fromLeadItem(item: LeadItem): Lead {
  requireKnownVersion(item, SCHEMA_VERSION);
  const { packed, part: _part, v: _version, ...rest }: Record<string, unknown> = item;
  if (packed instanceof Uint8Array) {
    const unpacked = brotliDecompressSync(packed).toString('utf8');
    // Readers from before there were fields stop after the signals.
    const [body, signals, fields] = JSON.parse(unpacked) as [string, Signal[], string?];
    const mapped = fields !== undefined && { fields };
    return { ...(rest as Omit<Lead, 'body' | 'signals' | 'fields'>), body, signals, ...mapped };
  }
  return { ...rest, signals: JSON.parse(rest.signals as string) } as Lead;
}

/** One damaged item must not fail a whole list or export: it has an empty body, and can be erased. */
export function fromPerhapsDamagedItem(item: LeadItem): Lead {
  try {
    return fromLeadItem(item);
  } catch {
    const {
      packed: _packed,
      fields: _fields,
      part: _part,
      v: _version,
      ...rest
    }: Record<string, unknown> = item;
    return { ...(rest as Omit<Lead, 'body' | 'signals'>), body: '', signals: [] };
  }
}

// Quality 4 is where brotli's gain flattens while its cost is still a fraction of a millisecond for a typical body.
function compress(text: string): Buffer {
  return brotliCompressSync(text, {
    // Node takes as much memory for the result at once, and most leads are small: half the time for one of 1 KB.
    chunkSize: Math.max(64, Math.min(text.length, constants.Z_DEFAULT_CHUNK)),
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  });
}

/**
 * How long an owner may keep the leads of a form. At least one day: for 24 hours an idempotency key returns the id
 * of its lead, which must still exist.
 */
export const RETENTION_DAYS = { min: 1, max: 3_650 } as const;

const DAY_SECONDS = 24 * 60 * 60;

/** In seconds, as DynamoDB's TTL reads it. Rounded up: no lead is kept for less than was promised. */
export function leadExpiry(receivedAtMilliseconds: number, retentionDays: number): number {
  return Math.ceil(receivedAtMilliseconds / 1000) + retentionDays * DAY_SECONDS;
}

/** DynamoDB deletes up to days late: readers must treat an expired lead as deleted. */
export function hasExpired(
  { expiresAt }: { readonly expiresAt?: unknown },
  nowMilliseconds: number,
): boolean {
  return typeof expiresAt === 'number' && expiresAt <= wholeSeconds(nowMilliseconds);
}

/** The same time in ISO 8601, for API responses. */
export function keptUntil(expiresAt: number): string {
  return new Date(expiresAt * 1000).toISOString();
}

/** An item that a later release wrote, in a way that this one does not know. */
export class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion';
}

/** An item without a version was put there by hand, and is read as it is. */
export function requireKnownVersion({ v }: { readonly v?: unknown }, newestKnown: number): void {
  if (typeof v === 'number' && v > newestKnown) {
    throw new UnknownVersion(`an item of version ${v}, and this release knows ${newestKnown}`);
  }
}

/** A lead as read from the stream: enough to relay and count it, without its body. */
export interface StreamedLead {
  readonly leadId: string;
  readonly workspaceId: string;
  readonly formId: string;
  readonly surface?: AnySurface | undefined;
  readonly receivedAt: string;
  readonly score: number;
  readonly clean: boolean;
}

/**
 * Undefined for everything but a new lead: enrichments, deletions, changes, and incomplete items that somebody put
 * there by hand. A stream is read in order, so an unreadable item must not block the rest.
 */
export function readNewLead({ eventName, dynamodb }: StreamRecord): StreamedLead | undefined {
  const image = dynamodb?.NewImage;
  if (eventName !== 'INSERT' || image?.part?.S !== 'lead') return undefined;
  const lead = {
    leadId: image.leadId?.S,
    workspaceId: image.workspaceId?.S,
    formId: image.formId?.S,
    receivedAt: image.receivedAt?.S,
    score: Number(image.score?.N),
    clean: image.clean?.BOOL,
  };
  const complete = Object.values(lead).every((value) => value !== undefined) && Number.isFinite(lead.score);
  return complete ? ({ ...lead, surface: image.surface?.S } as StreamedLead) : undefined;
}

/**
 * DynamoDB's rules for the size of an item: names and strings as UTF-8, numbers by significant digits, binary as it is,
 * 3 bytes per list or map plus 1 per element.
 */
export function itemBytes(item: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) bytes += Buffer.byteLength(name) + valueBytes(value);
  return bytes;
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + valueBytes(each), 3);
  if (typeof value === 'object' && value !== null) {
    return 3 + itemBytes(value as Record<string, unknown>) + Object.keys(value).length;
  }
  return 1;
}

function numberBytes(value: number): number {
  const digits = Math.abs(value)
    .toString()
    .replace(/e.*$/, '')
    .replace('.', '')
    .replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1 + (value < 0 ? 1 : 0);
}

export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}

const LEAD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isLeadId(text: string): boolean {
  return LEAD_ID.test(text);
}
