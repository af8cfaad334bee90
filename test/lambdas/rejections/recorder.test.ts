import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import type { ShardEvent, StreamRecord } from '#model/stream-record.ts';
import { countersOf } from '#rejections/diagnostics-items.ts';
import { MAX_EVENTS_PER_HOUR } from '#rejections/event-budget-store.ts';
import { makeRecorder, recorderStores } from '#rejections/recorder/handler.ts';
import { type RejectedSubmission, rejectionRecord } from '#rejections/rejection-record.ts';
import { localStack } from '../../local-stack.ts';
import { beginOffboarding, newWorkspace as putNewWorkspace } from '../stats/stream-records.ts';

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

/** A stream with one shard, as a mapping with a tumbling window delivers it. */
function newStream() {
  const eventSourceARN = `arn:aws:dynamodb:eu-central-1:000000000000:table/r/stream/${randomUUID()}`;
  const shardId = `shardId-${randomUUID()}`;
  return (Records: readonly StreamRecord[]): ShardEvent => ({ Records, shardId, eventSourceARN });
}

async function itemsOf(workspaceId: string) {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tables.diagnostics,
      KeyConditionExpression: 'workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
      ConsistentRead: true,
    }),
  );
  return Items;
}

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
    expect(await newRecorder()(newStream()(records))).toEqual({ state: {} });
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

  test('stays exact when batches are repeated, cut differently, overlapping, reordered and concurrent', async () => {
    const workspaceId = await newWorkspace();
    const event = newStream();
    const records = Array.from({ length: 120 }, (_, n) =>
      recordOf([workspaceId], {
        formId: `form_${n % 7}`,
        reason: n % 3 ? 'body_not_object' : 'internal_error',
      }),
    );
    const [first, second] = [newRecorder(), newRecorder()];
    await first(event(records.slice(0, 70)));
    // The second has not read the watermark yet, and the first relies on its own.
    await Promise.all([
      second(event(records)),
      first(event(records.slice(40).toReversed())),
      newRecorder()(event([...records.slice(0, 3), ...records.slice(0, 3)])),
    ]);
    await first(event(records.slice(60, 90)));
    expect(await countOf(workspaceId)).toBe(120);
  });

  test('counts a record twice in one batch once', async () => {
    const workspaceId = await newWorkspace();
    const record = recordOf([workspaceId]);
    await newRecorder()(newStream()([record, record]));
    expect(await countOf(workspaceId)).toBe(1);
  });

  test('counts nothing twice when the response to a transaction is lost', async () => {
    const workspaceId = await newWorkspace();
    const event = newStream();
    const records = [recordOf([workspaceId]), recordOf([workspaceId])];
    calls.injectAfter((command) =>
      command === 'TransactWriteItems' ? Object.assign(new Error('lost'), { name: 'Lost' }) : undefined,
    );
    await expect(newRecorder()(event(records))).rejects.toThrow('lost');
    calls.injectAfter(undefined);
    await newRecorder()(event(records));
    expect(await countOf(workspaceId)).toBe(2);
  });

  test('retries a transaction that collided with another', async () => {
    const workspaceId = await newWorkspace();
    let conflicts = 0;
    calls.injectBefore((command) => {
      if (command !== 'TransactWriteItems' || conflicts > 0) return undefined;
      conflicts += 1;
      return new TransactionCanceledException({
        $metadata: {},
        message: 'injected',
        CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
      });
    });
    await newRecorder()(newStream()([recordOf([workspaceId])]));
    calls.injectBefore(undefined);
    expect(conflicts).toBe(1);
    expect(await countOf(workspaceId)).toBe(1);
  });

  test('splits a batch that changes more counters than fit in a transaction', async () => {
    const workspaceId = await newWorkspace();
    const records = Array.from({ length: 250 }, (_, n) =>
      recordOf([workspaceId], { formId: `form_${n % 220}` }),
    );
    calls.reset();
    await newRecorder()(newStream()(records));
    expect(calls.commands().filter((command) => command === 'TransactWriteItems')).toHaveLength(3);
    expect(await countOf(workspaceId)).toBe(250);
  });

  const eventsOf = async (workspaceId: string, pool: 'a' | 'u') =>
    (await itemsOf(workspaceId)).filter(({ sk }) => String(sk).startsWith(`event#2026-11-15T12:34Z#${pool}`));

  test('keeps the first 20 events of a minute of authenticated senders, and the first 20 of others', async () => {
    const workspaceId = await newWorkspace();
    const own = Array.from({ length: 30 }, (_, n) => recordOf([workspaceId], { requestId: `own ${n}` }));
    const strangers = Array.from({ length: 10 }, () => recordOf([workspaceId], { requestId: 'same' }, false));
    await newRecorder()(newStream()([...own, ...strangers]));
    const kept = (await eventsOf(workspaceId, 'a')).map(({ requestId }) => requestId);
    expect(kept).toEqual(Array.from({ length: 20 }, (_, n) => `own ${n}`));
    expect(await eventsOf(workspaceId, 'u')).toHaveLength(10);
  });

  test('keeps each event once, whichever environment gets it again, and whatever other shards write', async () => {
    const workspaceId = await newWorkspace();
    const [one, two] = [newStream(), newStream()];
    const a = Array.from({ length: 8 }, () => recordOf([workspaceId]));
    const [b, first] = [a.map(() => recordOf([workspaceId])), newRecorder()];
    calls.injectBefore((command) => (command === 'TransactWriteItems' ? new Error('died') : undefined));
    await expect(first(one(a))).rejects.toThrow('died');
    await expect(newRecorder()(two(b.slice(0, 3)))).rejects.toThrow('died');
    calls.injectBefore(undefined);
    await Promise.all([newRecorder()(one(a)), newRecorder()(two(b)), first(two(b))]);
    const ids = (await eventsOf(workspaceId, 'a')).map(({ requestId }) => requestId);
    expect([ids.length, new Set(ids).size]).toEqual([16, 16]);
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
      const [workspaceId, event] = [await newWorkspace(), newStream()];
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
    const [workspaceId, event, record] = [await newWorkspace(), newStream(), newRecorder()];
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
    await newRecorder()(newStream()([recordOf([one, two], { reason: 'slug_ambiguous' }, false)]));
    for (const workspaceId of [one, two]) {
      expect(await countOf(workspaceId)).toBe(1);
      expect(await itemsOf(workspaceId)).toHaveLength(1);
    }
  });

  test('keeps the events of reused keys separate', async () => {
    const workspaceId = await newWorkspace();
    await newRecorder()(newStream()([recordOf([workspaceId], { reason: 'idempotency_key_reused' })]));
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
    await newRecorder()(newStream()(records));
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

  test('reads the watermark once, and then writes once per batch', async () => {
    const workspaceId = await newWorkspace();
    const [event, record] = [newStream(), newRecorder()];
    const batch = () => Array.from({ length: 40 }, () => recordOf([workspaceId]));
    calls.reset();
    await record(event(batch()));
    const events = new Array(20).fill('PutItem');
    expect(calls.commands()).toEqual(['BatchGetItem', 'GetItem', ...events, 'TransactWriteItems']);
    calls.reset();
    await record(event(batch()));
    expect(calls.commands()).toEqual(['BatchGetItem', 'TransactWriteItems']);
  });

  test('writes nothing for a workspace that is being offboarded or gone', async () => {
    const [kept, leaving, gone] = [await newWorkspace(), await newWorkspace(), `ws_${randomUUID()}`];
    await beginOffboarding({ client, tables }, leaving);
    const records = [[kept], [leaving], [gone], [kept, leaving, gone], []].map((owners) => recordOf(owners));
    await newRecorder()(newStream()(records));
    expect([await countOf(kept), await itemsOf(leaving), await itemsOf(gone)]).toEqual([2, [], []]);
  });
});
