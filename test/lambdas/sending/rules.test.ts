import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { readableMessage, sampleLead, slackBody, webhookBody } from '#sending/compose-message.ts';
import { type Destination, wants } from '#sending/destination.ts';
import { messageId, parseMessageId, parseSendTask } from '#sending/message.ts';
import { isPublicAddress, parseDestinationUrl } from '#sending/public-address.ts';
import { MOST_ATTEMPTS, probeDelay, retryDelay } from '#sending/retry-schedule.ts';
import { makeSigningSecret, webhookHeaders } from '#sending/webhook-signature.ts';
import { makeLeadId } from '#submission/ids.ts';
import { type LeadEvent, receivedAtOf } from '#submission/lead-events.ts';

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
  const event: LeadEvent = {
    type: 'lead.accepted',
    workspaceId: 'ws_1',
    formId: 'form_1',
    leadId: LEAD_ID,
    at: '2026-11-15T12:00:00.000Z',
    score: 80,
    clean: true,
  };

  test.each<[string, Partial<Destination>, Partial<LeadEvent>, boolean]>([
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
    ['a lead of its form', { forms: ['form_1'] }, {}, true],
    ['a lead of another form', { forms: ['form_2'] }, {}, false],
    ['a lead that came in before it was created', { createdAt: '2026-11-15T12:00:00.001Z' }, {}, false],
  ])('is asked about %s', (_title, itself, about, expected) => {
    expect(wants({ ...destination, ...itself }, { ...event, ...about })).toBe(expected);
  });

  test('knows the time of a lead by its id', () => {
    expect(receivedAtOf(LEAD_ID)).toBe(NOW);
  });
});

describe('the URL of a webhook', () => {
  const strict = { allowLoopback: false };

  test.each([
    'http://example.com/',
    'https://example.com:8443/',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://192.0.2.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://intranet/',
    'https://example.com/#top',
    'http://127.0.0.1:9000/',
    'ftp://example.com/',
    'example.com',
  ])('is refused: %s', (url) => {
    expect(() => parseDestinationUrl(url, strict)).toThrow();
  });

  test('is refused if it is longer than any address needs to be', () => {
    expect(() => parseDestinationUrl(`https://example.com/${'a'.repeat(2_000)}`, strict)).toThrow('2000');
  });

  test('can have a path and a query, and a name in any script', () => {
    expect(parseDestinationUrl('https://example.com/hooks/1?key=2', strict).href).toBe(
      'https://example.com/hooks/1?key=2',
    );
    expect(parseDestinationUrl('https://bücher.example/', strict).hostname).toBe('xn--bcher-kva.example');
  });

  test('can be on this machine only where that is allowed, and only by its address', () => {
    expect(parseDestinationUrl('http://127.0.0.1:9000/x', { allowLoopback: true }).port).toBe('9000');
    for (const url of ['http://127.0.0.2/', 'http://localhost/', 'http://u@127.0.0.1/', 'http://10.0.0.1/']) {
      expect(() => parseDestinationUrl(url, { allowLoopback: true })).toThrow();
    }
  });
});

test.each([
  ['93.184.215.14', true],
  ['8.8.8.8', true],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['198.19.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['::127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['not an address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

describe('a webhook message', () => {
  const secrets = [1, 2].map((fill) => makeSigningSecret(new Uint8Array(32).fill(fill)));
  const lead = {
    ...sampleLead(LEAD_ID, '2026-11-15T12:00:00.000Z'),
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

  test('has the documented shape, and every digit that was sent', () => {
    const body = webhookBody(content);
    expect(body).toContain('12345678901234567890');
    expect(JSON.parse(body)).toEqual({
      type: 'lead.accepted',
      timestamp: lead.receivedAt,
      data: {
        lead: {
          submissionId: LEAD_ID,
          formId: 'form_1',
          receivedAt: lead.receivedAt,
          score: 90,
          clean: true,
          signals: [],
          fields: JSON.parse(lead.body),
        },
      },
    });
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

describe('a message for people', () => {
  const lead = {
    ...sampleLead(LEAD_ID, '2026-11-15T12:00:00.000Z'),
    formId: 'form_1',
    body: '{"name":"Ada <b>\\nBcc: x@y.z","email":"ada@example.com"}',
  };
  const content = {
    type: 'lead.accepted',
    at: lead.receivedAt,
    submissionId: LEAD_ID,
    formId: 'form_1',
    lead,
  } as const;
  const context = {
    formName: 'Contact\nus',
    consoleUrl: 'https://console.example.com',
    includeFields: false,
  };

  test('contains no value of the lead unless the owner chose so', () => {
    const text = JSON.stringify(readableMessage(content, context));
    expect(text).not.toMatch(/Ada|ada@/);
    expect(text).toContain(`https://console.example.com/forms/form_1/leads/${LEAD_ID}`);
    expect(JSON.stringify(readableMessage(content, { ...context, includeFields: true }))).toContain(
      'ada@example.com',
    );
  });

  test('keeps every value on its own line, and a subject on one', () => {
    const { subject, lines } = readableMessage(content, { ...context, includeFields: true });
    expect(subject).toBe('New lead: Contact us');
    expect(lines).toContain('name: Ada <b> Bcc: x@y.z');
    expect(lines.join('')).not.toMatch(/[\r\n]/);
  });

  test('escapes what Slack would interpret', () => {
    const body = JSON.parse(slackBody(readableMessage(content, { ...context, includeFields: true })));
    expect(body.text).toContain('Ada &lt;b&gt;');
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
    expect(MOST_ATTEMPTS).toBe(8);
    for (const [index, wait] of seconds.entries()) {
      expect(retryDelay({ countedAttempts: index + 1, random: 0 })).toBe(wait * 1_000);
      expect(retryDelay({ countedAttempts: index + 1, random: 1 })).toBe(wait * 1_100);
    }
    expect(retryDelay({ countedAttempts: MOST_ATTEMPTS, random: 0 })).toBeUndefined();
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
