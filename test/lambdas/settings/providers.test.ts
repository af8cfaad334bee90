import { readFileSync } from 'node:fs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { PROVIDER_NAMES } from '#sources/providers.ts';
import { openOwnerFixture, SOURCES_URL } from '../owner-api/owner-fixture.ts';

const NOON = '2026-11-15T12:00:10.000Z';
const fixture = openOwnerFixture(Date.parse(NOON));

const samples = JSON.parse(
  readFileSync(new URL('../sources/payloads.json', import.meta.url), 'utf8'),
) as readonly { provider: string; what: string; body: object; fields?: object }[];

const OWN = 'a secret of decent length';
const OTHER = 'another secret of that length';

async function newOwner() {
  const { workspaceId } = await fixture.administration.createWorkspace({ name: 'Analytical Engines' });
  return fixture.ownerOf(workspaceId);
}

async function newForm(provider?: object) {
  const owner = await newOwner();
  const { body: form } = await owner.post('/forms', { body: { name: 'Contact us' } });
  const at = `/forms/${form.formId}`;
  if (provider) await owner.patch(at, { body: { provider } });
  const stored = async () =>
    (await fixture.itemOf('formSecrets', { slug: form.slug, formId: form.formId })) ?? {};
  return {
    owner,
    form,
    at,
    stored,
    put: (body: object, beyondSchema = false) => owner.put(`${at}/provider/secret`, { body, beyondSchema }),
    shown: async () => (await owner.get(`${at}/delivery`)).body.provider,
  };
}

describe('providers', () => {
  test('are listed, with who makes the secret and which events there are', async () => {
    const { body } = await (await newOwner()).get('/providers');
    expect(body.providers.map(({ name }: { name: string }) => name)).toEqual(PROVIDER_NAMES);
    expect(body.toolUrl).toBe(`${SOURCES_URL}/sources/v1`);
    expect(body.providers).toContainEqual({
      name: 'stripe',
      displayName: 'Stripe',
      signatureHeader: 'Stripe-Signature',
      maxAgeSeconds: 300,
      secret: { madeBy: 'provider', minCharacters: 16 },
      events: {
        choices: ['checkout.session.completed', 'customer.created'],
        defaults: ['checkout.session.completed'],
      },
      failingWebhook: 'disabled',
      canBeReplayed: false,
      untested: false,
    });
  });

  test('are chosen with their events, changed and removed, without touching the rest', async () => {
    const { owner, form, at } = await newForm();
    const provider = { name: 'stripe', events: ['customer.created'] };
    expect((await owner.patch(at, { body: { provider } })).body).toEqual({ ...form, provider });
    expect((await owner.get(at)).body).toEqual({ ...form, provider });
    await owner.patch(at, { body: { name: 'Talk to us' } });
    expect((await owner.get(at)).body.provider).toEqual(provider);
    await owner.patch(at, { body: { provider: { name: 'typeform' } } });
    expect((await owner.get(at)).body.provider).toEqual({ name: 'typeform' });
    expect((await owner.patch(at, { body: { provider: null } })).body.provider).toBeNull();
    expect((await owner.get(`${at}/delivery`)).body).not.toHaveProperty('provider');
  });

  test.each([
    [{ name: 'hubspot' }, 'provider.name', /^must be one of typeform, tally/],
    [{ name: 'stripe', events: ['charge.failed'] }, 'provider.events[0]', /^must be one of checkout/],
    [{ name: 'stripe', events: [] }, 'provider.events', /^must have 1 to 20 entries/],
    [{ name: 'svix', events: ['a', 'a'] }, 'provider.events[1]', /^is listed twice/],
    [{ name: 'github', events: ['push'] }, 'provider.events', /^must be left out/],
  ])('are not chosen as %j, and what was chosen before stays', async (provider, field, problem) => {
    const { owner, at, put, shown } = await newForm({ name: 'tally' });
    await put({ secret: OWN });
    const { status, body } = await owner.patch(at, { body: { provider }, beyondSchema: true });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ field, problem: expect.stringMatching(problem) }]);
    expect(await shown()).toMatchObject({ name: 'tally', secretSet: true });
  });
});

