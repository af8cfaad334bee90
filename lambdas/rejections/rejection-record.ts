import { itemBytes } from '../model/lead-item.ts';
import type { AnySurface } from '../model/limits.ts';
import type { RecordedReason, RejectionDetail } from '../model/reasons.ts';
import type { StreamRecord } from '../model/stream-record.ts';

/** What happened to a request that an owner should know about. */
export interface RejectedSubmission {
  readonly atMilliseconds: number;
  readonly requestId: string;
  /** Set by API Gateway. The client can choose the other request ID. */
  readonly extendedRequestId?: string | undefined;
  readonly surface: AnySurface;
  readonly formId?: string | undefined;
  readonly reason: RecordedReason;
  readonly detail: RejectionDetail;
  /** Kept in Rejections and Diagnostics, and nowhere else. */
  readonly sourceAddress?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly bodyBytes: number;
  readonly bodySha256?: string | undefined;
  readonly keyNames?: readonly string[] | undefined;
}

export interface RejectionEvent extends Omit<RejectedSubmission, 'atMilliseconds'> {
  readonly at: string;
  /** Whether the sender was authenticated. */
  readonly authenticated: boolean;
}

export interface EventPage {
  readonly events: readonly RejectionEvent[];
  /** Where the next page begins. Even an empty page may have one: only so much is read per request. */
  readonly cursor?: string;
  /** All matching events since then are in the page. Set together with `cursor`. */
  readonly lookedBackTo?: string;
}

/** The workspaces that a rejection belongs to: none for an unknown token or slug, several for an ambiguous slug. */
export interface RejectionOwner {
  readonly workspaceIds: readonly string[];
  readonly authenticated: boolean;
}

/** An item of `Rejections` or `UnauthenticatedRejections`. The same attributes for every cause. */
export interface RejectionRecord {
  readonly requestId: string;
  readonly sk: string;
  readonly extendedRequestId: string | null;
  readonly at: string;
  readonly surface: AnySurface;
  readonly formId: string | null;
  readonly reason: RecordedReason;
  readonly detail: RejectionDetail;
  readonly sourceAddress: string | null;
  readonly userAgent: string | null;
  readonly bodyBytes: number;
  readonly bodySha256: string | null;
  readonly keyNames: readonly string[] | null;
  /** The workspaces of an ambiguous slug. */
  readonly sharedBy: readonly string[] | null;
  readonly authenticated: boolean;
  readonly expiresAt: number;
  readonly v: number;
}

const NOBODY = 'none';
const DAY_SECONDS = 24 * 60 * 60;
export const RETENTION_SECONDS = 30 * DAY_SECONDS;
const UNAUTHENTICATED_RETENTION_SECONDS = DAY_SECONDS;

/** One write unit, with room for the keys that the same data has as an event in Diagnostics. */
const MAX_BYTES = 950;
const MAX_USER_AGENT_BYTES = 200;
const MAX_KEY_NAME_BYTES = 100;
/** Only imported data makes a slug ambiguous, and a few workspaces are enough to find out. */
const MAX_WORKSPACES = 8;

/** `suffix` keeps apart the requests of clients that all chose the same request id. */
export function rejectionRecord(
  rejected: RejectedSubmission,
  { workspaceIds, authenticated }: RejectionOwner,
  suffix: string,
): RejectionRecord {
  const { atMilliseconds, requestId, userAgent, keyNames } = rejected;
  const retention = authenticated ? RETENTION_SECONDS : UNAUTHENTICATED_RETENTION_SECONDS;
  const record = {
    requestId,
    sk: `${workspaceIds.length === 1 ? workspaceIds[0] : NOBODY}#${suffix}`,
    extendedRequestId: rejected.extendedRequestId ?? null,
    at: new Date(atMilliseconds).toISOString(),
    surface: rejected.surface,
    formId: rejected.formId ?? null,
    reason: rejected.reason,
    detail: rejected.detail,
    sourceAddress: rejected.sourceAddress ?? null,
    userAgent: null,
    bodyBytes: rejected.bodyBytes,
    bodySha256: rejected.bodySha256 ?? null,
    keyNames: null,
    sharedBy: workspaceIds.length > 1 ? workspaceIds.slice(0, MAX_WORKSPACES) : null,
    authenticated,
    expiresAt: Math.floor(atMilliseconds / 1000) + retention,
    v: 1,
  };
  const room = MAX_BYTES - itemBytes(record);
  const agent = userAgent && cut(userAgent, Math.min(room, MAX_USER_AGENT_BYTES));
  const names = keyNames && fitting(keyNames, room - Buffer.byteLength(agent ?? ''));
  return { ...record, userAgent: agent ?? null, keyNames: names ?? null };
}

