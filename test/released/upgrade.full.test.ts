import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, GetQueueUrlCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStack } from '../../bin/operator/open-stack.ts';
import { atOnce } from '../../conformance/world/http.ts';
import { makeOwner, type Owner, openOwnerAccounts } from '../../conformance/world/throw-away.ts';
import { TTL_ATTRIBUTE } from '../../lambdas/contract.ts';
import { openDataDirectory } from '../../local/data-directory.ts';
import { startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import { makeClosers } from '../../local/lifecycle.ts';
import { makeTables } from '../../local/tables.ts';
import { type Template, TemplateReader } from '../../local/template.ts';
import { type Receiver, startReceiver } from '../sending/receiver.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { deliverOnce, makeEverything, type Stack, submitEverywhere } from './everything.ts';
import { releasedBundles, releasedStored, releasedTemplates, type Stored } from './files.ts';

interface Running {
  readonly child: ChildProcess;
  readonly outputsFile: string;
  /** With the code of the release, and a file `ran` beside each that was called. */
  readonly codeFolder: string;
  /** What functions have logged as errors. */
  readonly complaints: string[];
}

const HARMLESS = /: WARN |^No DNS on this machine|^Mail to /;

async function start(code: 'released' | 'present', ...dataFolder: string[]): Promise<Running> {
  const script = fileURLToPath(new URL('./run-stack.ts', import.meta.url));
  // It ends with the channel, however this process ends.
  const child = spawn(process.execPath, [script, code, ...dataFolder], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.channel?.unref();
  const said: string[] = [];
  createInterface({ input: child.stderr as Readable }).on(
    'line',
    (line) => HARMLESS.test(line) || said.push(line),
  );
  const exited = once(child, 'exit').then(() => [undefined]);
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout as Readable }), 'line'),
    exited,
  ]);
  if (line === undefined) throw new Error(`The stack did not start:\n${said.join('\n')}`);
  return { child, complaints: said, ...JSON.parse(line) };
}

async function stop(running: Running | undefined): Promise<void> {
  if (running === undefined) return;
  const exited = once(running.child, 'exit');
  running.child.kill('SIGTERM');
  await exited;
}

/** Functions of the release that clocks, other services or links call which nobody follows here. */
const NOT_CALLED = ['alerts/watch', 'browser/rotate-browser-keys', 'session', 'submission/retired'];

/** Makes a data folder as the release's `npm start` has left it: its tables, its items, and their streams. */
async function keepAsReleased(folder: string, items: Stored['items']): Promise<void> {
  const closers = makeClosers();
  try {
    const { client } = await startDynamoDbLocal(await openDataDirectory(folder, closers), closers);
    const Resources = releasedTemplates()[0]?.resources ?? {};
    const reader = new TemplateReader({ Resources } as Template, 'LeadIngest-dev');
    await makeTables(client, reader, { keepExpired: true });
    const tomorrow = String(Math.floor(Date.now() / 1000) + 24 * 60 * 60);
    // Leads last: functions follow them and look for the rest.
    for (const table of Object.keys(items).sort((one) => (one === 'leads' ? 1 : -1))) {
      const TableName = `LeadIngest-dev-${table.charAt(0).toUpperCase()}${table.slice(1)}`;
      for (const item of items[table] ?? []) {
        // As if it had been stored today.
        const Item = { ...item, ...(TTL_ATTRIBUTE in item && { [TTL_ATTRIBUTE]: { N: tomorrow } }) };
        await client.send(new PutItemCommand({ TableName, Item }));
      }
    }
  } finally {
    await closers.close();
  }
}

/** Ports differ between two stacks, and another member of the workspace reads than did in the release. */
function comparable(answer: unknown): unknown {
  const text = JSON.stringify(answer).replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1');
  return JSON.parse(text.replaceAll('"by":"you"', '"by":"member"'));
}

/**
 * Two stacks at once, because both mostly wait: for what is learned after 25 seconds, and for messages that come back
 * after a minute.
 */
let released: Running;
let running: Running;
let stack: Stack;
let stored: Stored;
let owner: Owner;
let accounts: ReturnType<typeof openOwnerAccounts>;
const receivers: Receiver[] = [];

async function startOnStored(): Promise<void> {
  for (let count = 0; count < 3; count += 1) receivers.push(await startReceiver());
  stored = releasedStored(receivers.map(({ url }) => `${new URL(url).host}/`));
  await keepAsReleased(dataFolder, stored.items);
  running = await start('present', dataFolder);
  stack = openStack(running.outputsFile);
  accounts = openOwnerAccounts(stack.outputs, atOnce);
  owner = await accounts.signIn(stored.sender.workspaceId);
}

