import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { followRejections, type RejectionSource } from '../../bin/leadctl/rejection-source.ts';
import { eventItem } from '../../lambdas/rejections/diagnostics-items.ts';
import { REASON_GUIDE } from '../../lambdas/rejections/reason-guide.ts';
import {
  type RejectedSubmission,
  type RejectionEvent,
  rejectionRecord,
} from '../../lambdas/rejections/rejection-record.ts';
import { waitFor } from '../until.ts';
import { onTestStack, openTestStack, resultOf, startLeadctl, testOutputsFile } from './run-leadctl.ts';

describe('leadctl diagnostics', () => {
  const stack = openTestStack();
  afterAll(stack.close);

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
    const record = rejectionRecord(
      whole,
      { workspaceIds: owner ? [owner] : [], authenticated },
      randomUUID(),
    );
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

  test('looks one request up by its id', async () => {
    const run = await onTestStack(['diagnostics', '--workspace', workspaceId, '--request', requestId]);
    expect(run.exitCode).toBe(0);
    expect(run.stdout.split('\n')[0]).toBe(`Request ${requestId} was rejected.`);
    expect(run.stdout).toContain(REASON_GUIDE.signature_mismatch.remedy);
    expect(run.stdout).not.toContain('Other requests');
  });

  test('says what to do about what was wrong with a body', async () => {
    const requestId = randomUUID();
    const detail = { problem: 'byte order mark' };
    const { workspaceId: other } = await stack.newForm();
    await reject(other, { requestId, reason: 'body_invalid_json', detail });
    const run = await onTestStack(['diagnostics', '--workspace', other, '--request', requestId]);
    expect(run.stdout).toContain('utf-8 instead of utf-8-sig');
  });

  test('shows all requests that a client gave the same id', async () => {
    const shared = randomUUID();
    const at = Date.now() - 30 * 60_000;
    await reject(workspaceId, { requestId: shared, reason: 'body_not_object', atMilliseconds: at });
    await reject(workspaceId, {
      requestId: shared,
      reason: 'body_invalid_json',
      atMilliseconds: at + 60_000,
    });
    const args = ['diagnostics', '--workspace', workspaceId, '--request', shared];
    expect(await resultOf(args)).toMatchObject({
      reason: 'body_invalid_json',
      otherMatches: [{ requestId: shared, reason: 'body_not_object' }],
    });
    expect((await onTestStack(args)).stdout).toMatch(/Other requests with the same ID:\n.*body_not_object/);
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

  test('says how long a request can be found', async () => {
    const run = await onTestStack(['diagnostics', '--workspace', workspaceId, '--request', randomUUID()]);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('30 days if the sender was authenticated, otherwise for one day');
  });

  test.concurrent.each([
    [['--since', '1h'], 2, 'Pass --workspace ID, --unattributed for'],
    [['--workspace', 'ws_1', '--unattributed'], 2, 'Pass --workspace or --unattributed, not both.'],
    [['--request', randomUUID()], 1, 'The request was accepted or is too old.'],
    [['--workspace', 'ws_nobody'], 1, 'Workspace ws_nobody not found.'],
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
    const before = 5;
    await atLeast(before);
    const fresh = await reject(workspaceId);
    await atLeast(before + 1);
    // If anything printed it twice, another round of reading would.
    await sleep(2_300);
    child.kill('SIGINT');
    expect((await run).exitCode).toBe(0);
    expect(lines.map((event) => event.requestId)).toHaveLength(before + 1);
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
});

describe('leadctl dead-letters', () => {
  const stack = openTestStack();
  afterAll(stack.close);

  interface Listed {
    messages: { messageId: string; submissionId?: string; receiveCount: number; sentAt: string }[];
  }

  async function putDeadLetter(MessageBody: string): Promise<string> {
    const QueueUrl = stack.outputs.deadLetterQueueUrl;
    const { MessageId } = await stack.queueClient.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    return MessageId as string;
  }

  test('lists dead letters without taking any, and sends them back', async () => {
    const leadId = randomUUID();
    const messageId = await putDeadLetter(JSON.stringify({ leadId }));
    const strange = await putDeadLetter('not ours');

    const first = await resultOf<Listed>(['dlq', 'list', '--limit', '500']);
    expect(first.messages).toContainEqual(
      expect.objectContaining({ messageId, submissionId: leadId, receiveCount: 1 }),
    );
    expect(first.messages).toContainEqual(expect.objectContaining({ messageId: strange }));
    // Still there, and visible immediately.
    const human = await onTestStack(['dlq', 'list', '--limit', '500']);
    expect(human).toMatchObject({ exitCode: 0, stderr: '' });
    expect(human.stdout).toMatch(new RegExp(`${messageId} +${leadId} +2 +0 min`));
    expect(human.stdout).not.toContain('not ours\n');

    const { moved } = await resultOf<{ moved: number }>(['dlq', 'redrive', '--yes']);
    expect(moved).toBeGreaterThanOrEqual(2);
    const after = await resultOf<Listed>(['dlq', 'list', '--limit', '500']);
    expect(after.messages.map((message) => message.messageId)).not.toContain(messageId);
  });

  test('sends nothing back without a terminal or --yes', async () => {
    const run = await onTestStack(['dlq', 'redrive']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('Add --yes to send all dead letters');
  });
});
