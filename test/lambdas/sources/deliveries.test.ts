import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { SAMPLE } from '../submission/submission-fixture.ts';
import {
  IGNORED,
  openSourceFixture,
  type Source,
  sourceLeadId,
  stripeBody,
  typeformBody,
} from './source-fixture.ts';

const fixture = openSourceFixture();
const { clock, leadById, leadIdsOf, newEnvironment, newSource, reasonsOf } = fixture;
const NOON = Date.parse('2026-11-15T12:00:10Z');
const DAY = 24 * 60 * 60_000;

beforeEach(() => {
  clock.now = NOON;
});

describe('a delivery', () => {
  test('becomes a lead with its body as sent, flat fields, and a score made of them', async () => {
    const source = await newSource('typeform');
    const lead = await leadById(sourceLeadId(await newEnvironment().deliver(source)));
    expect(lead).toMatchObject({ formId: source.formId, surface: '1c', body: typeformBody() });
    expect(JSON.parse(lead?.fields ?? '')).toEqual({
      'Your name': 'Ada Byron',
      email: 'ada@analytical-engines.co.uk',
    });
    expect(lead?.signals.map(({ name }) => name)).not.toContain('not_reachable');
    expect(lead).not.toHaveProperty('test');
    expect(await reasonsOf(source.workspaceId)).toEqual({});
  });

  test('that is flat already has no fields beside the body, whatever its content type says', async () => {
    const source = await newSource('github');
    const sent = { body: SAMPLE, headers: { 'Content-Type': 'text/plain' } };
    const lead = await leadById(sourceLeadId(await newEnvironment().deliver(source, sent)));
    expect(lead?.body).toBe(SAMPLE);
    expect(lead).not.toHaveProperty('fields');
  });

  test('with a surprising shape keeps its body and says so', async () => {
    const source = await newSource('typeform');
    const body = typeformBody({ answers: [] });
    const lead = await leadById(sourceLeadId(await newEnvironment().deliver(source, { body })));
    expect(lead?.body).toBe(body);
    expect(lead).not.toHaveProperty('fields');
    expect(lead?.signals).toContainEqual({ name: 'mapping_failed', weight: 0 });
  });

  test('in a test mode is marked', async () => {
    const source = await newSource('stripe');
    const body = stripeBody({ livemode: false });
    const lead = await leadById(sourceLeadId(await newEnvironment().deliver(source, { body })));
    expect(lead?.test).toBe(true);
  });
});

describe('a repeated delivery', () => {
  let source: Source;
  beforeEach(async () => {
    source = await newSource('typeform');
  });

  test('gets the original response, also with another body, and is no reused key', async () => {
    const first = await newEnvironment().deliver(source);
    clock.now += 60_000;
    expect(await newEnvironment().deliver(source)).toEqual(first);
    const body = typeformBody().replace('Ada Byron', 'Ada Lovelace');
    expect(await newEnvironment().deliver(source, { body })).toEqual(first);
    expect(await leadIdsOf(source.formId)).toEqual([sourceLeadId(first)]);
    expect(await reasonsOf(source.workspaceId)).toEqual({});
  });

  test('is remembered on day 6, and refused by its own time on day 8, without a gap on day 7', async () => {
    const body = typeformBody({ submittedAt: new Date(NOON).toISOString() });
    const first = await newEnvironment().deliver(source, { body });
    for (const remembered of [6 * DAY, 7 * DAY - 1]) {
      clock.now = NOON + remembered;
      expect(await newEnvironment().deliver(source, { body })).toEqual(first);
    }
    for (const tooOld of [7 * DAY, 8 * DAY]) {
      clock.now = NOON + tooOld;
      expect(await newEnvironment().deliver(source, { body })).toEqual(IGNORED);
    }
    expect(await leadIdsOf(source.formId)).toHaveLength(1);
    expect(await reasonsOf(source.workspaceId)).toEqual({ delivery_too_old: 2 });
  });

  test('does not make a lead again that was erased meanwhile', async () => {
    const first = await newEnvironment().deliver(source);
    const Key = { leadId: sourceLeadId(first), part: 'lead' };
    await fixture.observer.send(new DeleteCommand({ TableName: fixture.stack.tables.leads, Key }));
    clock.now = NOON + 6 * DAY;
    expect(await newEnvironment().deliver(source)).toEqual(first);
    expect(await leadIdsOf(source.formId)).toEqual([]);
  });

  test('on another form is another lead', async () => {
    const other = await newSource('typeform');
    const responses = [await newEnvironment().deliver(source), await newEnvironment().deliver(other)];
    expect(new Set(responses.map(sourceLeadId)).size).toBe(2);
  });

  test('is told apart by a signed ID, not by its body', async () => {
    const signed = await newSource('framer');
    const deliver = (deliveryId: string) => newEnvironment().deliver(signed, { body: SAMPLE, deliveryId });
    const first = await deliver('submission-1');
    expect(await deliver('submission-1')).toEqual(first);
    expect(sourceLeadId(await deliver('submission-2'))).not.toBe(sourceLeadId(first));
  });

  test('makes a second lead on day 8 if the provider signs no time', async () => {
    const timeless = await newSource('github');
    const first = await newEnvironment().deliver(timeless, { body: SAMPLE });
    clock.now = NOON + 8 * DAY;
    const second = await newEnvironment().deliver(timeless, { body: SAMPLE });
    expect(sourceLeadId(second)).not.toBe(sourceLeadId(first));
  });
});

describe('an ignored event', () => {
  test.each([
    ['an event that was not chosen', 'stripe', stripeBody({ type: 'customer.created' })],
    ['a part of a response', 'typeform', '{"event_type":"form_response_partial","form_response":{}}'],
    ['a new date', 'calendly', '{"event":"invitee.created","payload":{"uri":"u","old_invitee":"https://x"}}'],
    ['a ping', 'github', '{"zen":"Keep it logically awesome.","hook_id":1}'],
  ] as const)('%s stores nothing and is no rejection', async (_what, provider, body) => {
    const source = await newSource(provider);
    const environment = newEnvironment();
    expect(await environment.deliver(source, { body })).toEqual(IGNORED);
    expect(await leadIdsOf(source.formId)).toEqual([]);
    expect(await reasonsOf(source.workspaceId)).toEqual({});
    const counters = Object.keys(await fixture.workspaceItem(source.workspaceId));
    expect(counters.filter((name) => name.startsWith('n1c'))).toEqual([]);
    expect(environment.logLines.map((line) => JSON.parse(line).code)).toEqual(['submission.ignored']);
    // It shows the owner that the secret is right, and is no lead that would hide a silence.
    const uses = await fixture.diagnosticsOf(source.workspaceId, 'use#');
    expect(uses.map(({ sk }) => sk)).toEqual([`use#ignored#${source.formId}`]);
  });

  test('is a lead as soon as the owner has chosen the event, also for a warm function', async () => {
    const source = await newSource('stripe');
    const environment = newEnvironment();
    const body = stripeBody({ type: 'customer.created' });
    expect(await environment.deliver(source, { body })).toEqual(IGNORED);
    await fixture.configure(source, { name: 'stripe', events: ['customer.created'] });
    sourceLeadId(await environment.deliver(source, { body }));
  });
});
