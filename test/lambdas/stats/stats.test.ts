import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { recordCalls } from '#local/fixture/recorded-calls.ts';
import { type Lead, toLeadItem } from '#model/lead-item.ts';
import { InvalidRange } from '#owner-api/errors.ts';
import { makeStats, statsStores } from '#stats/handler.ts';
import { makeLeadStats, makeStatsReader } from '#stats/stats-store.ts';
import { sampleTestLead } from '#workspaces/delivery-routes.ts';
import { localStack } from '../../local-stack.ts';
import {
  leadsOf,
  newOwner,
  openLeadOwnerFixture,
  patience,
  secondsAfterStart,
} from '../leads/lead-fixture.ts';
import { insertOf, noise } from './stream-records.ts';

const { tables, newClient } = localStack();
const rawClient = newClient();
const calls = recordCalls(rawClient);
const client = toDocumentClient(rawClient);
const count = makeStats({
  ...statsStores({ client, tables }),
  log: { write: () => undefined },
  now: Date.now,
});

async function countersOf(workspaceId: string) {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tables.stats,
      KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :hour)',
      ExpressionAttributeValues: { ':workspaceId': workspaceId, ':hour': 'hour#' },
      ConsistentRead: true,
    }),
  );
  return Object.fromEntries(Items.map(({ sk, workspaceId: _, v: __, ...counts }) => [sk, counts]));
}

describe('the stats of accepted leads', () => {
  test('are counted by hour, form and score band', async () => {
    const workspaceId = `ws_${randomUUID()}`;
    const at = (receivedAt: string, formId: string, score: number, clean = true) =>
      insertOf({ workspaceId, receivedAt, formId, score, clean });
    await count({
      Records: [
        ...noise(),
        at('2026-11-15T12:00:00.000Z', 'form_a', 0, false),
        at('2026-11-15T12:59:59.999Z', 'form_a', 19, false),
        at('2026-11-15T12:30:00.000Z', 'form_a', 20),
        at('2026-11-15T12:30:00.000Z', 'form_b', 100),
        at('2026-11-15T13:00:00.000Z', 'form_a', 80),
      ],
    });
    expect(await countersOf(workspaceId)).toEqual({
      'hour#2026-11-15T12Z#form_a': { accepted: 3, clean: 1, band0: 2, band20: 1 },
      'hour#2026-11-15T12Z#form_b': { accepted: 1, clean: 1, band80: 1 },
      'hour#2026-11-15T13Z#form_a': { accepted: 1, clean: 1, band80: 1 },
    });
  });

  test('are counted by surface: with server tokens, from browsers, and the rest by webhook', async () => {
    const workspaceId = `ws_${randomUUID()}`;
    const surfaces = ['1a', '1b', '1b', '2', '2', '2'];
    await count({ Records: surfaces.map((surface) => insertOf({ workspaceId, surface })) });
    expect(await countersOf(workspaceId)).toMatchObject({ [hour]: { accepted: 6, server: 1, browser: 3 } });
  });

  test('tell tests apart, also if their bodies are compressed', async () => {
    const workspaceId = `ws_${randomUUID()}`;
    const tried = sampleTestLead({});
    const long = JSON.stringify({ _test: true, message: 'x'.repeat(5_000) });
    const { packed } = toLeadItem({ body: long, signals: [] } as unknown as Lead);
    const bytes = { B: Buffer.from(packed as Uint8Array).toString('base64') };
    const records = [
      ...['1a', '1b'].map((surface) => insertOf({ workspaceId, surface, body: { S: tried } })),
      insertOf({ workspaceId, surface: '1b', packed: bytes }),
      ...['{"_test":"true"}', '{"a":{"_test":true}}', '[]', ''].map((S) =>
        insertOf({ workspaceId, surface: '1a', body: { S } }),
      ),
      insertOf({ workspaceId, surface: '2', body: { S: tried } }),
    ];
    await count({ Records: records });
    expect(await countersOf(workspaceId)).toMatchObject({
      [hour]: { accepted: 8, test: 3, server: 4, browser: 1 },
    });
  });

  const hour = 'hour#2026-11-15T12Z#form_1';

  test('stay exact when batches are repeated, cut differently, reordered and concurrent', async () => {
    const workspaceId = `ws_${randomUUID()}`;
    const records = Array.from({ length: 120 }, () => insertOf({ workspaceId }));
    await count({ Records: records.slice(0, 70) });
    await Promise.all([
      count({ Records: records }),
      count({ Records: records.slice(40).toReversed() }),
      count({ Records: [...records.slice(0, 3), ...records.slice(0, 3)] }),
    ]);
    expect((await countersOf(workspaceId))[hour]).toMatchObject({ accepted: 120, clean: 120, band60: 120 });
  });

  test('are written as a whole: after a crash half-way the next delivery counts the rest', async () => {
    const workspaceId = `ws_${randomUUID()}`;
    const records = Array.from({ length: 60 }, () => insertOf({ workspaceId }));
    let transactions = 0;
    calls.injectBefore((command) => {
      if (command === 'TransactWriteItems') transactions += 1;
      return transactions === 2 ? new Error('the function died') : undefined;
    });
    await expect(count({ Records: records })).rejects.toThrow('the function died');
    calls.injectBefore(undefined);
    expect((await countersOf(workspaceId))[hour]).toMatchObject({ accepted: 50 });
    await count({ Records: records });
    expect((await countersOf(workspaceId))[hour]).toMatchObject({ accepted: 60 });
  });

  test('are retried after a conflict, and counted once if a response is lost', async () => {
    const workspaceId = `ws_${randomUUID()}`;
    const errors = [
      new TransactionCanceledException({
        $metadata: {},
        message: 'injected',
        CancellationReasons: [{ Code: 'TransactionConflict' }],
      }),
    ];
    calls.injectBefore((command) => (command === 'TransactWriteItems' ? errors.shift() : undefined));
    const record = insertOf({ workspaceId });
    await count({ Records: [record] });
    calls.injectBefore(undefined);
    await count({ Records: [record] });
    expect((await countersOf(workspaceId))[hour]).toMatchObject({ accepted: 1 });
  });
});

