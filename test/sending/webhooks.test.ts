import { afterEach, expect, test } from '@jest/globals';
import { messageId } from '#sending/message.ts';
import { CLEAN } from '../../conformance/world/submission.ts';
import { flood, type Reply, reset, respondWith, verify } from './receiver.ts';
import { openSendingWorld } from './sending-world.ts';

const world = openSendingWorld();
type Webhook = Awaited<ReturnType<typeof world.newWebhook>>;
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

test('one lead, and receivers that fail in every way: each message waits, and says why', async () => {
  const tenant = await world.newTenant();
  const elsewhere = await world.newReceiver();
  const fails: Record<string, [Reply, object]> = {
    redirect: [
      respondWith(307, '', { location: elsewhere.url }),
      { attempts: [{ status: 307, error: 'redirect_not_followed' }] },
    ],
    'a response without end': [flood, { attempts: [{ status: 500 }], answerExcerpt: 'x'.repeat(512) }],
    reset: [reset, { attempts: [{ error: 'connection_reset' }] }],
    'asked to wait': [respondWith(429, '', { 'retry-after': '600' }), { attempts: [{ status: 429 }] }],
  };
  const webhooks: Record<string, Webhook> = {};
  for (const [name, [reply]] of Object.entries(fails)) {
    const receiver = await world.newReceiver();
    receiver.play(reply);
    webhooks[name] = await world.newWebhook(tenant, receiver.url);
  }
  await world.sendLead(tenant);
  for (const [name, [, expected]] of Object.entries(fails)) {
    const message = await world.messageOf(webhooks[name] as Webhook, 'waiting');
    expect([name, message]).toMatchObject([name, expected]);
    if (name !== 'asked to wait') continue;
    const { nextAttemptAt = '', attempts = [] } = message ?? {};
    const waits = Date.parse(nextAttemptAt) - Date.parse(attempts[0]?.at ?? '');
    expect(waits).toBeGreaterThanOrEqual(600_000);
  }
  expect(elsewhere.received).toEqual([]);
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
