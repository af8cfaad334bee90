import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { followRejections, type RejectionSource } from '../../bin/leadctl/rejection-source.ts';
import { eventItem } from '../../lambdas/rejections/diagnostics-items.ts';
import {
  type RejectedSubmission,
  type RejectionEvent,
  rejectionRecord,
} from '../../lambdas/rejections/rejection-record.ts';
import { waitFor } from '../until.ts';
import { onTestStack, openTestStack, resultOf, startLeadctl, testOutputsFile } from './run-leadctl.ts';

const stack = openTestStack();

let workspaceId: string;
let requestId: string;

/** As the ingest functions do it; the recorder of the running stack does the rest. */
async function reject(owner: string | undefined, rejected: Partial<RejectedSubmission> = {}) {
  const whole: RejectedSubmission = {
    atMilliseconds: Date.now(),
    requestId: randomUUID(),
    surface: '1b',
    reason: 'signature_mismatch',
    detail: { mistake: 'body_newline_added' },
    bodyBytes: 12,
    sourceAddress: '192.0.2.7',
    ...rejected,
  };
  const authenticated = owner !== undefined;
  const record = rejectionRecord(whole, { workspaceIds: owner ? [owner] : [], authenticated }, randomUUID());
  const TableName = stack.tables[authenticated ? 'rejections' : 'unauthenticatedRejections'];
  await stack.client.send(new PutCommand({ TableName, Item: record }));
  const { workspaceId: partition = '', sk = '' } = eventItem(record) ?? {};
  const Key = { workspaceId: partition, sk };
  await waitFor(async () => {
    const { Item } = await stack.client.send(
      new GetCommand({ TableName: stack.tables.diagnostics, Key, ConsistentRead: true }),
    );
    return Item !== undefined;
  });
  return whole.requestId;
}

beforeAll(async () => {
  ({ workspaceId } = await stack.newForm());
  const hourAgo = Date.now() - 50 * 60_000;
  requestId = await reject(workspaceId, { atMilliseconds: hourAgo });
  // Each in its own minute, so that no two share a slot.
  await reject(workspaceId, { atMilliseconds: hourAgo + 60_000, reason: 'rate_limited_minute' });
  await reject(workspaceId, { atMilliseconds: hourAgo + 120_000, reason: 'body_not_object' });
  await reject(workspaceId, { atMilliseconds: hourAgo - 3_600_000 });
  await reject(workspaceId, { atMilliseconds: hourAgo, reason: 'idempotency_key_reused' });
});

test('counts by reason, with rate limits separate, and shows the newest events first', async () => {
  const result = await resultOf<{ events: RejectionEvent[] }>(['diagnostics', '--workspace', workspaceId]);
  expect(result).toMatchObject({
    rejected: { total: 2, byReason: { signature_mismatch: 1, body_not_object: 1 } },
    rateLimited: { total: 1, byReason: { rate_limited_minute: 1 } },
    reusedKeys: { total: 1 },
    truncated: false,
  });
  expect(result.events).toHaveLength(3);
  expect(result.events[2]).toMatchObject({ requestId, detail: { mistake: 'body_newline_added' } });

  const human = await onTestStack(['diagnostics', '--workspace', workspaceId, '--since', '3h']);
  expect(human).toMatchObject({ exitCode: 0, stderr: '' });
  expect(human.stdout).toMatch(/^Since \S+: 3 rejected, 1 rate limited\.\n/);
  expect(human.stdout).toContain('mistake=body_newline_added');
  expect(human.stdout).toContain('Idempotency keys reused with a different body: 1.');
});

test('shows rejections that belong to no workspace', async () => {
  // Other tests have rejections too; its own minute keeps their events out of this slot.
  const atMilliseconds = Date.now() - 45 * 60_000;
  const id = await reject(undefined, { reason: 'token_invalid', atMilliseconds });
  const args = ['diagnostics', '--unattributed', '--since', '1h', '--limit', '1000'];
  const { events } = await resultOf<{ events: RejectionEvent[] }>(args);
  expect(events).toContainEqual(expect.objectContaining({ requestId: id, authenticated: false }));
  const one = await resultOf(['diagnostics', '--unattributed', '--request', id]);
  expect(one).toMatchObject({ requestId: id, reason: 'token_invalid', otherMatches: [] });
});

test('looks a request up in all workspaces and in none, and says whose it is', async () => {
  const { workspaceId: owner } = await stack.newForm();
  const shared = randomUUID();
  const minute = (ago: number) => ({ requestId: shared, atMilliseconds: Date.now() - ago * 60_000 });
  await reject(undefined, { ...minute(20), reason: 'token_invalid' });
  await reject(owner, minute(25));
  const args = ['diagnostics', '--request', shared];
  expect(await resultOf(args)).toMatchObject({
    requestId: shared,
    reason: 'signature_mismatch',
    workspaceIds: [owner],
    otherMatches: [{ reason: 'token_invalid', workspaceIds: [] }],
  });
  const { stdout } = await onTestStack(args);
  expect(stdout).toMatch(new RegExp(`^  Workspace +${owner}$`, 'm'));
  expect(stdout).toMatch(/Other requests with the same ID:\n.* {2}- {2}- {2}token_invalid/);
  const alone = await onTestStack(['diagnostics', '--request', await reject(undefined)]);
  expect(alone.stdout).toMatch(/^ {2}Workspace +none$/m);
});

test('follows: prints each new event once as a line of JSON, until it is interrupted', async () => {
  const follow = ['diagnostics', '--workspace', workspaceId, '--follow', '--json'];
  const { child, run } = startLeadctl(['--outputs', testOutputsFile(), ...follow]);
  const lines: RejectionEvent[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  await waitFor(() => lines.length >= 3);
  const fresh = await reject(workspaceId);
  await waitFor(() => lines.length >= 4);
  // If anything printed it twice, another round of reading would.
  await sleep(2_300);
  child.kill('SIGINT');
  expect((await run).exitCode).toBe(0);
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatchObject({ requestId });
  expect(lines.at(-1)).toMatchObject({ requestId: fresh });
});

test('continues after a failure, and gives up after many', async () => {
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
  const follow = (source: RejectionSource) =>
    followRejections(source, 0, new AbortController().signal, { pollMilliseconds: 1 });
  const first = follow(failing((call) => call < 4));
  expect((await first.next()).value).toBe(event);
  const never = follow(failing(() => true));
  await expect(never.next()).rejects.toThrow('throttled');
});
