import { beforeEach, describe, expect, test } from '@jest/globals';
import { REJECTED, SAMPLE, type Sender, submissionId } from '../submission/submission-fixture.ts';
import { IGNORED, openSourceFixture, REFUSED, sourceLeadId } from './source-fixture.ts';

const fixture = openSourceFixture();
const { clock, leadById, leadIdsOf, newEnvironment, reasonsOf } = fixture;
const NOON = Date.parse('2026-11-15T12:00:10Z');
const HOURS_24 = 24 * 60 * 60_000;

let sender: Sender;
beforeEach(async () => {
  clock.now = NOON;
  sender = await fixture.newSender();
});

const bearer = () => ({ Authorization: `Bearer ${sender.token}` });
const apiKey = () => ({ 'X-API-Key': sender.token });
const keyed = (key: string, body = SAMPLE) => ({ headers: { 'X-SVC-Idempotency-Key': key }, body });

describe('a request with a server token', () => {
  test.each([
    ['Authorization', bearer],
    ['X-API-Key', apiKey],
  ])('in %s becomes a lead of its form, with its body as sent', async (_header, credential) => {
    const lead = await leadById(sourceLeadId(await newEnvironment().withToken(credential())));
    expect(lead).toMatchObject({ formId: sender.formId, surface: '1c', body: SAMPLE });
    expect(lead).not.toHaveProperty('fields');
  });

  test('needs two calls in sequence, with a key three, and a repeat one', async () => {
    const environment = newEnvironment();
    await environment.withToken(apiKey());
    const callsOf = async (request = {}) => {
      fixture.calls.reset();
      await environment.withToken(apiKey(), request);
      return fixture.calls.commands();
    };
    expect(await callsOf()).toEqual(['UpdateItem', 'PutItem']);
    expect(await callsOf(keyed('k'))).toEqual(['BatchGetItem', 'UpdateItem', 'TransactWriteItems']);
    expect(await callsOf(keyed('k'))).toEqual(['BatchGetItem']);
  });

  test('takes the fields as they are, also for a form with a provider', async () => {
    await fixture.configure(sender, { name: 'typeform' });
    const body = '{"event_type":"form_response_partial","email":"ada@analytical-engines.co.uk"}';
    const lead = await leadById(sourceLeadId(await newEnvironment().withToken(apiKey(), { body })));
    expect(lead?.body).toBe(body);
  });

  test('notes the last use of the token', async () => {
    sourceLeadId(await newEnvironment().withToken(apiKey()));
    const uses = await fixture.diagnosticsOf(sender.workspaceId, 'use#');
    expect(uses).toMatchObject([{ sk: `use#token#${sender.tokenId}`, surface: '1c' }]);
  });
});

describe('gets 503', () => {
  test.each<[string, () => Record<string, string | string[]>, string]>([
    ['both credentials at once', () => ({ ...bearer(), ...apiKey() }), 'token_invalid'],
    ['X-API-Key twice', () => ({ 'X-API-Key': [sender.token, sender.token] }), 'token_invalid'],
    ['no credential', () => ({}), 'token_missing'],
    ['an empty X-API-Key', () => ({ 'X-API-Key': ' ' }), 'token_missing'],
    ['an unknown token', () => ({ 'X-API-Key': `${sender.token}x` }), 'token_invalid'],
    ["a browser's token", () => ({ 'X-API-Key': 'ingt_brw_abc' }), 'token_wrong_type'],
    ['a token with a blank', () => ({ 'X-API-Key': `Bearer ${sender.token}` }), 'token_invalid'],
  ])('%s', async (_what, credential, reason) => {
    const before = (await fixture.rejectionsOf()).length;
    expect(await newEnvironment().withToken(credential())).toEqual(REFUSED);
    const recorded = (await fixture.rejectionsOf()).slice(before);
    expect(recorded).toMatchObject([{ reason, surface: '1c', authenticated: false }]);
  });

  test('a revoked token, for a warm function too', async () => {
    const environment = newEnvironment();
    sourceLeadId(await environment.withToken(apiKey()));
    await fixture.administration.revokeToken(sender.tokenId);
    expect(await environment.withToken(apiKey())).toEqual(REFUSED);
    expect(await reasonsOf(sender.workspaceId)).toEqual({ token_revoked: 1 });
  });

  test('a malformed idempotency key', async () => {
    expect(await newEnvironment().withToken(apiKey(), keyed(' '))).toEqual(REFUSED);
    expect(await reasonsOf(sender.workspaceId)).toEqual({ idempotency_key_malformed: 1 });
  });
});

test('a body that is no JSON is ignored and recorded', async () => {
  expect(await newEnvironment().withToken(apiKey(), { body: 'nonsense' })).toEqual(IGNORED);
  expect(await newEnvironment().withToken({ 'X-API-Key': 'ingt_srv_x' }, { body: 'nonsense' })).toEqual(
    REFUSED,
  );
  expect(await reasonsOf(sender.workspaceId)).toEqual({ body_invalid_json: 1 });
});

describe('an idempotency key', () => {
  test('is remembered for exactly 24 hours', async () => {
    const environment = newEnvironment();
    const original = await environment.withToken(apiKey(), keyed('k'));
    clock.now = NOON + HOURS_24 - 1;
    expect(await environment.withToken(bearer(), keyed('k'))).toEqual(original);
    clock.now = NOON + HOURS_24;
    const renewed = await environment.withToken(apiKey(), keyed('k'));
    expect(sourceLeadId(renewed)).not.toBe(sourceLeadId(original));
  });

  test('with another body gets the original response, and the owner learns of it', async () => {
    const environment = newEnvironment();
    const original = await environment.withToken(apiKey(), keyed('k'));
    expect(await environment.withToken(apiKey(), keyed('k', '{"email":"b@example.com"}'))).toEqual(original);
    expect(await reasonsOf(sender.workspaceId)).toEqual({ idempotency_key_reused: 1 });
  });

  test.each(['1a first', '1c first'])('has its own namespace: %s', async (order) => {
    const environment = newEnvironment();
    const on1a = async () => submissionId(await environment.server(sender, keyed('k')));
    const on1c = async () => sourceLeadId(await environment.withToken(apiKey(), keyed('k')));
    const steps = order === '1a first' ? [on1a, on1c, on1a, on1c] : [on1c, on1a, on1c, on1a];
    const ids: string[] = [];
    for (const step of steps) ids.push(await step());
    expect(ids.slice(2)).toEqual(ids.slice(0, 2));
    expect(new Set(ids).size).toBe(2);
    expect(await leadIdsOf(sender.formId)).toHaveLength(2);
  });

  test('a token that is rejected on 1a gets the opaque 200 there and 503 here', async () => {
    await fixture.administration.revokeToken(sender.tokenId);
    expect(await newEnvironment().server(sender)).toEqual(REJECTED);
    expect(await newEnvironment().withToken(apiKey())).toEqual(REFUSED);
  });
});
