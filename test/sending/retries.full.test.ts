import { afterAll, expect, test } from '@jest/globals';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import { until, waitFor } from '../until.ts';
import { hang, type Reply, respondWith, verify } from './receiver.ts';
import { openSendingWorld } from './sending-world.ts';

// At the same time, because each mostly waits, in a workspace of its own.
const world = openSendingWorld();
afterAll(world.clear);

test.concurrent('a message that failed is sent again after some seconds, to a receiver that takes some seconds', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  const slowly: Reply = (response, request) => setTimeout(respondWith(200), 3_000, response, request);
  receiver.play(respondWith(500, 'try later'), slowly);
  await world.sendLead(tenant);
  const requests = await world.requestsTo(receiver, 2);
  expect(requests).toHaveLength(2);
  const [first, second] = requests.map(({ headers, body }) => ({ id: headers['webhook-id'], body }));
  expect(second).toEqual(first);
  for (const request of requests) verify(request, webhook.signingSecret);
  const message = await world.messageOf(webhook, 'delivered');
  expect(message).toMatchObject({ attempts: [{ status: 500 }, { status: 200 }] });
  expect(message).not.toHaveProperty('answerExcerpt');
});

test.concurrent('a receiver that never responds is given up on, and its message waits', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  receiver.play(hang);
  await world.sendLead(tenant);
  expect(await world.messageOf(webhook, 'waiting')).toMatchObject({ attempts: [{ error: 'timeout' }] });
});

test.concurrent('what a stopped receiver missed arrives after it is back', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  await receiver.close();
  const leadIds = await Promise.all(Array.from({ length: 10 }, () => world.sendLead(tenant)));
  const waiting = await until(
    () => world.messagesOf(webhook),
    (messages) => messages.length === 10 && messages.some(({ status }) => status === 'parked'),
  );
  expect(waiting.map(({ leadId }) => leadId).sort()).toEqual([...leadIds].sort());
  const back = await world.newReceiver(Number(new URL(receiver.url).port));
  const messages = await until(
    () => world.messagesOf(webhook),
    (found) => found.every(({ status }) => status === 'delivered'),
  );
  expect(messages.map(({ status }) => status)).toEqual(Array(10).fill('delivered'));
  const arrived = back.received.map(
    (request) => verify(request, webhook.signingSecret).data.lead.submissionId,
  );
  expect(new Set(arrived)).toEqual(new Set(leadIds));
});

test.concurrent('an erased lead is announced, and nothing of it is sent or kept after that', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant({
    events: ['lead.accepted', 'lead.erased'],
  });
  receiver.play(respondWith(500, 'we do not want Ada'), respondWith(204));
  const leadId = await world.sendLead(tenant);
  expect(await world.messageOf(webhook, 'waiting')).toMatchObject({ answerExcerpt: 'we do not want Ada' });
  const erasedAt = Date.now();
  const { client, tables, signal } = world;
  const leads = makeLeadPages({ client, tables, now: Date.now });
  expect(await leads.erase(tenant.workspaceId, leadId, signal)).toBe(true);
  const [accepted] = await until(
    () => world.messagesOf(webhook),
    (found) => found.some(({ status }) => status === 'cancelled'),
  );
  expect(accepted).toMatchObject({ type: 'lead.accepted', status: 'cancelled' });
  expect(accepted).not.toHaveProperty('answerExcerpt');
  // The announcement waits for a minute, longer than a request with the lead can take.
  const erased = await waitFor(() => receiver.received[1]);
  expect(verify(erased, webhook.signingSecret)).toEqual({
    type: 'lead.erased',
    timestamp: expect.any(String),
    data: { lead: { submissionId: leadId, formId: tenant.formId } },
  });
  expect(Number(erased.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(
    Math.floor(erasedAt / 1000) + 60,
  );
  expect(receiver.received).toHaveLength(2);
});
