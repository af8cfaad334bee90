import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { followRejections } from '../../bin/leadctl/follow-rejections.ts';
import type { RejectionSource } from '../../bin/leadctl/rejection-source.ts';
import {
  counterKey,
  counterName,
  eventItem,
  type RejectedSubmission,
  unattributedPartition,
} from '../../lambdas/core/diagnostics-items.ts';
import { REASON_GUIDE } from '../../lambdas/core/owner/reason-guide.ts';
import type { RejectionEvent } from '../../lambdas/stores/owner/rejection-events.ts';
import { onTestStack, resultOf, startLeadctl, testOutputsFile } from './run-leadctl.ts';
import { openTestStack } from './test-stack.ts';

const stack = openTestStack();
afterAll(stack.close);

let workspaceId: string;
let requestId: string;

async function reject(partition: string, rejected: Partial<RejectedSubmission>, slot: number) {
  const whole: RejectedSubmission = {
    ...{ atMilliseconds: Date.now(), requestId: randomUUID(), surface: '1b', reason: 'signature_mismatch' },
    ...{ detail: { mistake: 'body_newline_added' }, bodyBytes: 12, sourceAddress: '192.0.2.7', ...rejected },
  };
  const TableName = stack.tables.diagnostics;
  await stack.client.send(new PutCommand({ TableName, Item: eventItem(partition, whole, slot) }));
  await stack.client.send(
    new UpdateCommand({
      ...{
        TableName,
        Key: counterKey(partition, whole),
        UpdateExpression: `ADD ${counterName(whole.atMilliseconds)} :n SET expiresAt = :t`,
      },
      ExpressionAttributeValues: { ':n': 1, ':t': Math.floor(Date.now() / 1000) + 1_000 },
    }),
  );
  return whole.requestId;
}

beforeAll(async () => {
  ({ workspaceId } = await stack.newForm());
  const hourAgo = Date.now() - 50 * 60_000;
  requestId = await reject(workspaceId, { atMilliseconds: hourAgo }, 0);
  await reject(workspaceId, { atMilliseconds: hourAgo + 60_000, reason: 'rate_limited_minute' }, 1);
  await reject(workspaceId, { atMilliseconds: hourAgo + 60_000, reason: 'body_not_object' }, 2);
  await reject(workspaceId, { atMilliseconds: hourAgo - 3_600_000 }, 3);
});

test('counts by reason, rate limits apart, and shows the newest events first', async () => {
  const result = await resultOf<{ events: RejectionEvent[] }>(['diagnostics', '--workspace', workspaceId]);
  expect(result).toMatchObject({
    rejected: { total: 2, byReason: { signature_mismatch: 1, body_not_object: 1 } },
    rateLimited: { total: 1, byReason: { rate_limited_minute: 1 } },
    truncated: false,
  });
  expect(result.events).toHaveLength(3);
  expect(result.events[2]).toMatchObject({ requestId, detail: { mistake: 'body_newline_added' } });

  const human = await onTestStack(['diagnostics', '--workspace', workspaceId, '--since', '3h']);
  expect(human).toMatchObject({ exitCode: 0, stderr: '' });
  expect(human.stdout).toMatch(/^Since \S+: 3 rejected, and 1 over the rate limit\.\n/);
  expect(human.stdout).toContain('mistake=body_newline_added');
});

test('shows what belongs to no workspace, from all shards', async () => {
  const ids = await Promise.all(
    [0, 9, 15].map((shard) => reject(unattributedPartition(shard), { reason: 'token_invalid' }, 19 - shard)),
  );
  const args = ['diagnostics', '--unattributed', '--since', '5m', '--limit', '1000'];
  const { events } = await resultOf<{ events: RejectionEvent[] }>(args);
  expect(events.map((event) => event.requestId)).toEqual(expect.arrayContaining(ids));
});

test('looks one request up by its id', async () => {
  const run = await onTestStack(['diagnostics', '--workspace', workspaceId, '--request', requestId]);
  expect(run.exitCode).toBe(0);
  expect(run.stdout.split('\n')[0]).toBe(`Request ${requestId} was rejected.`);
  expect(run.stdout).toContain(REASON_GUIDE.signature_mismatch.remedy);
});

test.concurrent.each([
  [['--since', '1h'], 2, 'Whose rejections?'],
  [['--workspace', 'ws_1', '--unattributed'], 2, 'Whose rejections?'],
  [['--workspace', 'ws_nobody'], 1, 'There is no workspace ws_nobody.'],
])('refuses %j', async (args, exitCode, sentence) => {
  const run = await onTestStack(['diagnostics', ...args]);
  expect(run).toMatchObject({ exitCode, stdout: '' });
  expect(run.stderr).toContain(sentence);
});

test('follows: prints each new event once as a line of JSON, until it is interrupted', async () => {
  const args = [
    '--outputs',
    testOutputsFile(),
    'diagnostics',
    '--workspace',
    workspaceId,
    '--follow',
    '--json',
  ];
  const { child, run } = startLeadctl(args);
  const lines: RejectionEvent[] = [];
  const printed = createInterface({ input: child.stdout });
  printed.on('line', (line) => lines.push(JSON.parse(line)));
  const atLeast = async (count: number) => {
    for (let tries = 0; lines.length < count && tries < 400; tries += 1) await sleep(50);
  };
  await atLeast(3);
  const fresh = await reject(workspaceId, {}, 5);
  await atLeast(4);
  // Another round of reading would print it again, if anything did.
  await sleep(2_300);
  child.kill('SIGINT');
  expect((await run).exitCode).toBe(0);
  expect(lines.map((event) => event.requestId)).toHaveLength(4);
  expect(lines[0]).toMatchObject({ requestId });
  expect(lines[3]).toMatchObject({ requestId: fresh });
});

test('goes on after a failure, and gives up after many', async () => {
  let calls = 0;
  const event = { requestId: 'r', at: new Date().toISOString() } as RejectionEvent;
  const failing = (fails: (call: number) => boolean): RejectionSource =>
    ({
      events: async () => {
        calls += 1;
        if (fails(calls)) throw new Error('throttled');
        return [event];
      },
    }) as unknown as RejectionSource;
  const quick = { pollMilliseconds: 1 };
  const first = followRejections(
    failing((call) => call < 4),
    0,
    new AbortController().signal,
    quick,
  );
  expect((await first.next()).value).toBe(event);
  const never = followRejections(
    failing(() => true),
    0,
    new AbortController().signal,
    quick,
  );
  await expect(never.next()).rejects.toThrow('throttled');
});
