import { beforeEach, describe, expect, test } from '@jest/globals';
import { LIMITS, rateWindowsAt } from '#model/limits.ts';
import { SAMPLE } from '../submission/submission-fixture.ts';
import {
  type Delivery,
  IGNORED,
  openSourceFixture,
  PROVIDER_SECRET,
  REFUSED,
  SIGN,
  type Source,
  sourceLeadId,
  stripeBody,
  typeformBody,
} from './source-fixture.ts';

const fixture = openSourceFixture();
const { administration, calls, clock, configure, leadIdsOf, newEnvironment, newSource, reasonsOf } = fixture;
const NOON = Date.parse('2026-11-15T12:00:10Z');
const NOW_SECONDS = Math.floor(NOON / 1000);

beforeEach(() => {
  clock.now = NOON;
  calls.injectBefore(undefined);
});

const signed = (body: string, secret = PROVIDER_SECRET) =>
  SIGN.typeform(body, { secret, nowSeconds: NOW_SECONDS })['Typeform-Signature'] ?? '';

describe('gets 503 and a recorded reason', () => {
  test.each<[string, Delivery, object]>([
    ['a wrong secret', { secret: 'another-secret-0123456789' }, { reason: 'signature_mismatch' }],
    [
      'no signature',
      { headers: { 'Typeform-Signature': '' } },
      { reason: 'signature_missing', detail: { header: 'Typeform-Signature', provider: 'typeform' } },
    ],
    ['a malformed signature', { headers: { 'Typeform-Signature': 'x' } }, { reason: 'signature_malformed' }],
    [
      'two signature headers',
      { headers: { 'Typeform-Signature': [signed(typeformBody()), signed(typeformBody())] } },
      { reason: 'signature_malformed' },
    ],
    [
      'a compressed body',
      { headers: { 'Content-Encoding': 'gzip' } },
      { reason: 'content_encoding_unsupported' },
    ],
  ])('%s', async (_what, delivery, expected) => {
    const source = await newSource('typeform');
    expect(await newEnvironment().deliver(source, delivery)).toEqual(REFUSED);
    expect(await fixture.rejectionsOf(source.workspaceId)).toMatchObject([
      { surface: '1c', formId: source.formId, authenticated: false, ...expected },
    ]);
    expect(await leadIdsOf(source.formId)).toEqual([]);
  });

  test("another provider's signature, which the owner can recognize", async () => {
    const source = await newSource('typeform');
    const body = stripeBody();
    const response = await newEnvironment().deliver({ ...source, provider: 'stripe' }, { body });
    expect(response).toEqual(REFUSED);
    const detail = { provider: 'typeform', looksLike: 'stripe' };
    expect(await fixture.rejectionsOf(source.workspaceId)).toMatchObject([
      { reason: 'signature_missing', detail },
    ]);
  });

  test.each<[string, (source: Source) => Promise<unknown>]>([
    ['form_inactive', ({ formId }) => administration.setFormActive({ formId, active: false })],
    ['workspace_suspended', ({ workspaceId }) => administration.suspendWorkspace(workspaceId)],
  ])('%s, for a warm function too', async (reason, change) => {
    const source = await newSource('typeform');
    const environment = newEnvironment();
    sourceLeadId(await environment.deliver(source));
    await change(source);
    const body = typeformBody({ token: 'response-2' });
    expect(await environment.deliver(source, { body })).toEqual(REFUSED);
    expect(await environment.deliver(source)).toEqual(REFUSED);
    expect(await reasonsOf(source.workspaceId)).toEqual({ [reason]: 2 });
  });

  test('a form without a provider, or without its secret', async () => {
    const sender = { ...(await fixture.newSender()), provider: 'typeform' } as const;
    expect(await newEnvironment().deliver(sender)).toEqual(REFUSED);
    expect(await newEnvironment().deliver(sender, { secret: sender.secret })).toEqual(REFUSED);
    expect(await reasonsOf(sender.workspaceId)).toEqual({ provider_not_chosen: 2 });
    await configure(sender, { name: 'typeform' });
    // The form's webhook secret signs for Surface 1b only.
    expect(await newEnvironment().deliver(sender, { secret: sender.secret })).toEqual(REFUSED);
    expect(await reasonsOf(sender.workspaceId)).toEqual({ provider_not_chosen: 2, secret_not_configured: 1 });
  });

  test.each(['no-such-form-1234', 'not a slug', ''])('the slug “%s”', async (slug) => {
    const source = await newSource('typeform');
    const before = (await fixture.rejectionsOf()).length;
    expect(await newEnvironment().deliver(source, { slug })).toEqual(REFUSED);
    const recorded = (await fixture.rejectionsOf()).slice(before);
    expect(recorded).toMatchObject([{ reason: 'form_not_found', surface: '1c' }]);
  });
});

