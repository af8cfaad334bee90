import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOT_CLEAN } from '#conformance/world/submission.ts';
import type { Destination } from '#sending/destination.ts';
import { type Message, parseMessageId } from '#sending/message.ts';
import { makeMessageReader } from '#sending/message-reader-store.ts';
import { requestFor, type Tenant } from '../../contract/tenant.ts';
import { hang, respondWith } from '../../sending/receiver.ts';
import { openSendingWorld } from '../../sending/sending-world.ts';
import { type Finding, logProgress } from '../findings.ts';
import { acceptedId, makePost, type Post } from '../post.ts';
import type { LoadOptions } from '../run.ts';
import { startStack } from '../stack/start-stack.ts';
import { auditForwarding, type Timed } from './audit-forwarding.ts';

const CONNECTIONS = 16;
const WARM_UP = 50;
/** How long messages may take after the last lead. More than that is a finding. */
const CAUGHT_UP_MILLISECONDS = 180_000;

type World = ReturnType<typeof openSendingWorld>;

/**
 * Leads of one workspace go to a receiver that works and to one that never responds. The local queue is not fair, and on
 * a small machine one environment sends everything: only the breaker keeps the dead one from delaying the other.
 */
export async function runForwarding({ leads, rate }: LoadOptions): Promise<Finding[]> {
  const stack = await startStack(['--allow-loopback-destinations']);
  const world = openSendingWorld();
  const post = makePost(stack.ingestUrl, CONNECTIONS);
  const tenant = await world.newTenant();
  const dead = await world.newReceiver();
  dead.play(hang);
  const { destination: goodDestination, sendTimed } = await newTimedReceiver(world, post, tenant);
  const sendAll = (count: number) => sendTimed({ count, rate });
  await sendAll(WARM_UP);
  logProgress(`${Math.ceil(leads / 10)} leads, ${rate} per second, without the dead destination`);
  const alone = await sendAll(Math.ceil(leads / 10));

  const deadDestination = await world.newWebhook(tenant, dead.url, { onlyClean: false });
  logProgress(`${leads} leads, ${rate} per second, with the dead destination`);
  const beside = await sendAll(leads);
  logProgress('waiting for the messages of the dead destination');
  const messages = await settledMessages(world, { goodDestination, deadDestination }, beside.length);

  const findings = auditForwarding({
    sent: leads,
    alone,
    beside,
    good: messages.good,
    dead: messages.dead,
    deadRequests: dead.received.length,
  });
  await world.clear();
  world.client.destroy();
  await stack.stop();
  return findings;
}

interface Load {
  readonly count: number;
  readonly rate: number;
}

/** A receiver that works, for a tenant's leads, and how to send them and see how long each takes until it gets there. */
export async function newTimedReceiver(world: World, post: Post, tenant: Tenant) {
  const receiver = await world.newReceiver();
  const arrivals = new Map<string, number>();
  receiver.play((response, request) => {
    const { leadId = '' } = parseMessageId(String(request.headers['webhook-id'])) ?? {};
    if (!arrivals.has(leadId)) arrivals.set(leadId, performance.now());
    respondWith(204)(response, request);
  });
  return {
    // Leads that are not clean are not enriched: this is about forwarding.
    destination: await world.newWebhook(tenant, receiver.url, { onlyClean: false }),
    async sendTimed(load: Load): Promise<Timed[]> {
      const accepted = await sendSteadily(post, tenant, load);
      await caughtUp(() => accepted.every(({ leadId }) => arrivals.has(leadId)));
      return accepted.map(({ leadId, at }) => ({
        leadId,
        delayMilliseconds: (arrivals.get(leadId) ?? Number.POSITIVE_INFINITY) - at,
      }));
    },
  };
}

interface Accepted {
  readonly leadId: string;
  /** When the 202 came in. */
  readonly at: number;
}

/** Alternates the surfaces, since each has its own limit per minute. */
export async function sendSteadily(post: Post, tenant: Tenant, { count, rate }: Load): Promise<Accepted[]> {
  const startedAt = performance.now();
  const replies: Promise<Accepted | undefined>[] = [];
  for (let number = 0; number < count; number += 1) {
    await sleep(Math.max(0, startedAt + (1000 * number) / rate - performance.now()));
    replies.push(submit(post, tenant, number));
  }
  return (await Promise.all(replies)).filter((reply) => reply !== undefined);
}

/** Undefined if it was not accepted. */
async function submit(post: Post, tenant: Tenant, number: number): Promise<Accepted | undefined> {
  const surface = number % 2 === 0 ? '1a' : '1b';
  const headers = { 'X-SVC-Idempotency-Key': randomUUID() };
  const reply = await post(requestFor(surface, tenant, { body: NOT_CLEAN, headers })).catch(() => undefined);
  const leadId = reply && acceptedId(reply);
  return leadId === undefined ? undefined : { leadId, at: performance.now() };
}

async function caughtUp(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + CAUGHT_UP_MILLISECONDS;
  while (!(await isDone()) && Date.now() < end) await sleep(250);
}

/** All messages, once the dead destination has one for each lead. */
async function settledMessages(
  { client, tables, signal }: World,
  { goodDestination, deadDestination }: Record<'goodDestination' | 'deadDestination', Destination>,
  leads: number,
): Promise<{ good: Message[]; dead: Message[] }> {
  const reader = makeMessageReader({ client, tables, now: Date.now });

  async function all({ destinationId }: Destination): Promise<Message[]> {
    const messages: Message[] = [];
    let before: string | undefined;
    do {
      const page = await reader.list(destinationId, { before, limit: 500 }, signal);
      messages.push(...page.messages);
      before = page.before;
    } while (before !== undefined);
    return messages;
  }

  let dead: Message[] = [];
  await caughtUp(async () => {
    dead = await all(deadDestination);
    return dead.length >= leads;
  });
  return { good: await all(goodDestination), dead };
}
