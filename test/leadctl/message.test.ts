import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type MessageStatus, messageId } from '../../lambdas/sending/message.ts';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const stack = openTestStack();
afterAll(stack.close);

let ofWorkspace: string[];
let destinationId: string;

interface Listed {
  readonly messages: { messageId: string; submissionId: string; status: string }[];
  readonly truncated: boolean;
}

async function putMessage(of: string, leadId: string, status: MessageStatus) {
  const key = { destinationId: of, leadId, type: 'lead.accepted' as const };
  const attempts = [{ at: '2026-01-01T00:00:00.000Z', milliseconds: 12, status: 503 }];
  const Item = {
    ...key,
    sk: `${leadId}#lead.accepted`,
    workspaceId: ofWorkspace[1],
    status,
    attempts,
    v: 1,
    countedAttempts: 1,
    createdAt: '2026-01-01T00:00:00.000Z',
    revision: 1,
  };
  await stack.client.send(new PutCommand({ TableName: stack.tables.messages, Item }));
  return messageId(key);
}

const leadIds = [1, 2, 3].map((n) => `0199000${n}-0000-7000-8000-${randomUUID().slice(24)}`);
const ids: string[] = [];

beforeAll(async () => {
  const { workspaceId } = await stack.newForm();
  ofWorkspace = ['--workspace', workspaceId];
  const url = ['--kind', 'webhook', '--url', 'http://127.0.0.1:9/'];
  const create = ['destination', 'create', ...ofWorkspace, ...url];
  ({ destinationId } = await resultOf<{ destinationId: string }>(create));
  // So that nothing changes the messages.
  await resultOf(['destination', 'pause', destinationId, ...ofWorkspace]);
  for (const [index, leadId] of leadIds.entries()) {
    ids.push(await putMessage(destinationId, leadId, index === 1 ? 'delivered' : 'failed'));
  }
});

const list = (...options: string[]) => resultOf<Listed>(['message', 'list', ...ofWorkspace, ...options]);

test('lists the messages of a destination, the newest lead first', async () => {
  const { messages, truncated } = await list('--destination', destinationId);
  expect(messages.map((each) => each.messageId)).toEqual([...ids].reverse());
  expect(truncated).toBe(false);
  expect(messages[0]).toMatchObject({
    submissionId: leadIds[2],
    status: 'failed',
    attempts: [{ status: 503, milliseconds: 12 }],
  });
});

test('lists messages in one state, and says if there are more', async () => {
  const failed = await list('--destination', destinationId, '--status', 'failed');
  expect(failed.messages.map((each) => each.messageId)).toEqual([ids[2], ids[0]]);
  const first = await list('--destination', destinationId, '--limit', '2');
  expect(first).toMatchObject({ messages: [{ messageId: ids[2] }, { messageId: ids[1] }], truncated: true });
  const one = ['message', 'list', ...ofWorkspace, '--destination', destinationId, '--limit', '1'];
  const human = await onTestStack(one);
  expect(human.stdout).toMatch(
    new RegExp(`^${ids[2]} +lead\\.accepted +failed +2026-01-01\\S+ +1 +503 +-$`, 'm'),
  );
  expect(human.stdout).toContain('There may be more. Raise --limit.');
});

test('lists the messages about one submission', async () => {
  const { messages } = await list('--submission', leadIds[1] as string);
  expect(messages.map((each) => each.messageId)).toEqual([ids[1]]);
  expect(await list('--submission', randomUUID())).toEqual({ messages: [], truncated: false });
});

test('replays one message, and everything since a time', async () => {
  expect(await resultOf(['message', 'replay', ids[0] as string, ...ofWorkspace])).toEqual({
    messageId: ids[0],
  });
  const since = '2026-01-01T00:00:00.000Z';
  expect(
    await resultOf(['message', 'replay', ...ofWorkspace, '--destination', destinationId, '--since', since]),
  ).toEqual({ destinationId, since });
});

test.each([
  [['list'], 'Pass --destination ID or --submission ID.'],
  [['list', '--submission', 'x', '--status', 'failed'], '--status works with --destination only.'],
  [['replay'], 'Pass a message ID, or --destination ID with --since TIME.'],
  [['replay', 'msg_1', '--since', '1h'], 'Pass a message ID, or --destination ID with --since TIME.'],
  [['replay', 'dest_1'], 'dest_1 is a destination ID. This option takes a message ID.'],
])('refuses %j', async (args, problem) => {
  const run = await onTestStack(['message', ...args, ...ofWorkspace]);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(problem);
});

test('a message of another workspace is not found', async () => {
  const other = await stack.newForm();
  const run = await onTestStack(['message', 'replay', ids[0] as string, '--workspace', other.workspaceId]);
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toContain(`There is no message ${ids[0]}.`);
});
