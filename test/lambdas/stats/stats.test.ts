import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { makeHourReader } from '#alerts/watch/read-hours-store.ts';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { type Lead, toLeadItem } from '#model/lead-item.ts';
import { makeActiveWorkspaces } from '#stats/active-workspaces-store.ts';
import { makeStats, statsStores } from '#stats/handler.ts';
import { makeStatsReader } from '#stats/stats-store.ts';
import { sampleTestLead } from '#workspaces/delivery-routes.ts';
import { localStack } from '../../local-stack.ts';
import { itemsOf } from '../../stored-items.ts';
import { patience } from '../leads/lead-fixture.ts';
import { beginOffboarding, insertOf, newShard, newWorkspace, noise } from './stream-records.ts';

const { tables, newClient } = localStack();
const client = toDocumentClient(newClient());
const count = makeStats({
  ...statsStores({ client, tables }),
  log: { write: () => undefined },
  now: Date.now,
});

const context = { client, tables };

/** What the counters of a workspace add up to over all shards. */
async function countersOf(workspaceId: string) {
  const sums: Record<string, Record<string, number>> = {};
  for (const item of await itemsOf(client, tables.stats, { workspaceId }, { sk: 'hour#' })) {
    const { sk, workspaceId: _, v: __, seq, latest: ___, ...counts } = item;
    const key = seq === undefined ? String(sk) : String(sk).replace(/#[^#]+$/, '');
    const sum = sums[key] ?? {};
    sums[key] = sum;
    for (const [name, by] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + Number(by);
  }
  return sums;
}

const hour = 'hour#2026-11-15T12Z#form_1';

describe('the stats of accepted leads', () => {
  test('are counted by hour, form and score band', async () => {
    const workspaceId = await newWorkspace(context);
    const at = (receivedAt: string, formId: string, score: number, clean = true) =>
      insertOf({ workspaceId, receivedAt, formId, score, clean });
    const records = [
      ...noise(),
      at('2026-11-15T12:00:00.000Z', 'form_a', 0, false),
      at('2026-11-15T12:59:59.999Z', 'form_a', 19, false),
      at('2026-11-15T12:30:00.000Z', 'form_a', 20),
      at('2026-11-15T12:30:00.000Z', 'form_b', 100),
      at('2026-11-15T13:00:00.000Z', 'form_a', 80),
    ];
    // Without a state Lambda takes the invocation for a failure.
    expect(await count(newShard()(records))).toEqual({ state: {} });
    expect(await countersOf(workspaceId)).toEqual({
      'hour#2026-11-15T12Z#form_a': { accepted: 3, clean: 1, band0: 2, band20: 1 },
      'hour#2026-11-15T12Z#form_b': { accepted: 1, clean: 1, band80: 1 },
      'hour#2026-11-15T13Z#form_a': { accepted: 1, clean: 1, band80: 1 },
    });
  });

  test('are counted by surface: with server tokens, from browsers, and the rest by webhook', async () => {
    const workspaceId = await newWorkspace(context);
    const surfaces = ['1a', '1b', '1b', '2', '2', '2'];
    await count(newShard()(surfaces.map((surface) => insertOf({ workspaceId, surface }))));
    expect(await countersOf(workspaceId)).toMatchObject({ [hour]: { accepted: 6, server: 1, browser: 3 } });
  });

  test('tell tests apart, also if their bodies are compressed', async () => {
    const workspaceId = await newWorkspace(context);
    const tried = sampleTestLead({});
    const long = JSON.stringify({ _test: true, message: 'x'.repeat(5_000) });
    const { packed } = toLeadItem({ body: long, signals: [] } as unknown as Lead);
    const bytes = { B: Buffer.from(packed as Uint8Array).toString('base64') };
    const records = [
      ...['1a', '1b'].map((surface) => insertOf({ workspaceId, surface, body: { S: tried } })),
      insertOf({ workspaceId, surface: '1b', packed: bytes }),
      insertOf({ workspaceId, surface: '1b', test: true, body: { S: '{}' } }),
      ...['{"_test":"true"}', '{"a":{"_test":true}}', '[]', ''].map((S) =>
        insertOf({ workspaceId, surface: '1a', body: { S } }),
      ),
      insertOf({ workspaceId, surface: '2', body: { S: tried } }),
    ];
    await count(newShard()(records));
    expect(await countersOf(workspaceId)).toMatchObject({
      [hour]: { accepted: 9, test: 4, server: 4, browser: 1 },
    });
  });

  test('are not kept for a workspace that is being offboarded or gone', async () => {
    const [kept, leaving, gone] = [await newWorkspace(context), await newWorkspace(context), 'ws_gone'];
    await beginOffboarding(context, leaving);
    const records = [kept, leaving, gone].map((workspaceId) => insertOf({ workspaceId }));
    await count(newShard()(records));
    const hours = await Promise.all([kept, leaving, gone].map(countersOf));
    expect(hours.map((each) => Object.keys(each).length)).toEqual([1, 0, 0]);
    const marked = await makeActiveWorkspaces(context).list(Date.now(), patience());
    const ids = marked.map(({ workspaceId }) => workspaceId);
    expect([kept, leaving, gone].map((id) => ids.includes(id))).toEqual([true, false, false]);
  });

  test('need a mapping that names the shard', async () => {
    const workspaceId = await newWorkspace(context);
    await expect(count({ Records: [insertOf({ workspaceId })] })).rejects.toThrow(/tumbling window/);
    expect(await count({ Records: [] })).toEqual({ state: {} });
  });
});

describe('next to the version that counted with a mark per lead', () => {
  /** What it wrote, in one transaction. */
  async function countAsBefore(leads: readonly DynamoDBRecord[], workspaceId: string) {
    const marks = leads.map(({ dynamodb }) => ({
      Put: {
        TableName: tables.stats,
        Item: {
          workspaceId,
          sk: `counted#${dynamodb?.NewImage?.leadId?.S}`,
          expiresAt: Math.ceil(Date.now() / 1000) + 48 * 60 * 60,
          v: 1,
        },
        ConditionExpression: 'attribute_not_exists(sk)',
      },
    }));
    const raise = {
      TableName: tables.stats,
      Key: { workspaceId, sk: hour },
      UpdateExpression: 'ADD accepted :n, clean :n, band60 :n SET v = :v',
      ExpressionAttributeValues: { ':n': leads.length, ':v': 1 },
    };
    await client.send(new TransactWriteCommand({ TransactItems: [...marks, { Update: raise }] }));
  }

  test('leads that it has counted are not counted again, however their batch is cut', async () => {
    const workspaceId = await newWorkspace(context);
    const shard = newShard();
    const records = Array.from({ length: 30 }, () => insertOf({ workspaceId }));
    // Two batches that it had counted; the second was never acknowledged.
    await countAsBefore(records.slice(0, 10), workspaceId);
    await countAsBefore(records.slice(10, 20), workspaceId);
    for (const [from, to] of [
      [10, 14],
      [14, 25],
      [12, 30],
      [10, 30],
    ]) {
      await count(shard(records.slice(from, to)));
    }
    expect(await countersOf(workspaceId)).toEqual({ [hour]: { accepted: 30, clean: 30, band60: 30 } });
    const reader = makeStatsReader(context);
    const at = Date.parse('2026-11-15T12:00:00Z');
    const range = { from: at, to: at + 3_600_000 };
    const { counts } = await reader.summary({ workspaceId, bucket: 'hour', ...range }, patience());
    expect(counts).toMatchObject([{ formId: 'form_1', accepted: 30 }]);
    const history = await makeHourReader(context).history(workspaceId, at + 3_600_000, patience());
    expect([...history]).toEqual([['form_1#1b', [{ hour: at / 3_600_000, accepted: 30 }]]]);
  });
});
