import { setTimeout as sleep } from 'node:timers/promises';
import { logProgress } from '../findings.ts';
import type { Random } from '../seeded-random.ts';
import type { StackProcess } from '../stack/start-stack.ts';

/** What was done to the stack. */
export interface Tally {
  engineKills: number;
  stackKills: number;
  stalls: number;
  /** By function: an environment is killed wherever it is in its work. */
  readonly environmentKills: Map<string, number>;
}

export interface DisasterSettings {
  readonly stack: StackProcess;
  readonly startAgain: () => Promise<StackProcess>;
  readonly seconds: number;
  /** How many keys have been accepted so far. */
  readonly accepted: () => number;
  readonly random: Random;
}

/** Each round ends with one of these. The last does not, so that what was killed then must recover by itself. */
const ROUNDS = ['engine', 'stack', 'engine', 'stack', undefined] as const;
const LONGEST_STALL_MS = 5_000;
/** A round goes on until this many keys have been accepted for each of its seconds, on however slow a machine. */
const KEYS_PER_SECOND = 30;
const LONGEST_ROUND_MS = 180_000;

/** Does to the stack what happens to machines. Gives the stack that runs at the end. */
export async function strikeWithDisasters(settings: DisasterSettings) {
  const { random } = settings;
  const tally: Tally = { engineKills: 0, stackKills: 0, stalls: 0, environmentKills: new Map() };
  const roundMilliseconds = (settings.seconds * 1000) / ROUNDS.length;
  let { stack } = settings;

  for (const ending of ROUNDS) {
    const round = new AbortController();
    const enough = settings.accepted() + (KEYS_PER_SECOND * settings.seconds) / ROUNDS.length;
    const latest = performance.now() + LONGEST_ROUND_MS;
    const killing = killEnvironments(stack, tally, random, round.signal);
    await sleep(roundMilliseconds * 0.4);
    const stallMilliseconds = Math.min(LONGEST_STALL_MS, roundMilliseconds * 0.3);
    logProgress(`DynamoDB Local stalls for ${stallMilliseconds} ms`);
    await stallEngine(stack, stallMilliseconds);
    tally.stalls += 1;
    await sleep(roundMilliseconds * 0.3);
    while (settings.accepted() < enough && performance.now() < latest) await sleep(100);
    round.abort();
    if (ending === 'engine') {
      logProgress('DynamoDB Local is killed');
      // Without its database the stack ends itself.
      process.kill(stack.enginePid, 'SIGKILL');
      await stack.ended;
      tally.engineKills += 1;
    } else if (ending === 'stack') {
      logProgress('the whole stack is killed');
      await stack.kill();
      tally.stackKills += 1;
    }
    await killing;
    if (ending !== undefined) stack = await settings.startAgain();
  }
  return { stack, tally };
}

/** Stopped, it takes what is written to it and answers when it goes on: to a client that has given up. */
async function stallEngine({ enginePid }: StackProcess, milliseconds: number): Promise<void> {
  process.kill(enginePid, 'SIGSTOP');
  await sleep(milliseconds);
  process.kill(enginePid, 'SIGCONT');
}

async function killEnvironments(stack: StackProcess, tally: Tally, random: Random, signal: AbortSignal) {
  while (!signal.aborted) {
    await sleep(2_000 + random() * 2_000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const killed = await stack.ask({ kind: 'kill-environment', draw: random() }).catch(() => null);
    if (killed !== null) tally.environmentKills.set(killed, (tally.environmentKills.get(killed) ?? 0) + 1);
  }
}