async function startReleased(): Promise<void> {
  released = await start('released');
}

beforeAll(async () => {
  await Promise.all([startReleased(), startOnStored()]);
});

afterAll(async () => {
  accounts?.close();
  stack?.client.destroy();
  stack?.queueClient.destroy();
  for (const receiver of receivers) await receiver.close();
  await Promise.all([stop(released), stop(running)]);
});
// After the stacks have ended, since hooks run in their order.
const dataFolder = temporaryFolder('lead-ingest-kept');

test('the released code on what this checkout deploys accepts leads and serves owners', async () => {
  await makeEverything(released.outputsFile);
});

describe('the present code on what the release has stored', () => {
  const template = releasedTemplates()[0]?.resources ?? {};
  const queues = Object.keys(template).filter((id) => template[id]?.Type === 'AWS::SQS::Queue');
  const urls = new Map<string, string>();
  const urlOf = async (id: string) => {
    const QueueName = `LeadIngest-dev-${id}`;
    const find = async () => (await stack.queueClient.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl;
    const url = urls.get(id) ?? (await find()) ?? '';
    urls.set(id, url);
    return url;
  };

  /** The first queue with messages that wait or are being worked on, and how many. */
  async function waiting(): Promise<readonly [queue: string, messages: number] | undefined> {
    for (const id of queues) {
      const { Attributes = {} } = await stack.queueClient.send(
        new GetQueueAttributesCommand({ QueueUrl: await urlOf(id), AttributeNames: ['All'] }),
      );
      const count = ['', 'NotVisible', 'Delayed']
        .map((kind) => `ApproximateNumberOfMessages${kind}` as keyof typeof Attributes)
        .reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
      if (count > 0) return [id, count];
    }
    return undefined;
  }

  test('every table and every queue that is no dead-letter queue has something in the fixture', () => {
    const empty = Object.keys(stored.items).filter((table) => stored.items[table]?.length === 0);
    expect(empty).toEqual([]);
    expect(Object.keys(stored.messages).sort()).toEqual(
      queues.filter((id) => !/DeadLetters/.test(id)).sort(),
    );
  });

  test('owners read the same as before', async () => {
    for (const [path, before] of Object.entries(stored.answers)) {
      expect([path, comparable(await owner.must('GET', path))]).toMatchObject([path, comparable(before)]);
    }
  });

  test('cursors lead to the same page as before', async () => {
    for (const { path, cursor, next } of stored.pages) {
      const found = await owner.must('GET', `${path}&cursor=${cursor}`);
      expect([path, comparable(found)]).toMatchObject([path, comparable(next)]);
    }
  });

  test('tokens, secrets, pages, providers and API keys work', async () => {
    const leadIds = await submitEverywhere(stack, stored.sender);
    await deliverOnce(stack, stored.source);
    const { must } = makeOwner(stack.outputs.settingsUrl ?? '', stored.apiKey, atOnce);
    await must('GET', '/stats');
    const listed = await until(
      () => must<{ leads: { submissionId: string }[] }>('GET', '/leads'),
      ({ leads }) => leadIds.every((id) => leads.some(({ submissionId }) => submissionId === id)),
    );
    expect(listed.leads.map(({ submissionId }) => submissionId)).toEqual(expect.arrayContaining(leadIds));
  });

  test('messages that wait in queues are taken', async () => {
    for (const [queue, bodies] of Object.entries(stored.messages)) {
      const QueueUrl = await urlOf(queue);
      for (const MessageBody of bodies) {
        await stack.queueClient.send(new SendMessageCommand({ QueueUrl, MessageBody }));
      }
    }
  });

  test('meanwhile, the released code does the work in the background', async () => {
    const expected = Object.keys(releasedBundles()).filter((folder) => !NOT_CALLED.includes(folder));
    const isMissing = (folder: string) => !existsSync(join(released.codeFolder, folder, 'ran'));
    const missing = await until(
      async () => expected.filter(isMissing),
      ({ length }) => length === 0,
    );
    expect(missing).toEqual([]);
    expect(released.complaints).toEqual([]);
  });

  test('messages that waited in queues are understood', async () => {
    const isNone = (found: unknown) => found === undefined;
    // Some messages come back after a minute, which is also how long this waits at most: so it waits twice.
    await until(waiting, isNone);
    expect(await until(waiting, isNone)).toBeUndefined();
  });

  test('a message that waited for another attempt is sent', async () => {
    const received = async () => receivers[2]?.received.length ?? 0;
    expect(await until(received, (count) => count > 0)).toBeGreaterThan(0);
  });

  test('no function has failed', () => {
    expect(running.complaints).toEqual([]);
  });
});
