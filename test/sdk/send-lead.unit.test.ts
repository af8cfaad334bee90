import { describe, expect, test } from '@jest/globals';
import { roleOf } from '#scoring/roles.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { ELAPSED_FIELD, HONEYPOT_FIELD, readLead } from '../../sdk/read-lead.ts';
import { createNonce, makeSendLead, type SendOptions } from '../../sdk/send-lead.ts';

const ENDPOINT = 'https://leads.example.com/prod';
const NONCE = '0123456789abcdef0123456789abcdef';
const LEAD = { name: 'Ada Byron', email: 'ada@analytical-engines.example' };

interface Request {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly credentials: string | undefined;
}

type Step = object | 'network error' | number;

const minted = (token = 'ingt_brw_1') => ({ token, expires_in: 120 });
const ACCEPTED = { submission_id: 'sub_1' };
const REJECTED = { status: 'rejected' };

/** A network that gives these responses, one per request, and records requests, waits and changes. */
function network(steps: readonly Step[], { online = [] as boolean[], comesOnline = true, random = 0 } = {}) {
  const requests: Request[] = [];
  const waits: number[] = [];
  const states: boolean[] = [];
  const sendLead = makeSendLead({
    async fetch(url, { headers, body, credentials } = {}) {
      const step = steps[requests.length];
      requests.push({
        url: String(url),
        headers: headers as Record<string, string>,
        body: JSON.parse(String(body)),
        credentials,
      });
      if (step === undefined) throw new Error('More requests than expected');
      if (step === 'network error') throw new TypeError('Failed to fetch');
      return typeof step === 'number' ? new Response('{}', { status: step }) : Response.json(step);
    },
    isOnline: () => online.shift() ?? true,
    untilOnline: () => (comesOnline ? Promise.resolve() : new Promise(() => {})),
    async wait(milliseconds) {
      waits.push(milliseconds);
    },
    random: () => random,
  });
  const send = (changes: Partial<SendOptions> = {}) =>
    sendLead({
      endpoint: ENDPOINT,
      form: 'contact-x1',
      lead: LEAD,
      nonce: NONCE,
      onOffline: (isOffline) => states.push(isOffline),
      ...changes,
    });
  return { send, requests, waits, states };
}

const paths = (requests: readonly Request[]) => requests.map(({ url }) => url.split('/').at(-1));

