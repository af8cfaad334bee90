import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { call, newOwner } from '../contract/owner-api.ts';
import type { Tenant } from '../contract/tenant.ts';
import { until } from '../until.ts';
import { answer, type Receiver, verify } from './receiver.ts';
import { openSendingWorld } from './sending-world.ts';

const world = openSendingWorld();
afterEach(world.clear);

let tenant: Tenant;
let token: string;
beforeEach(async () => {
  tenant = await world.newTenant();
  token = (await newOwner(tenant)).id;
});

/** As the console calls the settings API. */
async function ask(method: string, path: string, body?: unknown) {
  const { status, json } = await call(token, method, path, body);
  return { ...json, httpStatus: status };
}

async function createWebhook(receiver: Receiver, choice: object = {}) {
  const made = await ask('POST', '/destinations', { kind: 'webhook', url: receiver.url, ...choice });
  expect(made).toMatchObject({ httpStatus: 201, kind: 'webhook', url: receiver.url });
  return made as { destinationId: string; signingSecret: string };
}

/** The message as the owner sees it, once it has this state. */
const messageWith = (messageId: string, status: string) =>
  until(
    async () => (await call(token, 'GET', `/messages/${messageId}`)).json,
    (message) => message.status === status,
  );

const messagesOf = async ({ destinationId }: { destinationId: string }) =>
  (await call(token, 'GET', `/destinations/${destinationId}/messages`)).json.messages;

/** The destination's newest message, once it has this state. */
const newestWith = async (destination: { destinationId: string }, status: string) =>
  (
    await until(
      () => messagesOf(destination),
      (messages) => messages[0]?.status === status,
    )
  )[0];

test('an owner creates a destination and sends a test message to it', async () => {
  const receiver = await world.newReceiver();
  const webhook = await createWebhook(receiver);
  const { messageId } = await ask('POST', `/destinations/${webhook.destinationId}/test`);
  const [request] = await world.requestsTo(receiver);
  if (!request) throw new Error('nothing was received');
  expect(request.headers['webhook-id']).toBe(messageId);
  expect(verify(request, webhook.signingSecret)).toMatchObject({
    type: 'destination.test',
    data: { lead: { formId: 'form_test' } },
  });
  expect(await messageWith(messageId, 'delivered')).toMatchObject({ attempts: [{ status: 204 }] });
});

test('while a secret is being rotated, both secrets verify', async () => {
  const receiver = await world.newReceiver();
  const { destinationId, signingSecret } = await createWebhook(receiver);
  const rotated = await ask('POST', `/destinations/${destinationId}/rotate`, { graceSeconds: 600 });
  await world.sendLead(tenant);
  const [request] = await world.requestsTo(receiver);
  if (!request) throw new Error('nothing was received');
  expect(rotated.signingSecret).not.toBe(signingSecret);
  for (const secret of [signingSecret, rotated.signingSecret]) {
    expect(verify(request, secret).type).toBe('lead.accepted');
  }
});

test('a lead that comes in during a pause is sent after it', async () => {
  const receiver = await world.newReceiver();
  const webhook = await createWebhook(receiver);
  const path = `/destinations/${webhook.destinationId}`;
  expect(await ask('PATCH', path, { status: 'paused' })).toMatchObject({ status: 'paused' });
  const leadId = await world.sendLead(tenant);
  expect(await newestWith(webhook, 'parked')).toMatchObject({ submissionId: leadId, attempts: [] });
  expect(receiver.received).toEqual([]);
  await ask('PATCH', path, { status: 'active' });
  expect(await newestWith(webhook, 'delivered')).toMatchObject({ submissionId: leadId });
  expect(receiver.received).toHaveLength(1);
});

describe('what a receiver refused for good can be replayed', () => {
  let receiver: Receiver;
  let webhook: { destinationId: string; signingSecret: string };
  beforeEach(async () => {
    receiver = await world.newReceiver();
    webhook = await createWebhook(receiver);
    receiver.play(answer(410), answer(204));
    await world.sendLead(tenant);
    await newestWith(webhook, 'failed');
    expect(await ask('GET', `/destinations/${webhook.destinationId}`)).toMatchObject({
      status: 'disabled',
      disabledReason: 'gone',
    });
    await ask('PATCH', `/destinations/${webhook.destinationId}`, { status: 'active' });
  });

  test('one message', async () => {
    const [{ messageId }] = await messagesOf(webhook);
    expect((await ask('POST', `/messages/${messageId}/replay`)).httpStatus).toBe(202);
    expect(await messageWith(messageId, 'delivered')).toMatchObject({
      attempts: [{ status: 410 }, { status: 204 }],
    });
  });

  test('everything since a time', async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { httpStatus } = await ask('POST', `/destinations/${webhook.destinationId}/replay`, { since });
    expect(httpStatus).toBe(202);
    expect(await newestWith(webhook, 'delivered')).toMatchObject({ attempts: [{}, { status: 204 }] });
  });
});

test('the messages of a lead are listed; a deleted destination gets none', async () => {
  const receiver = await world.newReceiver();
  const [kept, deleted] = [await createWebhook(receiver), await createWebhook(receiver)];
  expect((await call(token, 'DELETE', `/destinations/${deleted.destinationId}`)).status).toBe(204);
  const leadId = await world.sendLead(tenant);
  await newestWith(kept, 'delivered');
  expect(await ask('GET', `/leads/${leadId}/messages`)).toMatchObject({
    messages: [{ destinationId: kept.destinationId, submissionId: leadId, status: 'delivered' }],
  });
  expect(receiver.received).toHaveLength(1);
});

test('email can be chosen, because the local stack has a sender', async () => {
  expect(await ask('GET', '/destinations')).toMatchObject({ destinations: [], canSendEmail: true });
  const made = await ask('POST', '/destinations', { kind: 'email', email: 'owner@example.org' });
  const { messageId } = await ask('POST', `/destinations/${made.destinationId}/test`);
  expect(await messageWith(messageId, 'delivered')).toMatchObject({ attempts: [{ status: 200 }] });
});
