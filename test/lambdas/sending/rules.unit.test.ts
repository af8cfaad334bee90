import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { ForwardedEvent } from '#model/lead-events.ts';
import { makeLeadId } from '#model/lead-item.ts';
import { makeSigningSecret, testMessageLead, webhookBody, webhookHeaders } from '#sending/compose-message.ts';
import { type AlertEvent, type Destination, subscribesTo } from '#sending/destination.ts';
import { messageId, parseMessageId, parseSendTask } from '#sending/message.ts';
import { isAboutMessage, MAX_ATTEMPTS, probeDelay, retryDelay } from '#sending/retry-schedule.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');
const LEAD_ID = makeLeadId(NOW, new Uint8Array(10).fill(7));

describe('a destination', () => {
  const destination: Destination = {
    workspaceId: 'ws_1',
    destinationId: 'dest_1',
    kind: 'webhook',
    name: 'CRM',
    url: 'https://crm.example.com/leads',
    events: ['lead.accepted', 'lead.erased'],
    forms: 'all',
    onlyClean: true,
    includeFields: false,
    status: 'active',
    createdAt: '2026-11-15T11:00:00.000Z',
  };
  const event: ForwardedEvent = {
    type: 'lead.accepted',
    workspaceId: 'ws_1',
    formId: 'form_1',
    leadId: LEAD_ID,
    at: '2026-11-15T12:00:00.000Z',
    score: 80,
    clean: true,
  };

  test.each<[string, Partial<Destination>, Partial<ForwardedEvent>, boolean]>([
    ['a clean lead', {}, {}, true],
    ['an event that it did not choose', {}, { type: 'lead.enriched' }, false],
    ['a lead that is not clean', {}, { clean: false }, false],
    ['a lead that is not clean, if it takes all', { onlyClean: false }, { clean: false }, true],
    [
      'an erasure, though nobody knows whether the lead was clean',
      {},
      { type: 'lead.erased', clean: undefined },
      true,
    ],
    ['a lead that a review made clean', {}, { madeClean: true }, true],
    ['such a lead, if it got all of them before', { onlyClean: false }, { madeClean: true }, false],
    ['a lead of its form', { forms: ['form_1'] }, {}, true],
    ['a lead of another form', { forms: ['form_2'] }, {}, false],
    ['a lead that came in before it was created', { createdAt: '2026-11-15T12:00:00.001Z' }, {}, false],
  ])('is asked about %s', (_title, itself, about, expected) => {
    expect(subscribesTo({ ...destination, ...itself }, { ...event, ...about })).toBe(expected);
  });

  const alert = { type: 'alert.opened', workspaceId: 'ws_1', leadId: LEAD_ID, at: event.at } as const;
  const alerts: Destination = { ...destination, events: ['alert.opened', 'alert.closed'] };

  test.each<[string, Partial<Destination>, Partial<AlertEvent>, boolean]>([
    ['an alert about its form', { forms: ['form_1'] }, { formId: 'form_1' }, true],
    ['an alert about another form', { forms: ['form_2'] }, { formId: 'form_1' }, false],
    ['an alert about the whole workspace', { forms: ['form_2'] }, {}, true],
    [
      'an alert, which is no lead, if it takes clean ones only',
      { onlyClean: true },
      { formId: 'form_1' },
      true,
    ],
    ['an alert, if it takes leads alone', { events: ['lead.accepted'] }, { formId: 'form_1' }, false],
    ['an alert about itself', {}, { aboutDestination: 'dest_1' }, false],
  ])('is asked about %s', (_title, itself, about, expected) => {
    expect(subscribesTo({ ...alerts, ...itself }, { ...alert, ...about })).toBe(expected);
  });
});

