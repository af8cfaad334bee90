import { beforeEach, describe, expect, test } from '@jest/globals';
import { SAMPLE, type Sender, submissionId } from '../submission/submission-fixture.ts';
import { openSourceFixture, REFUSED, sourceLeadId } from './source-fixture.ts';

const fixture = openSourceFixture();
const { clock, leadById, leadIdsOf, newEnvironment, reasonsOf } = fixture;
const NOON = Date.parse('2026-11-15T12:00:10Z');

let sender: Sender;
beforeEach(async () => {
  clock.now = NOON;
  sender = await fixture.newSender();
});

const bearer = () => ({ Authorization: `Bearer ${sender.token}` });
const apiKey = () => ({ 'X-API-Key': sender.token });
const keyed = (key: string, body = SAMPLE) => ({ headers: { 'X-SVC-Idempotency-Key': key }, body });

describe('a request with a server token', () => {
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

describe('an idempotency key', () => {
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
});
