import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { backwardsQuery, type StoreContext } from '../aws/dynamodb.ts';
import type { AnySurface } from '../model/limits.ts';
import type { Reason } from '../model/reasons.ts';
import { minuteOf } from '../model/time-buckets.ts';
import { decodeEventCursor, encodeEventCursor } from '../owner-api/cursor.ts';
import { EVENT_POOLS, EVENT_PREFIX, EVENT_SLOTS_PER_MINUTE, REUSED_KEY_PREFIX } from './diagnostics-items.ts';
import { type EventPage, RETENTION_SECONDS, type RejectionEvent } from './rejection-record.ts';

/** A missing property matches everything. */
export interface EventFilter {
  readonly surface?: AnySurface | undefined;
  /** `null` for what belongs to no form. */
  readonly formId?: string | null | undefined;
  readonly reason?: Reason | undefined;
  /** Idempotency keys that came with another body, instead of rejections. */
  readonly reusedKeys?: boolean | undefined;
}

export interface EventsRequest extends EventFilter {
  readonly workspaceId: string;
  readonly limit?: number;
  readonly cursor?: string | undefined;
}

interface EventsContext extends StoreContext<'diagnostics'> {
  readonly now: () => number;
}

type Item = Record<string, unknown> & { readonly sk: string };

const MAX_EVENTS = 100;
/** Events that do not match must be read too. After this many calls, the client has to ask again. */
const MAX_CALLS = 4;
const LOOKED_AT_PER_CALL = 1_000;
const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;

/** Newest first, in whole minutes, so that a page may hold up to 39 more than asked for. Throws InvalidCursor. */
export function makeRejectionEvents({ client, tables, now }: EventsContext) {
  const liveAtSeconds = () => Math.floor(now() / 1000);
  const oldestKept = () => Math.max(0, now() - RETENTION_SECONDS * 1000);

  /** Newest first, until there are enough. `cutIn` is the minute in which reading stopped, if it did not end. */
  async function look(request: EventsRequest, before: number, enough: number, signal: AbortSignal) {
    const { workspaceId } = request;
    const prefix = request.reusedKeys ? REUSED_KEY_PREFIX : EVENT_PREFIX;
    const keys = [`${prefix}#${minuteOf(oldestKept())}`, `${prefix}#${minuteOf(before - 1)}$`] as const;
    const query = backwardsQuery({
      table: tables.diagnostics,
      workspaceId,
      keys,
      liveAtSeconds: liveAtSeconds(),
    });
    const filter = filterOf(request);
    const found: Item[] = [];
    let startKey: Record<string, unknown> | undefined;
    for (let calls = 0; calls < MAX_CALLS; calls += 1) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          ...query,
          FilterExpression: [query.FilterExpression, ...filter.conditions].join(' AND '),
          ...(filter.conditions.length > 0 && { ExpressionAttributeNames: filter.names }),
          ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ...filter.values },
          Limit: filter.conditions.length > 0 ? LOOKED_AT_PER_CALL : enough,
          ExclusiveStartKey: startKey,
        }),
        { abortSignal: signal },
      );
      found.push(...(Items as Item[]));
      startKey = LastEvaluatedKey;
      if (!startKey) return { found, cutIn: undefined };
      if (found.length >= enough) break;
    }
    return { found, cutIn: minuteOfKey(String(startKey?.sk)) };
  }

  async function events(request: EventsRequest, signal: AbortSignal): Promise<EventPage> {
    const { limit = MAX_EVENTS, cursor } = request;
    // A clock ahead of ours by an hour must not hide the newest events.
    const before = cursor === undefined ? now() + HOUR_MS : Date.parse(decodeEventCursor(cursor));
    if (!(before > oldestKept())) return { events: [] };
    const wanted = Math.min(MAX_EVENTS, Math.max(1, Math.floor(limit)));
    // Two pools and several shards fill a minute: it is given whole, and put in order.
    const { found, cutIn } = await look(
      request,
      before,
      wanted + EVENT_POOLS * EVENT_SLOTS_PER_MINUTE,
      signal,
    );
    const whole = found.filter(({ sk }) => cutIn === undefined || minuteOfKey(sk) > cutIn);
    const lastMinute = minuteOfKey(whole[wanted - 1]?.sk ?? '');
    const given = whole.filter(({ sk }, index) => index < wanted || minuteOfKey(sk) === lastMinute);
    const newestFirst = given.map(toEvent).sort((a, b) => b.at.localeCompare(a.at));
    const goOnBefore = given.length < whole.length ? lastMinute : cutIn && minuteAfter(cutIn);
    if (goOnBefore === undefined) return { events: newestFirst };
    return {
      events: newestFirst,
      cursor: encodeEventCursor(goOnBefore),
      lookedBackTo: goOnBefore.replace('Z', ':00Z'),
    };
  }

  return events;
}

function filterOf({ surface, formId, reason }: EventFilter) {
  const asked = Object.entries({ surface, formId, reason }).filter(([, value]) => value !== undefined);
  return {
    conditions: asked.map(([name, value]) =>
      value === null ? `attribute_not_exists(#${name})` : `#${name} = :${name}`,
    ),
    names: Object.fromEntries(asked.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(
      asked.flatMap(([name, value]) => (value === null ? [] : [[`:${name}`, value]])),
    ),
  };
}

function minuteOfKey(sk: string): string {
  return sk.split('#')[1] ?? '';
}

function minuteAfter(minute: string): string {
  return minuteOf(Date.parse(minute) + MINUTE_MS);
}

type StoredEvent = RejectionEvent & Record<'workspaceId' | 'sk' | 'suffix' | 'expiresAt' | 'v', unknown>;

function toEvent(item: Record<string, unknown>): RejectionEvent {
  const { workspaceId: _w, sk: _sk, suffix: _suffix, expiresAt: _e, v: _v, ...event } = item as StoredEvent;
  return event;
}
