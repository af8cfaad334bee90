import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import autocannon from 'autocannon';
import { toDocumentClient } from '../../lambdas/aws/document-client.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { makeAdministration } from '../../lambdas/settings/administration/administration.ts';
import type { Closers } from '../../local/lifecycle.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../../local/local-account.ts';
import { readRunningStack, type RunningStack as Stack } from '../../local/workbench/running-stack.ts';
import { BODIES } from '../fixtures/index.ts';
import { childRunning } from '../measure/local-stack.ts';

export interface Load {
  readonly tokens: readonly string[];
  readonly amount: number;
  readonly connections: number;
}

/** `npm start` in a process of its own, as its users see it. */
export interface RunningStack {
  readonly pids: { readonly node: number; readonly java: number };
  /** Each of a workspace of its own. */
  makeTokens(count: number): Promise<string[]>;
  /** Sends leads, all of which must be accepted; gives the seconds that it took. */
  send(load: Load): Promise<number>;
  /** How many leads have been counted, and how many wait to be enriched. */
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
  const pid = child.pid as number;
  return {
    pids: { node: pid, java: childRunning('java', pid) },
    makeTokens: (count) => makeTokens(stack, client, count),
    send: (load) => send(`${stack.ingestUrl}/api/v1/ingest`, load),
    async progress() {
      return { counted: await countCounted(stack, client), queued: await countQueued(stack, sqs) };
    },
    end,
  };
}

/** What `npm start` hands to Node, flags and all. */
export function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const [program, ...rest] = (scripts.start as string).split(' ');
  if (program !== 'node') throw new Error(`npm start runs ${program}`);
  return rest;
}

async function makeTokens(stack: Stack, client: DocumentClient, count: number): Promise<string[]> {
  const administration = makeAdministration({ client, tables: stack.tables, now: Date.now, randomBytes });
  const tokens: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const { workspaceId } = await administration.createWorkspace({ name: 'Bench' });
    const { formId } = await administration.createForm({ workspaceId, name: 'Bench' });
    tokens.push((await administration.createToken({ formId })).token);
  }
  return tokens;
}

type DocumentClient = ReturnType<typeof toDocumentClient>;

async function send(url: string, { tokens, amount, connections }: Load): Promise<number> {
  const result = await autocannon({
    url,
    connections,
    amount,
    requests: tokens.map((token) => ({
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: BODIES['1 KB'],
    })),
  });
  const accepted = result.statusCodeStats?.['202']?.count ?? 0;
  if (accepted !== amount || result.errors > 0) {
    throw new Error(`${accepted} of ${amount} were accepted, with ${result.errors} errors`);
  }
  return (result.finish.getTime() - result.start.getTime()) / 1_000;
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

/** Waiting or being worked on. */
async function countQueued(stack: Stack, sqs: SQSClient): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: stack.output(OUTPUTS.queues.enrichment),
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Object.values(Attributes).reduce((sum, value) => sum + Number(value), 0);
}
