import { afterEach, expect, test } from '@jest/globals';
import { messageId } from '#sending/message.ts';
import { CLEAN, NOT_CLEAN } from '../../conformance/world/submission.ts';
import { until } from '../until.ts';
import { flood, reset, respondWith, verify } from './receiver.ts';
import { openSendingWorld } from './sending-world.ts';

const world = openSendingWorld();
afterEach(world.clear);

test('a lead arrives, signed, with what was sent', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  const leadId = await world.sendLead(tenant, { body: CLEAN });
  const [request] = await world.requestsTo(receiver);
  if (!request) throw new Error('nothing was received');
  expect(request).toMatchObject({
    path: '/hooks/leads',
    headers: {
      host: new URL(receiver.url).host,
      'content-type': 'application/json',
      'webhook-id': messageId({ ...webhook, leadId, type: 'lead.accepted' }),
    },
  });
  const lead = await world.lead(leadId);
  expect(verify(request, webhook.signingSecret)).toEqual({
    type: 'lead.accepted',
    timestamp: lead?.receivedAt,
    data: {
      lead: {
        submissionId: leadId,
        formId: tenant.formId,
        receivedAt: lead?.receivedAt,
        score: lead?.score,
        clean: true,
        signals: lead?.signals.map(({ name, weight }) => ({ name, weight })),
        fields: JSON.parse(CLEAN),
      },
    },
  });
  expect(() => verify({ ...request, body: `${request.body} ` }, webhook.signingSecret)).toThrow();
  expect(await world.messageOf(webhook, 'delivered')).toMatchObject({
    leadId,
    formId: tenant.formId,
    attempts: [{ status: 204 }],
  });
});

test('each destination gets the events, forms and leads that it wants', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant({ onlyClean: false });
  const others = await Promise.all([
    world.newWebhook(tenant, receiver.url, { onlyClean: true }),
    world.newWebhook(tenant, receiver.url, { onlyClean: false, forms: ['form_other'] }),
    world.newWebhook(tenant, receiver.url, { onlyClean: false, events: ['lead.erased'] }),
    world.newWebhook(tenant, receiver.url, {
      onlyClean: false,
      createdAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  ]);
  const notClean = await world.sendLead(tenant, { body: NOT_CLEAN });
  expect(await world.messageOf(webhook, 'delivered')).toMatchObject({ leadId: notClean });
  const clean = await world.sendLead(tenant, { body: CLEAN });
  expect(await world.messageOf(others[0], 'delivered')).toMatchObject({ leadId: clean });
  const lists = await Promise.all(others.map(world.messagesOf));
  expect(lists.map((messages) => messages.map(({ leadId }) => leadId))).toEqual([[clean], [], [], []]);
});

test('410 disables the destination, and later leads wait', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  receiver.play(respondWith(410, 'moved away'));
  const leadId = await world.sendLead(tenant);
  expect(await world.messageOf(webhook, 'failed')).toMatchObject({
    leadId,
    attempts: [{ status: 410 }],
    answerExcerpt: 'moved away',
  });
  // The message is recorded first, so that it is not sent again if the function ends in between.
  const disabled = await until(
    () => world.destinationOf(webhook),
    (destination) => destination?.status === 'disabled',
  );
  expect(disabled).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
  await world.sendLead(tenant);
  expect(await world.messageOf(webhook, 'parked')).toMatchObject({ attempts: [] });
  expect(receiver.received).toHaveLength(1);
});

test('429 with Retry-After is retried no earlier than the receiver asks', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  receiver.play(respondWith(429, '', { 'retry-after': '600' }));
  await world.sendLead(tenant);
  const message = await world.messageOf(webhook, 'waiting');
  expect(message).toMatchObject({ attempts: [{ status: 429 }] });
  const { nextAttemptAt = '', attempts = [] } = message ?? {};
  const waitMilliseconds = Date.parse(nextAttemptAt) - Date.parse(attempts[0]?.at ?? '');
  expect(waitMilliseconds).toBeGreaterThanOrEqual(600_000);
});

test('a redirect is not followed', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  const elsewhere = await world.newReceiver();
  receiver.play(respondWith(307, '', { location: elsewhere.url }));
  await world.sendLead(tenant);
  expect(await world.messageOf(webhook, 'waiting')).toMatchObject({
    attempts: [{ status: 307, error: 'redirect_not_followed' }],
  });
  expect(elsewhere.received).toEqual([]);
});

test('of a response without end, 512 bytes are kept', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  receiver.play(flood);
  await world.sendLead(tenant);
  expect(await world.messageOf(webhook, 'waiting')).toMatchObject({
    attempts: [{ status: 500 }],
    answerExcerpt: 'x'.repeat(512),
  });
});

test('a connection that is reset counts as a failure', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  receiver.play(reset);
  await world.sendLead(tenant);
  expect(await world.messageOf(webhook, 'waiting')).toMatchObject({
    attempts: [{ error: 'connection_reset' }],
  });
});

test('a name that resolves to this machine is not called', async () => {
  const { tenant, receiver, webhook } = await world.newWebhookTenant();
  const { port } = new URL(receiver.url);
  const urls = [`http://localhost:${port}/`, `http://127.0.0.2:${port}/`, `http://[::1]:${port}/`];
  const refused = await Promise.all(urls.map((url) => world.newWebhook(tenant, url)));
  await world.sendLead(tenant);
  for (const destination of refused) {
    expect(await world.messageOf(destination, 'waiting', 'parked')).toMatchObject({
      attempts: [{ error: 'address_not_public' }],
    });
  }
  await world.messageOf(webhook, 'delivered');
  expect(receiver.received).toHaveLength(1);
});