describe("a provider's secret", () => {
  test('is pasted or generated, and stored beside the webhook secret of the form', async () => {
    const { owner, form, at, put, stored, shown } = await newForm({ name: 'typeform' });
    const url = `${SOURCES_URL}/sources/v1/${form.slug}`;
    const chosen = { name: 'typeform', events: ['form_response'], url };
    expect(await shown()).toEqual({ ...chosen, secretSet: false });
    expect((await put({ secret: OWN })).body).toEqual({ formId: form.formId });
    expect(await shown()).toEqual({ ...chosen, secretSet: true });
    expect((await owner.get(`${at}/delivery`)).body.secret).toEqual({ isSet: false });
    expect((await owner.post(`${at}/delivery/rotate`)).status).toBe(409);

    const { body: webhook } = await owner.put(`${at}/delivery/secret`);
    const { body: generated } = await put({});
    expect(generated).toEqual({
      formId: form.formId,
      secret: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
    });
    expect(await stored()).toMatchObject({
      ...{ secret: webhook.secret, providerSecret: generated.secret, workspaceId: owner.workspaceId },
      ...{ previousProviderSecret: OWN, previousProviderSecretUntil: 0, v: 1 },
    });
    expect(await stored()).not.toHaveProperty('providerSecretUnshown');
    expect((await owner.get(`${at}/delivery`)).body.secret).toMatchObject({ isSet: true });
  });

  test('keeps the previous one for the grace period that is asked for, until it is ended', async () => {
    const { owner, at, put, stored, shown } = await newForm({ name: 'tally' });
    await put({ secret: OWN, graceSeconds: 60 });
    const until = '2026-11-15T12:01:10.000Z';
    expect((await put({ secret: OTHER, graceSeconds: 60 })).body.previousWorksUntil).toBe(until);
    // Pasted once more: the one that the provider still uses must not be forgotten.
    expect((await put({ secret: OTHER })).body.previousWorksUntil).toBe(until);
    expect(await stored()).toMatchObject({
      providerSecret: OTHER,
      previousProviderSecret: OWN,
      previousProviderSecretUntil: Date.parse(until),
    });
    expect((await shown()).previousWorksUntil).toBe(until);
    const ended = await owner.delete(`${at}/provider/previous-secret`);
    expect(ended.body.provider).toMatchObject({ name: 'tally', secretSet: true });
    expect(ended.body.provider).not.toHaveProperty('previousWorksUntil');
    expect(await stored()).toMatchObject({ providerSecret: OTHER, previousProviderSecretUntil: 0 });
  });

  test('is deleted with its provider, and the webhook secret stays', async () => {
    const { owner, at, put, stored, shown } = await newForm({ name: 'stripe' });
    const { body: webhook } = await owner.put(`${at}/delivery/secret`);
    await put({ secret: OWN });
    await owner.patch(at, { body: { provider: { name: 'stripe', events: ['customer.created'] } } });
    expect(await shown()).toMatchObject({ events: ['customer.created'], secretSet: true });
    await owner.patch(at, { body: { provider: { name: 'tally' } } });
    expect(await shown()).toMatchObject({ name: 'tally', secretSet: false });
    expect(JSON.stringify(await stored())).not.toContain(OWN);
    expect(await stored()).toMatchObject({ secret: webhook.secret });
  });

  test.each([
    ['stripe', 'sk_live_0123456789abcdef', /^This is an API key\. Enter the signing secret of the Stripe/],
    ['stripe', undefined, /^Only Stripe can make this secret\./],
    ['framer', 'x'.repeat(31), /at least 32 characters/],
    ['standard-webhooks', 'whsec_c2hvcnQ=', /at least 16 bytes/],
  ])('of %s cannot be %s', async (name, secret, problem) => {
    const { put, shown } = await newForm({ name });
    const { status, body, text } = await put({ ...(secret && { secret }) }, true);
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ field: 'secret', problem: expect.stringMatching(problem) }]);
    if (secret) expect(text).not.toContain(secret);
    expect(await shown()).toMatchObject({ secretSet: false });
  });

  test('needs a provider, and a form that is not archived', async () => {
    const { owner, at, put } = await newForm();
    expect((await put({ secret: OWN })).status).toBe(409);
    expect((await owner.post(`${at}/provider/preview`, { body: { body: '{}' } })).status).toBe(409);
    expect((await owner.delete(`${at}/provider/previous-secret`)).status).toBe(200);
    await owner.patch(at, { body: { provider: { name: 'tally' } } });
    await owner.post(`${at}/archive`);
    expect((await put({ secret: OWN })).status).toBe(409);
  });
});

