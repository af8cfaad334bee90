import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContract, type Tenant } from '../../contract/tenant.ts';
import { crowd } from '../../lambdas/submission/workbench.ts';
import { type Finding, logProgress, measured, noExceptions } from '../findings.ts';
import type { LoadOptions } from '../options.ts';
import { acceptedId, makePost } from '../post.ts';
import { seededRandom } from '../seeded-random.ts';
import { freePort } from '../stack/free-port.ts';
import { startStack } from '../stack/start-stack.ts';
import { audit } from './audit.ts';
import { strikeWithDisasters, type Tally } from './disasters.ts';
import { type Client, makePlan } from './plan.ts';
import { fillMinutes, type Ledger, newLedger, type SenderSettings, startSenders, submit } from './senders.ts';
import { settle } from './settle.ts';

const TENANTS = 4;
const TIGHT_TENANT = 0;
const PERMITS_LEFT = 10;
const FILLED_MINUTES = 40;
const PATIENCE_MILLISECONDS = 120_000;
const CONNECTIONS = 64;

/** Sends under keys while the stack's parts are killed and started again, then audits what the tables hold. */
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
  const { stack, tally } = await strikeWithDisasters({
    stack: first,
    seconds,
    random: seededRandom(seed + 1),
    startAgain: () => startStack(args),
    accepted: () => ledger.accepted,
  });
  logProgress(`${plans} keys begun; those under way are finished`);
  await senders.finish(PATIENCE_MILLISECONDS);
  logProgress('every accepted key is sent once more');
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

/** In peace, every key that was ever accepted must still have its answer. */
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
      'every key that was accepted still gets its answer',
      different.map(({ plan }) => plan.key),
      accepted.length,
      'keys sent once more',
    ),
    noExceptions(
      'whoever went on sending was accepted in the end',
      kept.filter(({ acceptedIds }) => acceptedIds.size === 0).map(({ plan }) => plan.key),
      kept.length,
      'keys of workspaces with room',
    ),
  ];
}

function figuresOf(ledger: Ledger, tally: Tally): Finding[] {
  const { attempts, lost, rejections, slowestMilliseconds } = ledger;
  const environments = [...tally.environmentKills.values()].reduce((sum, count) => sum + count, 0);
  const count = (value: number) => value.toLocaleString('en');
  return [
    measured(
      'killed and started again',
      `DynamoDB Local ${tally.engineKills} times, the whole stack ${tally.stackKills} times, ` +
        `${environments} environments of ${tally.environmentKills.size} functions; ${tally.stalls} stalls of DynamoDB Local`,
    ),
    measured(
      'sent',
      `${count(ledger.keys.size)} keys in ${count(attempts)} attempts: ${count(rejections)} rejected, ` +
        `${count(lost)} noExceptions an answer; slowest answer ${(slowestMilliseconds / 1000).toFixed(1)} s`,
    ),
  ];
}
