import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Closers } from '../../local/lifecycle.ts';
import { type RunningStack, runLocalStack } from '../http/run-local-stack.ts';

/** What the kernel has charged to a process so far, and what it holds now. */
export interface ProcessCost {
  readonly cpuMilliseconds: number;
  readonly residentMegabytes: number;
}

/** The kernel counts in these, on every Linux that Node runs on. */
const MILLISECONDS_PER_TICK = 10;

/** Whether the kernel tells of its processes as read here. */
export const CAN_MEASURE = process.platform === 'linux';

export function costOf(pid: number): ProcessCost {
  const fields = statFields(pid);
  // utime and stime, the 14th and 15th of `man 5 proc_pid_stat`; the list begins after the name, with the third.
  const ticks = Number(fields[11]) + Number(fields[12]);
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    cpuMilliseconds: ticks * MILLISECONDS_PER_TICK,
    residentMegabytes: Number(kilobytes) / 1_024,
  };
}

/** The child of a process that runs this program. */
export function childRunning(program: string, parentPid: number): number {
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
    // It ended while we were looking.
    return false;
  }
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
}

/** Behind the name, which stands in brackets and may itself hold blanks. */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Of one process, or of both together. */
export interface Split {
  readonly node: number;
  readonly java: number;
}

/** What `npm start` costs for each accepted lead, the work in the background included. */
export interface LocalStackCost {
  readonly leads: number;
  readonly connections: number;
  readonly cpuMillisecondsPerLead: Split;
  readonly leadsPerSecond: number;
  /** Before the first lead, after half of them, and after all. */
  readonly residentMegabytes: readonly Split[];
  /** Seconds after the last answer until nothing was left to do. */
  readonly secondsUntilIdle: number;
  /** The share of one processor that an idle stack takes. */
  readonly idleShare: number;
}

export interface LocalStackSettings {
  readonly leads: number;
  /** More options of `npm start`: where its data lies. */
  readonly storage?: readonly string[];
}

const CONNECTIONS = 4;
/** So many that none comes near 1,000 leads per minute. */
const SENDERS = 40;
const WARM_UP_LEADS = 400;
/** Of one processor: whatever takes more than this is work. Polling alone takes less. */
const QUIET_SHARE = 0.15;
const LOOK_MILLISECONDS = 1_000;

/** Undefined where the machine does not tell what a process has cost. */
export async function measureLocalStack(
  { leads, storage = ['--ephemeral'] }: LocalStackSettings,
  closers: Closers,
): Promise<LocalStackCost | undefined> {
  if (!CAN_MEASURE) {
    console.error('local-stack: skipped, because it reads /proc, which only Linux has');
    return undefined;
  }
  const stack = await runLocalStack(storage, closers);
  const cost = () => ({ node: costOf(stack.pids.node), java: costOf(stack.pids.java) });
  const tokens = await stack.makeTokens(SENDERS);
  const send = (amount: number) => stack.send({ tokens, amount, connections: CONNECTIONS });
  await send(WARM_UP_LEADS);
  await waitUntilIdle(cost);
  await requireAllProcessed(stack, WARM_UP_LEADS);
  const idleShare = await cpuShare(cost);
  const before = cost();
  const firstSeconds = await send(leads / 2);
  const half = cost();
  const secondSeconds = await send(leads / 2);
  const answeredAt = performance.now();
  await waitUntilIdle(cost);
  const secondsUntilIdle = (performance.now() - answeredAt) / 1_000;
  const after = cost();
  // Else the figures would leave out what is yet to come.
  await requireAllProcessed(stack, WARM_UP_LEADS + leads);
  await stack.end();
  const perLead = (name: keyof Split) => (after[name].cpuMilliseconds - before[name].cpuMilliseconds) / leads;
  return {
    leads,
    connections: CONNECTIONS,
    cpuMillisecondsPerLead: { node: perLead('node'), java: perLead('java') },
    leadsPerSecond: leads / (firstSeconds + secondSeconds),
    residentMegabytes: [before, half, after].map(({ node, java }) => ({
      node: node.residentMegabytes,
      java: java.residentMegabytes,
    })),
    secondsUntilIdle,
    idleShare,
  };
}

/** The share of one processor that both processes take together. */
async function cpuShare(cost: () => CostOfBoth): Promise<number> {
  const sum = ({ node, java }: CostOfBoth) => node.cpuMilliseconds + java.cpuMilliseconds;
  const [startedAt, before] = [performance.now(), sum(cost())];
  await sleep(LOOK_MILLISECONDS);
  return (sum(cost()) - before) / (performance.now() - startedAt);
}

type CostOfBoth = Readonly<Record<keyof Split, ProcessCost>>;

/** Twice in a row, for there are pauses between two polls. */
async function waitUntilIdle(cost: () => CostOfBoth): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    quiet = (await cpuShare(cost)) < QUIET_SHARE ? quiet + 1 : 0;
  }
}

async function requireAllProcessed(stack: RunningStack, leads: number): Promise<void> {
  const { counted, queued } = await stack.progress();
  if (counted !== leads || queued > 0) {
    throw new Error(`quiet, but ${counted} of ${leads} leads are counted and ${queued} wait to be enriched`);
  }
}