describe('limits', () => {
  test.each([
    ['minute', 'minuteCounter', LIMITS.submissionsPerMinute],
    ['day', 'dayCounter', LIMITS.submissionsPerDay],
  ] as const)('per %s: 503, and the other surfaces have their own', async (window, counter, limit) => {
    const source = await newSource('typeform');
    await fixture.pretendCounted(source, rateWindowsAt('1c', NOON)[counter], limit);
    const environment = newEnvironment();
    expect(await environment.deliver(source)).toEqual(REFUSED);
    expect(await reasonsOf(source.workspaceId)).toEqual({ [`rate_limited_${window}`]: 1 });
    expect((await environment.server(source)).statusCode).toBe(202);
    expect((await environment.webhook(source)).statusCode).toBe(202);
    // A provider repeats it later, and then it is stored.
    clock.now += 24 * 60 * 60_000;
    sourceLeadId(await environment.deliver(source));
  });
});

describe('what can never be accepted', () => {
  // The rows of the specification have no JSON and more than 128 KB.
  test('a list is ignored and recorded if it is authentic, and gets 503 otherwise', async () => {
    const [body, reason] = ['[]', 'body_not_object'];
    const source = await newSource('github');
    expect(await newEnvironment().deliver(source, { body })).toEqual(IGNORED);
    expect(await fixture.rejectionsOf(source.workspaceId)).toMatchObject([{ reason, authenticated: true }]);
    const secret = 'another-secret-0123456789';
    expect(await newEnvironment().deliver(source, { body, secret })).toEqual(REFUSED);
    expect(await reasonsOf(source.workspaceId)).toEqual({ [reason]: 1, signature_mismatch: 1 });
    expect(await leadIdsOf(source.formId)).toEqual([]);
  });

  test('a form as a browser sends it names its content type', async () => {
    const source = await newSource('github');
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(await newEnvironment().deliver(source, { body: 'payload=%7B%7D', headers })).toEqual(IGNORED);
    expect(await reasonsOf(source.workspaceId)).toEqual({ content_type_unsupported: 1 });
  });
});

describe('secrets', () => {
  const NEW_SECRET = 'the-new-secret-of-the-provider-0123456789';

  test('the previous one works while its grace lasts', async () => {
    const source = await newSource('github');
    const previousProviderSecretUntil = NOON + 60_000;
    await configure(source, undefined, {
      providerSecret: NEW_SECRET,
      previousProviderSecret: PROVIDER_SECRET,
      previousProviderSecretUntil,
    });
    const environment = newEnvironment();
    sourceLeadId(await environment.deliver(source, { body: SAMPLE }));
    sourceLeadId(
      await environment.deliver(source, { body: '{"email":"b@example.com"}', secret: NEW_SECRET }),
    );
    expect(await fixture.diagnosticsOf(source.workspaceId, 'use#')).toMatchObject([
      { sk: `use#provider#${source.formId}#current` },
      { sk: `use#provider#${source.formId}#previous`, endsAt: previousProviderSecretUntil },
    ]);
    clock.now = previousProviderSecretUntil;
    expect(await environment.deliver(source, { body: SAMPLE })).toEqual(REFUSED);
  });

  test("a provider's secret alone opens nothing on Surface 1b", async () => {
    const sender = await fixture.newSender();
    const { formId, slug } = await administration.createForm({
      workspaceId: sender.workspaceId,
      name: 'Provider only',
    });
    const form = { ...sender, formId, slug, secret: PROVIDER_SECRET };
    await configure(form, { name: 'github' }, { providerSecret: PROVIDER_SECRET });
    expect((await newEnvironment().webhook(form)).body).toBe('{"status":"rejected"}');
    expect(await reasonsOf(sender.workspaceId)).toEqual({ secret_not_configured: 1 });
    sourceLeadId(await newEnvironment().deliver({ ...form, provider: 'github' }, { body: SAMPLE }));
  });
});

describe('an unknown slug', () => {
  test('takes the same calls as a wrong signature, and both get their response on the tick', async () => {
    const source = await newSource('typeform');
    const ticks: number[] = [];
    const sleepUntil = async (moment: number) => void ticks.push(moment - NOON);
    const observed = async (delivery: Delivery) => {
      const environment = newEnvironment({ tickClock: { now: () => clock.now, sleepUntil } });
      calls.reset();
      expect(await environment.deliver(source, delivery)).toEqual(REFUSED);
      return calls.commands();
    };
    const known = await observed({ secret: 'another-secret-0123456789' });
    expect(await observed({ slug: 'no-such-form-1234' })).toEqual(known);
    expect(known).toEqual(['Query', 'Query', 'GetItem', 'PutItem']);
    expect(ticks).toEqual([40, 40]);
  });
});
