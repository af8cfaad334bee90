import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../../contract/tenant.ts';
import { hang, type Reply, reset, respondWith } from '../../sending/receiver.ts';
import { openSendingWorld } from '../../sending/sending-world.ts';
import { type Finding, logProgress } from '../findings.ts';
import { makePost, type Post } from '../post.ts';
import { startStack } from '../stack/start-stack.ts';
import { auditTenants, type Timed } from './audit-forwarding.ts';
import { newTimedReceiver, sendSteadily } from './forwarding.ts';

const CONNECTIONS = 16;
const DESTINATIONS = 20;
const HOSTILE_LEADS = 40;
const OTHER_LEADS = 60;
const SLOW_MILLISECONDS = 9_500;

type World = ReturnType<typeof openSendingWorld>;

const slow: Reply = (response, request) => {
  setTimeout(() => respondWith(204)(response, request), SLOW_MILLISECONDS).unref();
};
const upgrade: Reply = (response) =>
  void response.socket?.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
  );

/** In turn, for the destinations of a hostile tenant. Slow successes do the most harm, so they are the most. */
const REPLIES = [slow, slow, hang, upgrade, reset];

/** Leads of a tenant whose receiver works, beside hostile tenants with 20 destinations each: none, one and two. */
export async function runTenants(): Promise<Finding[]> {
  const beside = new Map<number, readonly Timed[]>();
  for (const hostile of [0, 1, 2]) {
    const stack = await startStack(['--allow-loopback-destinations']);
    const world = openSendingWorld();
    logProgress(`${hostile} hostile tenants`);
    beside.set(hostile, await runBeside(world, makePost(stack.ingestUrl, CONNECTIONS), hostile));
    await world.clear();
    world.client.destroy();
    await stack.stop();
  }
  return auditTenants(beside);
}

async function runBeside(world: World, post: Post, hostile: number): Promise<Timed[]> {
  const { sendTimed } = await newTimedReceiver(world, post, await world.newTenant());
  // Warm functions: the first lead waits for their start.
  await sendTimed({ count: 5, rate: 5 });
  const attackers = await Promise.all(Array.from({ length: hostile }, () => newHostileTenant(world)));
  const attack = Promise.all(
    attackers.map((attacker) => sendSteadily(post, attacker, { count: HOSTILE_LEADS, rate: 4 })),
  );
  await sleep(1_000);
  const leads = await sendTimed({ count: OTHER_LEADS, rate: 1 });
  await attack;
  return leads;
}

async function newHostileTenant(world: World): Promise<Tenant> {
  const tenant = await world.newTenant();
  for (let number = 0; number < DESTINATIONS; number += 1) {
    const receiver = await world.newReceiver();
    receiver.play(REPLIES[number % REPLIES.length] as Reply);
    await world.newWebhook(tenant, receiver.url, { onlyClean: false });
  }
  return tenant;
}