describe('a webhook message', () => {
  const secrets = [1, 2].map((fill) => makeSigningSecret(new Uint8Array(32).fill(fill)));
  const lead = {
    ...testMessageLead(LEAD_ID, '2026-11-15T12:00:00.000Z'),
    formId: 'form_1',
    body: '{"amount": 12345678901234567890, "note":"é\\u2028"}',
  };
  const content = {
    type: 'lead.accepted',
    at: lead.receivedAt,
    submissionId: LEAD_ID,
    formId: 'form_1',
    lead,
  } as const;

  test('is verified by the reference library, with the current and the previous secret', () => {
    const body = webhookBody(content);
    const timestampSeconds = Math.floor(Date.now() / 1000);
    const headers = webhookHeaders({ id: 'msg_1', timestampSeconds, body }, secrets);
    for (const secret of secrets) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    const other = makeSigningSecret(new Uint8Array(32).fill(3));
    expect(() => new Webhook(other).verify(body, headers)).toThrow();
    expect(() => new Webhook(secrets[0] as string).verify(`${body} `, headers)).toThrow();
  });

  test('has every digit that was sent', () => {
    expect(webhookBody(content)).toContain(`"fields":${lead.body}`);
  });

  test('of an erased lead has its ids only', () => {
    const { lead: _lead, ...erased } = content;
    expect(JSON.parse(webhookBody({ ...erased, type: 'lead.erased' }))).toEqual({
      type: 'lead.erased',
      timestamp: lead.receivedAt,
      data: { lead: { submissionId: LEAD_ID, formId: 'form_1' } },
    });
  });

  test('of an enriched lead adds the enrichment, without our own bookkeeping', () => {
    const enrichment = {
      leadId: LEAD_ID,
      state: 'enriched',
      facts: { emailDomain: { value: 'example.com', source: 'body' } },
      enrichedAt: '2026-11-15T12:00:02.000Z',
      attempts: 1,
    } as const;
    const body = JSON.parse(webhookBody({ ...content, type: 'lead.enriched', enrichment }));
    expect(body.data.lead.enrichment).toEqual({
      state: 'enriched',
      enrichedAt: enrichment.enrichedAt,
      facts: enrichment.facts,
    });
  });

  test('with a damaged body is still valid JSON', () => {
    const damaged = { ...content, lead: { ...lead, body: '{"a":' } };
    expect(JSON.parse(webhookBody(damaged)).data.lead.fields).toEqual({});
  });
});

describe('a message id', () => {
  test.each(['lead.accepted', 'lead.enriched', 'lead.erased', 'destination.test'] as const)(
    'of %s is read back',
    (type) => {
      const key = { destinationId: 'dest_0AbZ9', leadId: LEAD_ID, type };
      expect(messageId(key)).toMatch(/^msg_[0-9A-Za-z_]+$/);
      expect(parseMessageId(messageId(key))).toEqual(key);
    },
  );

  test.each(['', 'msg_', 'msg_x_y_z', `msg_a_${'0'.repeat(32)}_unknown`, '../../secret'])(
    'is not %j',
    (text) => {
      expect(parseMessageId(text)).toBeUndefined();
    },
  );

  test('is stable, and a task that cannot be read is none', () => {
    expect(parseSendTask('not json')).toBeUndefined();
    expect(parseSendTask('{"task":"explode","destinationId":"dest_1"}')).toBeUndefined();
    expect(parseSendTask('null')).toBeUndefined();
  });
});

describe('retries', () => {
  test('wait 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and up to a tenth more', () => {
    const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
    expect(MAX_ATTEMPTS).toBe(8);
    for (const [index, wait] of seconds.entries()) {
      expect(retryDelay({ countedAttempts: index + 1, random: 0 })).toBe(wait * 1_000);
      expect(retryDelay({ countedAttempts: index + 1, random: 1 })).toBe(wait * 1_100);
    }
    expect(retryDelay({ countedAttempts: MAX_ATTEMPTS, random: 0 })).toBeUndefined();
  });

  test('wait as long as the receiver asks, but not for ever', () => {
    expect(retryDelay({ countedAttempts: 1, random: 0, retryAfterSeconds: 60 })).toBe(60_000);
    expect(retryDelay({ countedAttempts: 2, random: 0, retryAfterSeconds: 60 })).toBe(300_000);
    expect(retryDelay({ countedAttempts: 1, random: 0, retryAfterSeconds: 9_999_999 })).toBe(86_400_000);
  });

  test('of an open breaker are probes after 5 s, 1, 5 and 30 min, then hourly', () => {
    expect([0, 1, 2, 3, 4, 5, 50].map((step) => probeDelay(step, 0) / 1_000)).toEqual([
      5, 60, 300, 1_800, 3_600, 3_600, 3_600,
    ]);
  });
});

test('some statuses are about the message, all others about the destination', () => {
  const statuses = Array.from({ length: 500 }, (_, index) => 100 + index).filter(isAboutMessage);
  expect(statuses).toEqual([400, 409, 413, 415, 422]);
  expect(isAboutMessage(undefined)).toBe(false);
});
