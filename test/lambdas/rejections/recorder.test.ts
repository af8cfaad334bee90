import { randomUUID } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import type { StreamRecord } from '#model/stream-record.ts';
import { countersOf } from '#rejections/diagnostics-items.ts';
import { MAX_EVENTS_PER_HOUR } from '#rejections/event-budget-store.ts';
import { makeRecorder, recorderStores } from '#rejections/recorder/handler.ts';
import { type RejectedSubmission, rejectionRecord } from '#rejections/rejection-record.ts';
import { localStack } from '../../local-stack.ts';
import { itemsOf as storedItemsOf } from '../../stored-items.ts';
import { beginOffboarding, newShard, newWorkspace as putNewWorkspace } from '../stats/stream-records.ts';

const AT = Date.parse('2026-11-15T12:34:56.789Z');
const HOUR_START = Date.parse('2026-11-15T12:00:00Z');
const { tables, newClient } = localStack();
const rawClient = newClient();
const calls = recordCalls(rawClient);
const client = toDocumentClient(rawClient);

/** A function in a new environment: its memory is empty. */
function newRecorder() {
  const stores = recorderStores({ client, tables });
  return makeRecorder({ ...stores, log: { write: () => undefined }, now: () => AT + 1_000 });
}

let sequence = 0;

function recordOf(
  workspaceIds: readonly string[],
  rest: Partial<RejectedSubmission> = {},
  authenticated = true,
): StreamRecord {
  sequence += 1;
  const rejected = {
    atMilliseconds: AT,
    requestId: randomUUID(),
    surface: '1a',
    formId: 'form_1',
    reason: 'body_not_object',
    detail: { type: 'array' },
    bodyBytes: 2,
    sourceAddress: '192.0.2.1',
    ...rest,
  } as RejectedSubmission;
  const record = rejectionRecord(rejected, { workspaceIds, authenticated }, String(sequence));
  const NewImage = Object.fromEntries(
    Object.entries(marshall(record)).map(([name, value]) => [name, { ...value }]),
  );
  return { dynamodb: { SequenceNumber: String(sequence).padStart(21, '0'), NewImage } };
}

const itemsOf = (workspaceId: string) => storedItemsOf(client, tables.diagnostics, { workspaceId });

async function countOf(workspaceId: string): Promise<number> {
  const counters = (await itemsOf(workspaceId)).flatMap(countersOf);
  return counters.reduce((sum, { count }) => sum + count, 0);
}

const newWorkspace = () => putNewWorkspace({ client, tables });

