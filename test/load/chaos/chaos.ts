import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '#bench/seeded-random.ts';
import { openContract, type Tenant } from '../../contract/tenant.ts';
import { crowd } from '../../lambdas/submission/submission-fixture.ts';
import { type Finding, logProgress, measured, noExceptions } from '../findings.ts';
import { acceptedId, makePost } from '../post.ts';
import type { LoadOptions } from '../run.ts';
import { freePort, type StackProcess, startStack } from '../stack/start-stack.ts';
import { audit } from './audit.ts';
import { type Client, makePlan } from './plan.ts';
import { fillMinutes, type Ledger, newLedger, type SenderSettings, startSenders, submit } from './senders.ts';
import { settle } from './settle.ts';

/** The faults injected into the stack. */
export interface Tally {
  engineKills: number;
  stackKills: number;
  stalls: number;
  /** By function. An environment is killed at any point of its work. */
  readonly environmentKills: Map<string, number>;
}

interface DisasterSettings {
  readonly stack: StackProcess;
  readonly startAgain: () => Promise<StackProcess>;
  readonly seconds: number;
  /** How many keys have been accepted so far. */
  readonly accepted: () => number;
  readonly random: Random;
}

/** Each round ends with one of these, except the last, so that the stack must recover by itself. */
const ROUNDS = ['engine', 'stack', 'engine', 'stack', undefined] as const;
const MAX_STALL_MS = 5_000;
/** A round lasts until this many keys per second have been accepted, even on a slow machine. */
const KEYS_PER_SECOND = 30;
const MAX_ROUND_MS = 180_000;

/** Kills and stalls parts of the stack. Returns the stack that runs at the end. */
async function injectDisasters(settings: DisasterSettings) {
  const { random } = settings;
  const tally: Tally = { engineKills: 0, stackKills: 0, stalls: 0, environmentKills: new Map() };
  const roundMilliseconds = (settings.seconds * 1000) / ROUNDS.length;
  let { stack } = settings;

  for (const ending of ROUNDS) {
    const round = new AbortController();
    const enough = settings.accepted() + (KEYS_PER_SECOND * settings.seconds) / ROUNDS.length;
    const latest = performance.now() + MAX_ROUND_MS;
    const killing = killEnvironments(stack, tally, random, round.signal);
    await sleep(roundMilliseconds * 0.4);
    const stallMilliseconds = Math.min(MAX_STALL_MS, roundMilliseconds * 0.3);
    logProgress(`DynamoDB Local stalls for ${stallMilliseconds} ms`);
    await stallEngine(stack, stallMilliseconds);
    tally.stalls += 1;
    await sleep(roundMilliseconds * 0.3);
    while (settings.accepted() < enough && performance.now() < latest) await sleep(100);
    round.abort();
    if (ending === 'engine') {
      logProgress('DynamoDB Local is killed');
      // Without its database, the stack stops.
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

/** A stopped engine still accepts requests, and answers later to clients that have given up. */
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

const TENANTS = 4;
const TIGHT_TENANT = 0;
const PERMITS_LEFT = 10;
const FILLED_MINUTES = 40;
const PATIENCE_MILLISECONDS = 120_000;
const CONNECTIONS = 64;

/** Sends with keys while parts of the stack are killed and restarted, then audits the tables. */
export async function runChaos({ seconds, seed }: LoadOptions): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lead-ingest-load-'));
  const args = ['--data', folder, '--port', String(await freePort())];
  const first = await startStack(args);
  const { tenants, rooms } = await makeTenants();
  const ledger = newLedger();
  let plans = 0;
  const settings: SenderSettings = {
    tenants,
    ledger,
    random: seededRandom(seed),
    tightTenant: TIGHT_TENANT,
    post: makePost(first.ingestUrl, CONNECTIONS),
    nextPlan() {
      plans += 1;
      return makePlan(plans, { seed, tenants: TENANTS, tightTenant: TIGHT_TENANT });
    },
  };
  const senders = startSenders(settings);
  const { stack, tally } = await injectDisasters({
    stack: first,
    seconds,
    random: seededRandom(seed + 1),
    startAgain: () => startStack(args),
    accepted: () => ledger.accepted,
  });
  logProgress(`${plans} keys started; finishing those under way`);
  await senders.finish(PATIENCE_MILLISECONDS);
  logProgress('sending every accepted key again');
  const replays = await replayAll(settings);
  logProgress('waiting for the background');
  const { stored, findings } = await settle();
  const found = [
    ...figuresOf(ledger, tally),
    ...audit({ ledger, stored, tenants, rooms }),
    ...replays,
    ...findings,
  ];
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
  return found;
}

async function makeTenants() {
  const contract = openContract();
  const tenants: Tenant[] = [];
  while (tenants.length < TENANTS) tenants.push(await contract.newTenant());
  const { workspaceId } = tenants[TIGHT_TENANT] as Tenant;
  const rooms = await fillMinutes(contract, { workspaceId, minutes: FILLED_MINUTES, left: PERMITS_LEFT });
  contract.client.destroy();
  return { tenants, rooms };
}

/** After the faults, every accepted key must still get its answer. */
async function replayAll(settings: SenderSettings): Promise<Finding[]> {
  const { ledger } = settings;
  const histories = [...ledger.keys.values()];
  const accepted = histories.filter(({ acceptedIds }) => acceptedIds.size > 0);
  const replies = await crowd(accepted.length, CONNECTIONS / 4, async (index) => {
    const { plan } = accepted[index] as (typeof accepted)[number];
    return submit(settings, plan, plan.clients[0] as Client);
  });
  const different = accepted.filter(({ acceptedIds }, index) => {
    const reply = replies[index];
    const id = reply && acceptedId(reply);
    return id === undefined || !acceptedIds.has(id);
  });
  const kept = histories.filter(({ plan }) => plan.tenant !== TIGHT_TENANT);
  return [
    noExceptions(
      'every accepted key still gets its answer',
      different.map(({ plan }) => plan.key),
      accepted.length,
      'keys sent again',
    ),
    noExceptions(
      'every sender that kept retrying was accepted',
      kept.filter(({ acceptedIds }) => acceptedIds.size === 0).map(({ plan }) => plan.key),
      kept.length,
      'keys of workspaces below their limit',
    ),
  ];
}

function figuresOf(ledger: Ledger, tally: Tally): Finding[] {
  const { attempts, lost, rejections, slowestMilliseconds } = ledger;
  const environments = [...tally.environmentKills.values()].reduce((sum, count) => sum + count, 0);
  const count = (value: number) => value.toLocaleString('en');
  return [
    measured(
      'killed and restarted',
      `DynamoDB Local ${tally.engineKills} times, the whole stack ${tally.stackKills} times, ` +
        `${environments} environments of ${tally.environmentKills.size} functions; ${tally.stalls} stalls of DynamoDB Local`,
    ),
    measured(
      'sent',
      `${count(ledger.keys.size)} keys in ${count(attempts)} attempts: ${count(rejections)} rejected, ` +
        `${count(lost)} without an answer; slowest answer ${(slowestMilliseconds / 1000).toFixed(1)} s`,
    ),
  ];
}