test('deliveries show the last use and the last rejection since the provider was chosen', async () => {
  const { owner, form, at, put, shown } = await newForm({ name: 'tally' });
  await put({ secret: OWN });
  const { workspaceId } = owner;
  const reject = async (minute: string, surface: string, formId: string, reason: string) => {
    const event = {
      at: `${minute}:10.000Z`,
      requestId: 'r',
      surface,
      formId,
      reason,
      expiresAt: 4_000_000_000,
    };
    const Item = { workspaceId, sk: `event#${minute}Z#u00`, ...event, v: 2 };
    await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.diagnostics, Item }));
  };
  await reject('2026-11-15T12:00', '1c', form.formId, 'signature_mismatch');
  await reject('2026-11-15T12:01', '1b', form.formId, 'signature_missing');
  await reject('2026-11-15T12:02', '1c', 'form_of_another', 'signature_malformed');
  await fixture.noteUse(workspaceId, `provider#${form.formId}#previous`, NOON);
  await fixture.noteUse(workspaceId, `provider#${form.formId}#current`, '2026-11-15T12:00:11.000Z');
  await fixture.noteUse(workspaceId, `ignored#${form.formId}`, '2026-11-15T12:00:12.500Z');
  await fixture.noteUse(workspaceId, `ignored#${form.formId}9`, '2026-11-15T12:00:13.000Z');
  await fixture.noteUse(workspaceId, `secret#${form.formId}#current`, '2026-11-15T12:00:12.000Z');
  expect(await shown()).toMatchObject({
    lastUsedAt: '2026-11-15T12:00:11.000Z',
    lastIgnoredAt: '2026-11-15T12:00:12.500Z',
    lastRejection: { at: '2026-11-15T12:00:10.000Z', reason: 'signature_mismatch' },
  });
  fixture.clock.now += 60_000;
  await owner.patch(at, { body: { provider: { name: 'typeform' } } });
  fixture.clock.now -= 60_000;
  expect(await shown()).not.toHaveProperty('lastUsedAt');
  expect(await shown()).not.toHaveProperty('lastIgnoredAt');
  expect(await shown()).not.toHaveProperty('lastRejection');
});

describe('a preview', () => {
  const sample = (provider: string, what: string) =>
    samples.find((each) => each.provider === provider && each.what === what) as (typeof samples)[number];

  async function preview(provider: string, body: string, beyondSchema = false) {
    const { owner, at } = await newForm({ name: provider });
    return owner.post(`${at}/provider/preview`, { body: { body }, beyondSchema });
  }

  test('shows fields, roles and score of an example, and stores nothing', async () => {
    const { owner, form, at } = await newForm({ name: 'calendly' });
    const { body, fields } = sample('calendly', 'a new invitee');
    const shown = await owner.post(`${at}/provider/preview`, { body: { body: JSON.stringify(body) } });
    expect(shown.body).toMatchObject({
      outcome: 'lead',
      event: 'invitee.created',
      test: false,
      mapped: true,
      roles: { email: 'email', name: 'name' },
      score: expect.any(Number),
      clean: expect.any(Boolean),
    });
    expect(JSON.parse(shown.body.fields)).toEqual(fields);
    expect(shown.body.signals).toContainEqual({
      name: expect.any(String),
      weight: expect.any(Number),
      explanation: expect.any(String),
    });
    expect((await owner.get(`/forms/${form.formId}/leads`)).body.rows).toEqual([]);
  });

  test('uses the roles and the events of the form', async () => {
    const { owner, at } = await newForm({ name: 'svix', events: ['lead.created'] });
    await owner.patch(at, { body: { fields: [{ key: 'friend', role: 'email' }] } });
    const see = async (type: string) => {
      const data = { email: 'grace@navy.mil', friend: 'ada@analytical-engines.co.uk' };
      const body = JSON.stringify({ type, data });
      return (await owner.post(`${at}/provider/preview`, { body: { body } })).body;
    };
    expect((await see('lead.created')).roles).toEqual({ email: 'friend' });
    expect(await see('lead.deleted')).toEqual({
      ...{ outcome: 'ignored', because: 'event_not_chosen', event: 'lead.deleted', test: false },
    });
  });

  test('of an unknown shape has the fields of the body', async () => {
    const { body } = await preview('tally', '{"eventType":"FORM_RESPONSE","email":"ada@example.com"}');
    expect(body).toMatchObject({ outcome: 'lead', mapped: false, roles: { email: 'email' } });
  });

  test.each([
    ['{', 'must be JSON'],
    ['[]', 'must be a JSON object'],
    [`{"a":"${'x'.repeat(131_072)}"}`, 'must have at most 131072 bytes'],
  ])('of %.20s is refused', async (text, problem) => {
    const { status, body } = await preview('tally', text, true);
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ field: 'body', problem }]);
  });
});
