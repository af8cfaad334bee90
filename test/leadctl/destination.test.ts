import { randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DestinationView } from '../../bin/leadctl/open-destinations.ts';
import { type MessageStatus, messageId } from '../../lambdas/sending/message.ts';
import { until } from '../until.ts';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const stack = openTestStack();
afterAll(stack.close);

const URL = 'http://127.0.0.1:9/leads';
const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

type Created = DestinationView & { signingSecret?: string };

let workspaceId: string;
let formId: string;
let ofWorkspace: string[];

beforeAll(async () => {
  ({ workspaceId, formId } = await stack.newForm());
  ofWorkspace = ['--workspace', workspaceId];
});

const create = (...options: string[]) =>
  resultOf<Created>(['destination', 'create', ...ofWorkspace, ...options]);
const webhook = () => create('--kind', 'webhook', '--url', URL);

async function secretItem(destinationId: string) {
  const TableName = stack.tables.destinationSecrets;
  const { Item } = await stack.client.send(new GetCommand({ TableName, Key: { destinationId } }));
  return Item;
}

/** The command about one destination must refuse. */
const refusalOf = async (...args: string[]) => {
  const run = await onTestStack(['destination', ...args]);
  expect(run.stdout).toBe('');
  return { exitCode: run.exitCode, message: run.stderr.replace(/^leadctl: /, '').trimEnd() };
};