describe('sending a lead', () => {
  test('mints a token and submits with it', async () => {
    const { send, requests } = network([minted(), ACCEPTED]);
    expect(await send()).toEqual({ status: 'sent', submissionId: 'sub_1' });
    expect(requests).toEqual([
      {
        url: `${ENDPOINT}/api/v1/browser/token`,
        headers: { 'content-type': 'application/json' },
        body: { form: 'contact-x1', nonce: NONCE },
        credentials: 'omit',
      },
      {
        url: `${ENDPOINT}/api/v1/browser/submissions`,
        headers: { 'content-type': 'application/json', authorization: 'Bearer ingt_brw_1' },
        body: LEAD,
        credentials: 'omit',
      },
    ]);
  });

  test('mints again after a rejection, with the same nonce', async () => {
    const { send, requests, waits } = network([minted(), REJECTED, minted('ingt_brw_2'), ACCEPTED]);
    expect(await send()).toEqual({ status: 'sent', submissionId: 'sub_1' });
    expect(requests[2]?.body).toEqual(requests[0]?.body);
    expect(requests[3]?.headers.authorization).toBe('Bearer ingt_brw_2');
    expect(waits).toEqual([]);
  });

  test('gives up after two rejections', async () => {
    const { send, requests } = network([minted(), REJECTED, minted(), REJECTED]);
    expect(await send()).toEqual({ status: 'rejected' });
    expect(requests).toHaveLength(4);
  });

  test('counts a response without a token as a rejection', async () => {
    const { send, requests } = network([REJECTED, REJECTED]);
    expect(await send()).toEqual({ status: 'rejected' });
    expect(paths(requests)).toEqual(['token', 'token']);
  });

  test.each(['network error', 500, 429] as const)('retries after %s, with the same nonce', async (fault) => {
    const { send, requests, waits } = network([minted(), fault, fault, minted(), ACCEPTED]);
    expect(await send()).toMatchObject({ status: 'sent' });
    expect(paths(requests)).toEqual(['token', 'submissions', 'token', 'token', 'submissions']);
    const mints = requests.filter(({ url }) => url.endsWith('token'));
    expect(mints.map(({ body }) => body)).toEqual(Array(3).fill({ form: 'contact-x1', nonce: NONCE }));
    expect(waits).toEqual([1_000, 3_000]);
  });

  test('retries after a response that is not JSON', async () => {
    let calls = 0;
    const responses = ['<html>', JSON.stringify(minted()), JSON.stringify(ACCEPTED)];
    const sendLead = makeSendLead({
      fetch: async () => new Response(responses[calls++]),
      isOnline: () => true,
      untilOnline: async () => {},
      wait: async () => {},
      random: () => 0,
    });
    expect(await sendLead({ endpoint: ENDPOINT, form: 'x', lead: {} })).toMatchObject({ status: 'sent' });
  });

  test('gives up after four network errors, with growing random waits', async () => {
    const { send, requests, waits } = network(Array(4).fill('network error'), { random: 1 });
    expect(await send()).toEqual({ status: 'unreachable' });
    expect(requests).toHaveLength(4);
    expect(waits).toEqual([1_500, 4_500, 13_500]);
  });

  test('waits while offline, which is no failed attempt', async () => {
    const steps = ['network error', 'network error', minted(), ACCEPTED] as const;
    const { send, waits, states } = network(steps, { online: [false] });
    expect(await send()).toMatchObject({ status: 'sent' });
    expect(states).toEqual([true, false]);
    expect(waits).toEqual([30_000, 1_000]);
  });

  test('tries again after a while if the browser only thinks that it is offline', async () => {
    const { send, states } = network(['network error', minted(), ACCEPTED], {
      online: [false],
      comesOnline: false,
    });
    expect(await send()).toMatchObject({ status: 'sent' });
    expect(states).toEqual([true, false]);
  });

  test('does not ask whether the browser is online before it has tried', async () => {
    const { send, states } = network([minted(), ACCEPTED], { online: [false], comesOnline: false });
    expect(await send()).toMatchObject({ status: 'sent' });
    expect(states).toEqual([]);
  });

  test('finds out where the service is, which may end with a slash, and asks again after a network error', async () => {
    const { send, requests, waits } = network([minted(), ACCEPTED]);
    let questions = 0;
    const endpoint = async () => {
      questions += 1;
      if (questions === 1) throw new TypeError('Failed to fetch');
      return `${ENDPOINT}/`;
    };
    expect(await send({ endpoint })).toMatchObject({ status: 'sent' });
    expect(waits).toEqual([1_000]);
    expect(requests[0]?.url).toBe(`${ENDPOINT}/api/v1/browser/token`);
  });
});

test('a nonce is 32 random hex digits', () => {
  const nonces = Array.from({ length: 100 }, createNonce);
  for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(nonces).size).toBe(100);
});

test.each<[what: string, entries: [string, string | File][], json: string]>([
  ['become one flat object', Object.entries({ name: 'Ada', company: '' }), '{"name":"Ada","company":""}'],
  ['of one name are joined', ['sales', 'support'].map((it) => ['topic', it]), '{"topic":"sales, support"}'],
  ['that are files are left out', [['cv', new File(['x'], 'cv.pdf')]], '{}'],
  ['may be named __proto__', [['__proto__', 'x']], '{"__proto__":"x"}'],
  ['have no honeypot that is empty', [[HONEYPOT_FIELD, '']], '{}'],
  ['have a honeypot that is filled in', [[HONEYPOT_FIELD, 'spam']], `{"${HONEYPOT_FIELD}":"spam"}`],
])("a form's entries %s", (_, entries, json) => {
  expect(JSON.stringify(readLead(entries))).toBe(json);
});

describe('scoring', () => {
  const PERSON = { name: 'Ada Byron', email: 'ada.byron@siemens.com', message: 'Please send us a quote.' };
  const signalsOf = (fields: Record<string, unknown>) =>
    scoreLead(fields).signals.map((signal) => signal.name);

  test('recognizes the honeypot by its name', () => {
    expect(roleOf({ key: HONEYPOT_FIELD, value: 'x' })).toBe('honeypot');
    expect(signalsOf({ ...PERSON, [HONEYPOT_FIELD]: 'x' })).toContain('honeypot_filled');
  });

  test('takes the elapsed time for nothing that a person typed', () => {
    expect(roleOf({ key: ELAPSED_FIELD, value: '491234567' })).toBe('about');
    expect(signalsOf({ ...PERSON, [ELAPSED_FIELD]: 12_345 })).toEqual(signalsOf(PERSON));
  });
});
