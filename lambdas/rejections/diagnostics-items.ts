import { isRateLimit, KEY_REUSED, type RecordedReason } from '../model/reasons.ts';
import { hourOf, minuteOf } from '../model/time-buckets.ts';
import { ownerOf, RETENTION_SECONDS, type RejectionRecord, withoutNulls } from './rejection-record.ts';

/** For each workspace, once for authenticated requests and once for all others. */
export const EVENT_SLOTS_PER_MINUTE = 20;
export const EVENT_POOLS = 2;
/** Of the sort keys of recent rejections, and of idempotency keys that came with another body. */
export const EVENT_PREFIX = 'event';
export const REUSED_KEY_PREFIX = 'reused';
/** The partition of rejections without a workspace. */
export const UNATTRIBUTED_PARTITION = 'unattributed';
/** Shards of a stream that count at the same moment would collide on one item. */
const LANES = 4;
const SCHEMA_VERSION = 2;

export type RejectionKind = 'rejected' | 'limited';

type Counted = Pick<RejectionRecord, 'at' | 'surface' | 'formId' | 'reason' | 'authenticated'>;

function kindOf(reason: RecordedReason): RejectionKind {
  return reason !== KEY_REUSED && isRateLimit(reason) ? 'limited' : 'rejected';
}

/** The partitions of Diagnostics in which a record counts. */
export function partitionsOf(record: Pick<RejectionRecord, 'sk' | 'sharedBy'>): readonly string[] {
  return record.sharedBy ?? [ownerOf(record) ?? UNATTRIBUTED_PARTITION];
}

/**
 * One item per hour, with a counter for each minute: a month is 720 items to read, not 43,200. Rate-limit rejections
 * have a prefix of their own, so that either kind is one query over a time range.
 */
export function counterKey(workspaceId: string, record: Counted, lane: number) {
  const { at, surface, formId, reason, authenticated } = record;
  const name = [kindOf(reason), hourOf(Date.parse(at)), surface, formId ?? '-', reason];
  return { workspaceId, sk: `${name.join('#')}#${eventPool(authenticated)}${lane}` };
}

export interface CounterFacts {
  readonly kind: string;
  /** `2026-11-15T12Z` */
  readonly hour: string;
  readonly surface: string;
  readonly formId: string | undefined;
  readonly reason: string;
  readonly authenticated: boolean;
}

/** The opposite of `counterKey`. */
export function readCounterKey(sk: string): CounterFacts {
  const [kind = '', hour = '', surface = '', ...rest] = sk.split('#');
  const pool = rest.pop() ?? '';
  const reason = rest.pop() ?? '';
  const formId = rest.join('#');
  return {
    kind,
    hour,
    surface,
    reason,
    formId: formId === '-' ? undefined : formId,
    authenticated: pool.startsWith(eventPool(true)),
  };
}

/** The counter of a minute in its hour's item. */
export function counterName(at: string): string {
  return `m${at.slice(14, 16)}`;
}

const COUNTER_NAME = /^m([0-5]\d)$/;

/** The counters in an item: at which minute of its hour, and how many. An event has none. */
export function countersOf(item: Readonly<Record<string, unknown>>): { minute: number; count: number }[] {
  return Object.entries(item).flatMap(([name, count]) => {
    const minute = COUNTER_NAME.exec(name)?.[1];
    return minute === undefined ? [] : { minute: Number(minute), count: Number(count) };
  });
}

export function laneOf(shardId: string): number {
  return hashOf(shardId) % LANES;
}

/**
 * In this slot of its minute: the recorder fills them in order. Undefined if an owner would see a request that was
 * perhaps meant for another.
 */
export function eventItem(record: RejectionRecord, slot = 0) {
  if (record.sharedBy) return undefined;
  const { sk, v: _v, expiresAt: _expiresAt, sharedBy: _sharedBy, ...facts } = record;
  const { at, reason, authenticated } = facts;
  const minute = minuteOf(Date.parse(at));
  return {
    ...withoutNulls(facts),
    // Clients can send many requests with the same id.
    suffix: sk.slice(sk.lastIndexOf('#') + 1),
    workspaceId: ownerOf(record) ?? UNATTRIBUTED_PARTITION,
    sk: `${reason === KEY_REUSED ? REUSED_KEY_PREFIX : EVENT_PREFIX}#${minute}#${eventPool(authenticated)}${String(slot).padStart(2, '0')}`,
    expiresAt: retentionEnd(at),
    v: SCHEMA_VERSION,
  };
}

export function retentionEnd(at: string): number {
  return Math.floor(Date.parse(at) / 1000) + RETENTION_SECONDS;
}

function eventPool(authenticated: boolean): 'a' | 'u' {
  return authenticated ? 'a' : 'u';
}

/** FNV-1a: spreads evenly, and is the same in every process. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash;
}
