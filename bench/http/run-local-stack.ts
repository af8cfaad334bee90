import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import autocannon from 'autocannon';
import { batchGet, toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { listKey } from '../../lambdas/leads/search/index-entry.ts';
import { makeAdministration } from '../../lambdas/workspaces/administration.ts';
import { readRunningStack, type RunningStack as Stack } from '../../local/fixture/running-stack.ts';
import type { Closers } from '../../local/lifecycle.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../../local/local-account.ts';
import { BODIES } from '../fixtures/index.ts';
import { childRunning, costOf, type ProcessCost } from './process-cost.ts';

export interface Load {
  readonly senders: readonly Sender[];
  readonly amount: number;
  readonly connections: number;
}

export interface SteadyLoad extends Omit<Load, 'connections'> {
  readonly perSecond: number;
}

export interface Sender {
  readonly workspaceId: string;
  readonly token: string;
}

/** `npm start` in its own process, as users run it. */
export interface RunningStack {
  cost(): { readonly node: ProcessCost; readonly java: ProcessCost };
  /** Each in its own workspace. */
  makeSenders(count: number): Promise<Sender[]>;
  /** Sends leads until this many are accepted. Returns how many seconds that took. */
  send(load: Load): Promise<number>;
  /** Sends leads at this rate. Returns for each how many seconds after its response it was in the owners' inbox. */
  sendSteadily(load: SteadyLoad): Promise<number[]>;
  /** How many leads have been counted, and how many messages wait in queues. */
  progress(): Promise<{ readonly counted: number; readonly queued: number }>;
  end(): Promise<void>;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export async function runLocalStack(storage: readonly string[], closers: Closers): Promise<RunningStack> {
  const child = spawn(process.execPath, [...startArguments(), '--json', '--port', '0', ...storage], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
  closers.defer(end);
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('npm start ended'))),
  ]);
  const stack = readRunningStack((JSON.parse(line) as { outputsFile: string }).outputsFile);
  const client = toDocumentClient(stack.newClient());
  const sqs = new SQSClient({
    endpoint: stack.output(OUTPUTS.localSqsEndpoint),
    region: LOCAL_REGION,
    credentials: LOCAL_CREDENTIALS,
  });
  closers.defer(() => {
    client.destroy();
    sqs.destroy();
  });
  const nodePid = child.pid as number;
  const javaPid = childRunning('java', nodePid);
  return {
    cost: () => ({ node: costOf(nodePid), java: costOf(javaPid) }),
    makeSenders: (count) => makeSenders(stack, client, count),
    send: (load) => send(`${stack.ingestUrl}${INGEST_PATH}`, load),
    sendSteadily: (load) => watchInbox(stack, client, sendSteadily(`${stack.ingestUrl}${INGEST_PATH}`, load)),
    async progress() {
      return { counted: await countCounted(stack, client), queued: await countQueued(sqs) };
    },
    end,
  };
}

/** The arguments that `npm start` passes to Node. */
export function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [program, ...rest] = (scripts.start as string).split(' ');
  if (program !== 'node') throw new Error(`npm start runs ${program}`);
  return rest;
}

const INGEST_PATH = '/api/v1/ingest';

async function makeSenders(stack: Stack, client: DocumentClient, count: number): Promise<Sender[]> {
  const administration = makeAdministration({ client, tables: stack.tables, now: Date.now, randomBytes });
  const senders: Sender[] = [];
  for (let made = 0; made < count; made += 1) {
    const { workspaceId } = await administration.createWorkspace({ name: 'Bench' });
    const { formId } = await administration.createForm({ workspaceId, name: 'Bench' });
    senders.push({ workspaceId, token: (await administration.createToken({ formId })).token });
  }
  return senders;
}

/** The request that each lead is. */
const requestOf = ({ token }: Sender) => ({
  method: 'POST' as const,
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  body: BODIES['1 KB'],
});

interface Accepted {
  readonly workspaceId: string;
  readonly leadId: string;
  readonly at: number;
}

