import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import autocannon from 'autocannon';
import { toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { makeAdministration } from '../../lambdas/workspaces/administration.ts';
import { readRunningStack, type RunningStack as Stack } from '../../local/fixture/running-stack.ts';
import type { Closers } from '../../local/lifecycle.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../../local/local-account.ts';
import { BODIES } from '../fixtures/index.ts';

export interface Load {
  readonly tokens: readonly string[];
  readonly amount: number;
  readonly connections: number;
}

/** What the kernel has charged to a process so far, and what it holds now. */
export interface ProcessCost {
  readonly cpuMilliseconds: number;
  readonly residentMegabytes: number;
}

/** `npm start` in its own process, as users run it. */
export interface RunningStack {
  cost(): { readonly node: ProcessCost; readonly java: ProcessCost };
  /** Each in its own workspace. */
  makeTokens(count: number): Promise<string[]>;
  /** Sends leads, all of which must be accepted. Returns how many seconds that took. */
  send(load: Load): Promise<number>;
  /** How many leads have been counted, and how many wait for enrichment. */
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
    makeTokens: (count) => makeTokens(stack, client, count),
    send: (load) => send(`${stack.ingestUrl}/api/v1/ingest`, load),
    async progress() {
      return { counted: await countCounted(stack, client), queued: await countQueued(stack, sqs) };
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

/** Messages in the queue or being processed. */
async function countQueued(stack: Stack, sqs: SQSClient): Promise<number> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: stack.output(OUTPUTS.queues.enrichment),
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Object.values(Attributes).reduce((sum, value) => sum + Number(value), 0);
}

/** The kernel's unit of CPU time, on every Linux that Node runs on. */
const MILLISECONDS_PER_TICK = 10;

/** Only Linux has /proc. */
export const CAN_MEASURE = process.platform === 'linux';

function costOf(pid: number): ProcessCost {
  const fields = statFields(pid);
  // utime and stime, fields 14 and 15 of `man 5 proc_pid_stat`. This list starts with field 3.
  const ticks = Number(fields[11]) + Number(fields[12]);
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    cpuMilliseconds: ticks * MILLISECONDS_PER_TICK,
    residentMegabytes: Number(kilobytes) / 1_024,
  };
}

/** The child of a process that runs this program. */
function childRunning(program: string, parentPid: number): number {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => isChild(pid, parentPid) && commandOf(pid).endsWith(program));
  if (found === undefined) throw new Error(`process ${parentPid} has no child that runs ${program}`);
  return found;
}

function isChild(pid: number, parentPid: number): boolean {
  try {
    return Number(statFields(pid)[1]) === parentPid;
  } catch {
    // It ended in the meantime.
    return false;
  }
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
}

/** The fields after the name, which is in brackets and may contain spaces. */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