describe('destination', () => {
  test('create adds a webhook with the defaults, and prints its signing secret once', async () => {
    const { signingSecret, ...view } = await webhook();
    expect(signingSecret).toMatch(SIGNING_SECRET);
    expect(view).toMatchObject({
      destinationId: expect.stringMatching(/^dest_\w+$/),
      kind: 'webhook',
      url: URL,
      name: '127.0.0.1:9',
      events: ['lead.accepted'],
      forms: 'all',
      onlyClean: true,
      includeFields: false,
      status: 'active',
      health: { state: 'ok' },
    });
    const options = ['--kind', 'webhook', '--url', URL, '--name', 'CRM'];
    const human = await onTestStack(['destination', 'create', ...ofWorkspace, ...options]);
    expect(human).toMatchObject({ exitCode: 0, stderr: '' });
    expect(human.stdout).toMatch(/^Created destination dest_\w+ \(CRM\)\.\n/);
    expect(human.stdout).toMatch(/^ {2}whsec_\S+$/m);
    expect(human.stdout).toContain('--allow-loopback-destinations');
    const listed = await onTestStack(['destination', 'list', ...ofWorkspace]);
    expect(listed.stdout).toMatch(/^ID +KIND +STATE +ADDRESS +NAME\n/);
    expect(listed.stdout).toMatch(new RegExp(`^${view.destinationId} +webhook +active +${URL} +127`, 'm'));
    expect(listed.stdout).not.toContain('whsec_');
  });

  test('create accepts all options', async () => {
    const chosen = await create(
      ...['--kind', 'webhook', '--url', URL, '--name', 'All', '--form', formId, '--all-leads'],
      ...['--event', 'lead.erased', '--event', 'lead.accepted', '--include-fields'],
    );
    expect(chosen).toMatchObject({
      name: 'All',
      forms: [formId],
      onlyClean: false,
      includeFields: true,
      events: ['lead.accepted', 'lead.erased'],
    });
  });

  test('create reads a Slack URL from standard input, and shows only its end', async () => {
    const slackUrl = 'https://hooks.slack.com/services/T000/B000/secretXYZ9';
    const args = ['destination', 'create', ...ofWorkspace, '--kind', 'slack', '--url-stdin'];
    const made = await resultOf<Created>(args, { stdin: `${slackUrl}\n` });
    expect(made).toMatchObject({ kind: 'slack', name: 'Slack', urlEnd: 'XYZ9' });
    expect(JSON.stringify(made)).not.toContain('secret');
    expect(await secretItem(made.destinationId)).toMatchObject({ slackUrl });
  });

  test.each([
    [['--kind', 'webhook', '--url', 'http://example.com'], '--url must begin with https://.'],
    [['--kind', 'webhook', '--url', 'https://10.0.0.1/'], /^--url must contain a public host name/],
    [['--kind', 'webhook'], '--url is missing.'],
    [['--kind', 'email', '--email', 'nobody'], '--email must be a valid email address.'],
    [['--kind', 'webhook', '--url', URL, '--event', 'lead.lost'], /^--event must contain one or more of/],
    [['--kind', 'webhook', '--url', URL, '--form', 'form_none'], /^--form must contain only ids of forms/],
    [['--kind', 'webhook', '--url', URL, '--name', 'CRM\nok'], /^--name must not contain line breaks/],
    [['--kind', 'webhook', '--url', URL, '--url-stdin'], 'Pass --url or --url-stdin, not both.'],
  ])('create refuses %j', async (options, problem) => {
    const { exitCode, message } = await refusalOf('create', ...ofWorkspace, ...options);
    expect(exitCode).toBe(2);
    expect(message).toMatch(problem);
  });

  test('pause and resume change the state', async () => {
    const { destinationId } = await webhook();
    const paused = await resultOf<Created>(['destination', 'pause', destinationId, ...ofWorkspace]);
    expect(paused).toMatchObject({ destinationId, status: 'paused' });
    expect(await refusalOf('test', destinationId, ...ofWorkspace)).toEqual({
      exitCode: 1,
      message: 'The destination is paused: resume it first.',
    });
    const resumed = await onTestStack(['destination', 'resume', destinationId, ...ofWorkspace]);
    expect(resumed.stdout).toMatch(`Destination ${destinationId} (127.0.0.1:9) is active`);
    const shown = await onTestStack(['destination', 'show', destinationId, ...ofWorkspace]);
    expect(shown.stdout).toMatch(/^ {2}State {10}active$/m);
    expect(shown.stdout).toMatch(/^ {2}Events {9}lead\.accepted$/m);
  });

  test('rotate keeps the old secret for the grace period', async () => {
    const { destinationId, signingSecret } = await webhook();
    const args = ['destination', 'rotate', destinationId, ...ofWorkspace];
    const rotated = await resultOf<{ signingSecret: string; previousWorksUntil: string }>([
      ...args,
      ...['--grace', '90m'],
    ]);
    expect(rotated.signingSecret).toMatch(SIGNING_SECRET);
    expect(rotated.signingSecret).not.toBe(signingSecret);
    expect(Math.abs(Date.parse(rotated.previousWorksUntil) - Date.now() - 5_400_000)).toBeLessThan(60_000);
    expect(await secretItem(destinationId)).toMatchObject({
      signingSecret: rotated.signingSecret,
      previousSecret: signingSecret,
    });
    expect(await refusalOf('rotate', destinationId, ...ofWorkspace, '--grace', '8d')).toEqual({
      exitCode: 2,
      message: '--grace can be at most 7d.',
    });
  });

  test('test sends a message, which message list shows', async () => {
    const { destinationId } = await webhook();
    const tryOut = ['destination', 'test', destinationId, ...ofWorkspace];
    const { messageId } = await resultOf<{ messageId: string }>(tryOut);
    const list = ['message', 'list', ...ofWorkspace, '--destination', destinationId];
    const { messages } = await until(
      () => resultOf<{ messages: { messageId: string; type: string }[] }>(list),
      (listed) => listed.messages.length > 0,
    );
    expect(messages).toMatchObject([{ messageId, type: 'destination.test' }]);
  });

  test('delete removes it with its secret, and only with --yes', async () => {
    const { destinationId } = await webhook();
    const args = ['delete', destinationId, ...ofWorkspace];
    expect(await refusalOf(...args)).toMatchObject({ exitCode: 2 });
    await resultOf(['destination', ...args, '--yes']);
    expect(await secretItem(destinationId)).toBeUndefined();
    const { exitCode, message } = await refusalOf('show', destinationId, ...ofWorkspace);
    expect(exitCode).toBe(1);
    expect(message).toMatch(
      /^There is no destination dest_\w+\. Check the ID, and that stack .* is the right stack\.$/,
    );
  });

  test('a destination of another workspace is not found', async () => {
    const { destinationId } = await webhook();
    const other = await stack.newForm();
    const { message } = await refusalOf('show', destinationId, '--workspace', other.workspaceId);
    expect(message).toContain(`There is no destination ${destinationId}.`);
    expect(await resultOf(['destination', 'list', '--workspace', other.workspaceId])).toEqual([]);
  });

  test('an unknown workspace is named', async () => {
    const { message } = await refusalOf('list', '--workspace', 'ws_none');
    expect(message).toMatch(/^Workspace ws_none not found\./);
  });
});

describe('messages', () => {
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
    expect(first).toMatchObject({
      messages: [{ messageId: ids[2] }, { messageId: ids[1] }],
      truncated: true,
    });
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
});