const fixture = openLeadOwnerFixture();
const reader = makeStatsReader(fixture);
const stats = makeLeadStats({ client: fixture.writer, tables: fixture.tables });
const HOUR = 60 * 60;

describe('the counts of leads', () => {
  test('are what the stream counted, by hour or day and form', async () => {
    const [owner, stranger] = [newOwner(), newOwner()];
    const second = { ...owner, formId: newOwner().formId };
    const spread = (n: number) => ({
      receivedAt: new Date(secondsAfterStart(n * 1_200)).toISOString(),
      score: n % 100,
      clean: n % 4 === 0,
    });
    const leads = [...leadsOf(owner, 150, spread), ...leadsOf(second, 6, spread)];
    await stats.count([...leads, ...leadsOf(stranger, 4, spread)], Date.now(), patience());

    fixture.calls.reset();
    const range = { from: secondsAfterStart(HOUR), to: secondsAfterStart(49 * HOUR) };
    const byHour = await reader.summary({ ...owner, bucket: 'hour', ...range }, patience());
    expect(fixture.calls.commands()).toEqual(['Query']);
    const inRange = leads.filter(({ receivedAt }) => {
      const at = Date.parse(receivedAt);
      return at >= range.from && at < range.to;
    });
    expect(byHour).toMatchObject({
      from: '2026-03-01T01:00:00Z',
      to: '2026-03-03T01:00:00Z',
      truncated: false,
      total: { accepted: inRange.length, clean: inRange.filter(({ clean }) => clean).length },
    });
    expect(byHour.total.bands).toEqual(
      [0, 20, 40, 60, 80].map(
        (from) => inRange.filter(({ score }) => score >= from && score < from + 20).length,
      ),
    );
    expect(byHour.counts.length).toBe(48 + 1);
    expect(byHour.counts.find(({ formId }) => formId === second.formId)).toEqual({
      at: '2026-03-01T01:00:00Z',
      formId: second.formId,
      accepted: 3,
      clean: 1,
      bands: [3, 0, 0, 0, 0],
    });

    const byDay = await reader.summary({ ...owner, bucket: 'day', ...range }, patience());
    expect(byDay.total).toEqual(byHour.total);
    expect(byDay.counts.map(({ at, accepted }) => [at, accepted])).toEqual([
      ['2026-03-03T00:00:00Z', 3],
      ['2026-03-02T00:00:00Z', 72],
      ['2026-03-01T00:00:00Z', expect.any(Number)],
      ['2026-03-01T00:00:00Z', expect.any(Number)],
    ]);
  });

  test('of an unknown workspace are empty', async () => {
    const range = { from: 0, to: 1_000 };
    const summary = await reader.summary({ ...newOwner(), bucket: 'hour', ...range }, patience());
    expect(summary).toMatchObject({ counts: [], total: { accepted: 0, clean: 0 } });
  });

  test('refuse 32 days by hour and 367 by day', async () => {
    const upTo = (days: number) => ({ ...newOwner(), from: 0, to: days * 24 * HOUR * 1000 });
    for (const [bucket, days] of [
      ['hour', 31],
      ['day', 366],
    ] as const) {
      await reader.summary({ ...upTo(days), bucket }, patience());
      await expect(reader.summary({ ...upTo(days + 1), bucket }, patience())).rejects.toThrow(InvalidRange);
    }
  });
});