async function sendOne(url: string, sender: Sender): Promise<Accepted> {
  const response = await fetch(url, requestOf(sender));
  const { submission_id: leadId } = (await response.json()) as { submission_id?: string };
  if (response.status !== 202 || leadId === undefined) throw new Error(`status ${response.status}`);
  return { workspaceId: sender.workspaceId, leadId, at: performance.now() };
}

/** Each lead in its turn, also if the one before has no response yet. */
async function* sendSteadily(
  url: string,
  { senders, amount, perSecond }: SteadyLoad,
): AsyncGenerator<Accepted> {
  const startedAt = performance.now();
  const sending = Array.from({ length: amount }, async (_, index) => {
    await sleep(startedAt + (1_000 * index) / perSecond - performance.now());
    return sendOne(url, senders[index % senders.length] as Sender);
  });
  // Otherwise a failure while an earlier one is awaited would end the process.
  for (const each of sending) each.catch(() => undefined);
  yield* sending;
}

const LOOK_MILLISECONDS = 200;
/** As many keys as one batch reads. */
const LOOK_AT = 100;

/** Looks at the list of leads that the owners' inbox shows, until all expected ones are there. */
async function watchInbox(stack: Stack, client: DocumentClient, expected: AsyncIterable<Accepted>) {
  const seconds: number[] = [];
  let missing: Accepted[] = [];
  let isComplete = false;
  const collecting = (async () => {
    for await (const accepted of expected) missing.push(accepted);
  })().finally(() => {
    isComplete = true;
  });
  while (!isComplete || missing.length > 0) {
    const some = missing.slice(0, LOOK_AT);
    const addresses = some.map((lead) => ({ table: stack.tables.leadIndex, key: listKey(lead) }));
    const items = await batchGet(client, addresses, AbortSignal.timeout(10_000));
    const found = new Set(some.filter((_, index) => items[index] !== undefined));
    missing = missing.filter((lead) => !found.has(lead));
    for (const { at } of found) seconds.push((performance.now() - at) / 1_000);
    await sleep(LOOK_MILLISECONDS);
  }
  await collecting;
  return seconds;
}

type DocumentClient = ReturnType<typeof toDocumentClient>;

/** A machine that stands still for seconds, as virtual ones do, makes a few submissions miss their deadline. */
const TOLERATED_REJECTIONS = 0.005;

/** Rejected leads are sent again, as a sender would. */
async function send(url: string, { senders, amount, connections }: Load): Promise<number> {
  const requests = senders.map(requestOf);
  let [missing, rejected, seconds] = [amount, 0, 0];
  while (missing > 0) {
    const result = await autocannon({
      url,
      connections: Math.min(connections, missing),
      amount: missing,
      requests,
    });
    missing -= result.statusCodeStats?.['202']?.count ?? 0;
    seconds += (result.finish.getTime() - result.start.getTime()) / 1_000;
    rejected += missing;
    if (rejected > amount * TOLERATED_REJECTIONS || result.errors > 0) {
      throw new Error(`${rejected} of ${amount} leads were rejected, with ${result.errors} errors`);
    }
  }
  if (rejected > 0) console.error(`local-stack: ${rejected} of ${amount} leads were rejected and sent again`);
  return seconds;
}

async function countCounted(stack: Stack, client: DocumentClient): Promise<number> {
  let counted = 0;
  const pages = paginateScan(
    { client },
    {
      TableName: stack.tables.stats,
      FilterExpression: 'begins_with(sk, :hour)',
      ExpressionAttributeValues: { ':hour': 'hour#' },
    },
  );
  for await (const { Items = [] } of pages) {
    for (const { accepted } of Items) counted += Number(accepted);
  }
  return counted;
}

/** Messages in all queues, or being processed. */
async function countQueued(sqs: SQSClient): Promise<number> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  let queued = 0;
  for (const QueueUrl of QueueUrls) {
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({
        QueueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    for (const value of Object.values(Attributes)) queued += Number(value);
  }
  return queued;
}