describe('the recorder', () => {
  test('counts by minute, surface, form, reason and sender, one item per hour, for 30 days', async () => {
    const workspaceId = await newWorkspace();
    const later = { atMilliseconds: AT + 60_000 };
    const limited = { reason: 'rate_limited_day', surface: '1b' } as const;
    const records = [
      ...[recordOf([workspaceId]), recordOf([workspaceId]), recordOf([workspaceId], later)],
      recordOf([workspaceId], limited),
      recordOf([workspaceId], { reason: 'signature_mismatch' }, false),
    ];
    expect(await newRecorder()(newShard()(records))).toEqual({ state: {} });
    const counters = (await itemsOf(workspaceId)).filter((item) => countersOf(item).length > 0);
    const [limitedItem, own, stranger] = counters;
    expect(counters).toHaveLength(3);
    expect(limitedItem?.sk).toMatch(/^limited#2026-11-15T12Z#1b#form_1#rate_limited_day#a\d$/);
    expect(own?.sk).toMatch(/^rejected#2026-11-15T12Z#1a#form_1#body_not_object#a\d$/);
    expect(own).toMatchObject({
      m34: 2,
      m35: 1,
      latestAt: '2026-11-15T12:35:56.789Z',
      countedAt: '2026-11-15T12:34:57.789Z',
      expiresAt: Math.floor(AT / 1000) + 60 + 30 * 24 * 60 * 60,
    });
    expect(stranger?.sk).toMatch(/#signature_mismatch#u\d$/);
  });

  test('splits a batch that changes more counters than fit in a transaction', async () => {
    const workspaceId = await newWorkspace();
    const records = Array.from({ length: 250 }, (_, n) =>
      recordOf([workspaceId], { formId: `form_${n % 220}` }),
    );
    calls.reset();
    await newRecorder()(newShard()(records));
    expect(calls.commands().filter((command) => command === 'TransactWriteItems')).toHaveLength(3);
    expect(await countOf(workspaceId)).toBe(250);
  });

  const eventsOf = async (workspaceId: string, pool: 'a' | 'u') =>
    (await itemsOf(workspaceId)).filter(({ sk }) => String(sk).startsWith(`event#2026-11-15T12:34Z#${pool}`));

  test('keeps the first 20 events of a minute of authenticated senders, and the first 20 of others', async () => {
    const workspaceId = await newWorkspace();
    const own = Array.from({ length: 30 }, (_, n) => recordOf([workspaceId], { requestId: `own ${n}` }));
    const strangers = Array.from({ length: 10 }, () => recordOf([workspaceId], { requestId: 'same' }, false));
    await newRecorder()(newShard()([...own, ...strangers]));
    const kept = (await eventsOf(workspaceId, 'a')).map(({ requestId }) => requestId);
    expect(kept).toEqual(Array.from({ length: 20 }, (_, n) => `own ${n}`));
    expect(await eventsOf(workspaceId, 'u')).toHaveLength(10);
  });

  const allEvents = async (workspaceId: string) =>
    (await itemsOf(workspaceId)).filter(({ sk }) => String(sk).startsWith('event#'));

  /** Of one form and hour. */
  const providerAttempts = (workspaceId: string, perMinute: number) =>
    Array.from({ length: 60 * perMinute }, (_, n) => {
      const atMilliseconds = HOUR_START + Math.floor(n / perMinute) * 60_000;
      const facts = { atMilliseconds, surface: '1c', reason: 'signature_mismatch' } as const;
      return recordOf([workspaceId], facts, false);
    });

  test.each([
    // 40 in the first ten minutes, then one in each of the other 50.
    [4, 90],
    // 40 in the first two minutes: more than 100 are never kept.
    [20, 98],
  ])(
    'of a provider that repeats %i times per minute, keeps %i events of the hour, and counts all',
    async (perMinute, kept) => {
      const [workspaceId, event] = [await newWorkspace(), newShard()];
      const attempts = providerAttempts(workspaceId, perMinute);
      for (let from = 0; from < attempts.length; from += 100) {
        // A new environment remembers nothing: what was counted decides.
        await newRecorder()(event(attempts.slice(from, from + 100)));
      }
      const events = await allEvents(workspaceId);
      expect(events).toHaveLength(kept);
      expect(events.length).toBeLessThanOrEqual(MAX_EVENTS_PER_HOUR);
      expect(events.at(-1)?.at).toBe('2026-11-15T12:59:00.000Z');
      expect(await countOf(workspaceId)).toBe(60 * perMinute);
    },
  );

  test('a provider that repeats takes no events from other forms, surfaces and authenticated senders', async () => {
    const [workspaceId, event, record] = [await newWorkspace(), newShard(), newRecorder()];
    await record(event(providerAttempts(workspaceId, 2)));
    const before = (await allEvents(workspaceId)).length;
    const atMilliseconds = HOUR_START + 30 * 60_000;
    await record(
      event([
        recordOf([workspaceId], { atMilliseconds, surface: '1c' }, false),
        recordOf([workspaceId], { atMilliseconds, surface: '1c', formId: 'form_2' }, false),
        recordOf([workspaceId], { atMilliseconds, surface: '1c' }, true),
        recordOf([workspaceId], { atMilliseconds, surface: '1b' }, false),
      ]),
    );
    expect((await allEvents(workspaceId)).length - before).toBe(3);
  });

  test('counts an ambiguous slug in each workspace, without an event', async () => {
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    await newRecorder()(newShard()([recordOf([one, two], { reason: 'slug_ambiguous' }, false)]));
    for (const workspaceId of [one, two]) {
      expect(await countOf(workspaceId)).toBe(1);
      expect(await itemsOf(workspaceId)).toHaveLength(1);
    }
  });

  test('keeps the events of reused keys separate', async () => {
    const workspaceId = await newWorkspace();
    await newRecorder()(newShard()([recordOf([workspaceId], { reason: 'idempotency_key_reused' })]));
    const keys = (await itemsOf(workspaceId)).map(({ sk }) => String(sk).split('#')[0]);
    expect(keys).toEqual(['rejected', 'reused']);
  });

  test('skips deletions and incomplete items', async () => {
    const workspaceId = await newWorkspace();
    const { dynamodb } = recordOf([workspaceId]);
    const { reason: _, ...incomplete } = dynamodb?.NewImage ?? {};
    const records = [
      { dynamodb: { SequenceNumber: dynamodb?.SequenceNumber } },
      { dynamodb: { SequenceNumber: dynamodb?.SequenceNumber, NewImage: incomplete } },
      recordOf([workspaceId]),
    ];
    await newRecorder()(newShard()(records));
    expect(await countOf(workspaceId)).toBe(1);
  });

  test('accepts the last invocation of a window, which has no records, and rejects records without a shard', async () => {
    const record = newRecorder();
    calls.reset();
    expect(await record({ Records: [] })).toEqual({ state: {} });
    expect(await record({})).toEqual({ state: {} });
    expect(calls.commands()).toEqual([]);
    await expect(record({ Records: [recordOf([await newWorkspace()])] })).rejects.toThrow(/tumbling window/);
  });

  test('writes nothing for a workspace that is being offboarded or gone', async () => {
    const [kept, leaving, gone] = [await newWorkspace(), await newWorkspace(), `ws_${randomUUID()}`];
    await beginOffboarding({ client, tables }, leaving);
    const records = [[kept], [leaving], [gone], [kept, leaving, gone], []].map((owners) => recordOf(owners));
    await newRecorder()(newShard()(records));
    expect([await countOf(kept), await itemsOf(leaving), await itemsOf(gone)]).toEqual([2, [], []]);
  });
});
