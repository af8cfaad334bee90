import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Closers } from '../../local/lifecycle.ts';
import { CAN_MEASURE, type ProcessCost } from '../http/process-cost.ts';
import { type RunningStack, runLocalStack, startArguments } from '../http/run-local-stack.ts';
import { median } from './cpu.ts';

/** A figure of each process of the local stack. */
export interface Split {
  readonly node: number;
  readonly java: number;
}

/** What `npm start` costs per accepted lead, including background work. */
export interface LocalStackCost {
  readonly leads: number;
  readonly connections: number;
  readonly cpuMillisecondsPerLead: Split;
  readonly leadsPerSecond: number;
  /** Before the first lead, after half of them, after all, and after the background work, when memory was given back. */
  readonly residentMegabytes: readonly Split[];
  /** Seconds from the last response until all work was done. */
  readonly secondsUntilIdle: number;
  /** The share of one processor that an idle stack takes. */
  readonly idleShare: number;
  /** From the response until a lead is in the owners' inbox, at `steadyPerSecond` leads per second. */
  readonly inboxSeconds: { readonly median: number; readonly slowest: number };
  readonly steadyPerSecond: number;
}

/** The figures with all data in memory, and those that the default has, with data on disk. */
export interface LocalStackCosts extends LocalStackCost {
  readonly onDisk: LocalStackCost;
}

const CONNECTIONS = 4;
/** Enough that none comes near its limit of 1,000 leads per minute. */
const SENDERS = 40;
const WARM_UP_LEADS = 400;
const STEADY = { amount: 500, perSecond: 50 };
/** Fewer, because data on disk is only compared. */
const SHARE_ON_DISK = 0.3;
/** After this long without work the stack polls rarely. */
const REST_MILLISECONDS = 12_000;
/** A whole minute, because some functions run once per minute. */
const IDLE_SAMPLE_MILLISECONDS = 60_000;
/** The share of one processor below which the stack only polls. */
const QUIET_SHARE = 0.15;
const SAMPLE_MILLISECONDS = 1_000;

/** Undefined where the operating system does not say what a process has cost. */
export async function measureLocalStack(
  { leads }: { readonly leads: number },
  closers: Closers,
): Promise<LocalStackCosts | undefined> {
  if (!CAN_MEASURE) {
    console.error('local-stack: skipped, because it reads /proc, which only Linux has');
    return undefined;
  }
  const data = mkdtempSync(join(tmpdir(), 'lead-ingest-bench-'));
  closers.defer(() => rmSync(data, { recursive: true, force: true }));
  // First, because it leaves compiled code: only the first start after a change loads Node's compiler, of some 20 MB.
  const onDisk = await measureStorage(Math.round(leads * SHARE_ON_DISK), ['--data', data], closers);
  const inMemory = await measureStorage(leads, ['--ephemeral'], closers);
  return { ...inMemory, onDisk };
}

async function measureStorage(
  leads: number,
  storage: readonly string[],
  closers: Closers,
): Promise<LocalStackCost> {
  const stack = await runLocalStack(storage, closers);
  const senders = await stack.makeSenders(SENDERS);
  const send = (amount: number) => stack.send({ senders, amount, connections: CONNECTIONS });
  await send(WARM_UP_LEADS);
  await waitUntilIdle(stack);
  await requireAllProcessed(stack, WARM_UP_LEADS);
  await sleep(REST_MILLISECONDS);
  const idleShare = await cpuShare(stack, IDLE_SAMPLE_MILLISECONDS);
  const before = stack.cost();
  const firstSeconds = await send(leads / 2);
  const half = stack.cost();
  const secondSeconds = await send(leads / 2);
  const all = stack.cost();
  const answeredAt = performance.now();
  await waitUntilIdle(stack);
  const secondsUntilIdle = (performance.now() - answeredAt) / 1_000;
  const after = stack.cost();
  // Otherwise the figures would leave out unfinished work.
  await requireAllProcessed(stack, WARM_UP_LEADS + leads);
  const inboxSeconds = (await stack.sendSteadily({ senders, ...STEADY })).sort((a, b) => a - b);
  await stack.end();
  const perLead = (name: keyof Split) => (after[name].cpuMilliseconds - before[name].cpuMilliseconds) / leads;
  return {
    leads,
    connections: CONNECTIONS,
    cpuMillisecondsPerLead: { node: perLead('node'), java: perLead('java') },
    leadsPerSecond: leads / (firstSeconds + secondSeconds),
    residentMegabytes: [before, half, all, after].map(({ node, java }) => ({
      node: node.residentMegabytes,
      java: java.residentMegabytes,
    })),
    secondsUntilIdle,
    idleShare,
    inboxSeconds: { median: median(inboxSeconds), slowest: inboxSeconds.at(-1) ?? Number.NaN },
    steadyPerSecond: STEADY.perSecond,
  };
}

/** The share of one processor that both processes take together. */
async function cpuShare(stack: RunningStack, milliseconds = SAMPLE_MILLISECONDS): Promise<number> {
  const sum = ({ node, java }: Readonly<Record<keyof Split, ProcessCost>>) =>
    node.cpuMilliseconds + java.cpuMilliseconds;
  const [startedAt, before] = [performance.now(), sum(stack.cost())];
  await sleep(milliseconds);
  return (sum(stack.cost()) - before) / (performance.now() - startedAt);
}

/** Idle twice in a row, because there are pauses between two polls. */
async function waitUntilIdle(stack: RunningStack): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    quiet = (await cpuShare(stack)) < QUIET_SHARE ? quiet + 1 : 0;
  }
}

async function requireAllProcessed(stack: RunningStack, leads: number): Promise<void> {
  const { counted, queued } = await stack.progress();
  // More, where a submission missed its deadline after its lead was stored.
  if (counted < leads || queued > 0) {
    throw new Error(
      `The stack is idle, but only ${counted} of ${leads} leads are counted, and ${queued} messages wait`,
    );
  }
}

/** Seconds from the command until everything is ready. */
export interface StartTimes {
  /** In a new data folder. */
  readonly first: number;
  /** The median of further starts in the same folder. */
  readonly again: number;
  /** The load average per processor before the measurement. */
  readonly loadPerProcessor: number;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export async function measureStart(
  { starts, loadPerProcessor }: { starts: number; loadPerProcessor: number },
  closers: Closers,
): Promise<StartTimes> {
  const data = mkdtempSync(join(tmpdir(), 'lead-ingest-start-'));
  closers.defer(() => rmSync(data, { recursive: true, force: true }));
  const first = await startOnce(data, closers);
  const again: number[] = [];
  for (let start = 0; start < starts; start += 1) again.push(await startOnce(data, closers));
  return { first, again: median(again), loadPerProcessor };
}

async function startOnce(data: string, closers: Closers): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...startArguments(), '--json', '--port', '0', '--data', data], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  closers.defer(() => end(child));
  await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('npm start ended'))),
  ]);
  const seconds = (performance.now() - startedAt) / 1_000;
  await end(child);
  return seconds;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