/** The beginning of a text, in so many bytes of UTF-8. A character that was cut through is left out. */
function cut(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  if (whole.length <= bytes) return text;
  const kept = whole.subarray(0, Math.max(0, bytes)).toString();
  return kept.replace(/\uFFFD$/, '');
}

function fitting(names: readonly string[], room: number): string[] {
  const kept: string[] = [];
  let left = room - 3;
  for (const name of names) {
    const short = cut(name, MAX_KEY_NAME_BYTES);
    left -= Buffer.byteLength(short) + 1;
    if (left < 0) break;
    kept.push(short);
  }
  return kept;
}

/** The prefix of the sort keys of a workspace's records, or of those that belong to none or to several. */
export function recordPrefix(workspaceId: string | undefined): string {
  return `${workspaceId ?? NOBODY}#`;
}

type WithoutNulls<Facts> = {
  [Name in keyof Facts]: Exclude<Facts[Name], null> | (null extends Facts[Name] ? undefined : never);
};

/** For readers: unknown values are left out. */
export function withoutNulls<Facts extends object>(facts: Facts): WithoutNulls<Facts> {
  const known = Object.entries(facts).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as WithoutNulls<Facts>;
}

/** Undefined if the rejection belongs to no workspace, or to several. */
export function ownerOf({ sk }: Pick<RejectionRecord, 'sk'>): string | undefined {
  const owner = sk.slice(0, sk.lastIndexOf('#'));
  return owner === NOBODY ? undefined : owner;
}

/** A record in the order of its shard. */
export interface StreamedRejection {
  readonly sequenceNumber: bigint;
  readonly record: RejectionRecord;
}

/** In DynamoDB's own JSON. */
type StreamValue = Readonly<Record<string, unknown>>;

/**
 * Undefined for deletions, changes (repeating a write is not one), and incomplete items that somebody put there by
 * hand. A stream is read in order, so an unreadable item must not block the rest.
 */
export function readNewRejection({ eventName, dynamodb }: StreamRecord): StreamedRejection | undefined {
  const { NewImage: image, SequenceNumber: sequenceNumber } = dynamodb ?? {};
  if (eventName === 'MODIFY' || !image || !sequenceNumber || !/^\d+$/.test(sequenceNumber)) return undefined;
  const item = plain({ M: image }) as Partial<RejectionRecord>;
  const complete =
    [item.requestId, item.sk, item.surface, item.reason].every(isText) &&
    !Number.isNaN(Date.parse(item.at ?? '')) &&
    typeof item.authenticated === 'boolean';
  if (!complete) return undefined;
  // DynamoDB Local leaves the type of an empty map out.
  const record = { ...(item as RejectionRecord), detail: item.detail ?? {} };
  return { sequenceNumber: BigInt(sequenceNumber), record };
}

const isText = (value: unknown) => typeof value === 'string' && value !== '';

function plain(value: StreamValue): unknown {
  const [[type, inner] = ['NULL', true]] = Object.entries(value);
  if (type === 'N') return Number(inner);
  if (type === 'NULL') return null;
  if (type === 'L') return (inner as StreamValue[]).map(plain);
  if (type === 'M') {
    const entries = Object.entries(inner as Record<string, StreamValue>);
    return Object.fromEntries(entries.map(([name, each]) => [name, plain(each)]));
  }
  return inner;
}
