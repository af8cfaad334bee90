import { describe, expect, test } from '@jest/globals';
import { type ClientOptions, type Lead, sign } from '../../packages/client/src/index.ts';
import {
  ACCEPTED,
  BASE,
  FOR_TOOLS,
  ID,
  LEAD,
  REJECTED,
  type Reply,
  SECRET,
  type Sent,
  STARTED_AT,
  TOKEN,
  WITH_SECRET,
  WITH_TOKEN,
  world,
} from './client-world.ts';

describe('what is sent', () => {
  test.each([
    ['a server token', WITH_TOKEN, `${BASE}/api/v1/ingest`, { authorization: `Bearer ${TOKEN}` }],
    [
      'a token for tools',
      FOR_TOOLS,
      'https://sources.example.com/sources/v1',
      { authorization: `Bearer ${TOKEN}` },
    ],
    ['a secret', WITH_SECRET, `${BASE}/api/v1/ingest/contact-us`, { 'x-svc-timestamp': '1782907200' }],
  ])('with %s', async (_, options, url, headers) => {
    const status = 'sourcesUrl' in options ? 200 : 202;
    const { sendLead, sent } = world(options, [[status, ACCEPTED[1]]]);
    expect(await sendLead(LEAD, { idempotencyKey: 'lead 1' })).toEqual({ submission_id: ID });
    expect(sent).toEqual([
      {
        at: 0,
        url,
        redirect: 'manual',
        body: JSON.stringify(LEAD),
        headers: expect.objectContaining(headers),
      },
    ]);
    expect(sent[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-svc-idempotency-key': 'lead 1',
    });
  });

  test('every attempt has the same bytes and key, and a new timestamp and signature', async () => {
    const { sendLead, sent } = world(WITH_SECRET, [REJECTED, 'never', REJECTED, ACCEPTED]);
    const lead: Lead = { ...LEAD };
    const sending = sendLead(lead);
    lead.name = 'changed meanwhile';
    await sending;
    expect(sent.map(({ at }) => at)).toEqual([0, 1_000, 18_000, 22_000]);
    expect(new Set(sent.map(({ body }) => body))).toEqual(new Set([JSON.stringify(LEAD)]));
    expect(new Set(sent.map(({ headers }) => headers['x-svc-idempotency-key'])).size).toBe(1);
    for (const { at, body, headers } of sent) {
      const timestamp = String((STARTED_AT + at) / 1000);
      expect(headers['x-svc-timestamp']).toBe(timestamp);
      expect(headers['x-svc-signature']).toBe(sign(timestamp, body, SECRET));
    }
  });

  test('a call without a key makes a new one', async () => {
    const { sendLead, sent } = world(WITH_TOKEN, [ACCEPTED]);
    await Promise.all([sendLead(LEAD), sendLead(LEAD)]);
    const keys = sent.map(({ headers }) => headers['x-svc-idempotency-key']);
    expect(new Set(keys).size).toBe(2);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('only the documented success is success', () => {
  const accepted = ACCEPTED[1];
  test.each<[options: ClientOptions, reply: Reply]>([
    [WITH_TOKEN, REJECTED],
    [WITH_TOKEN, [200, accepted]],
    [WITH_TOKEN, [302, accepted]],
    [WITH_TOKEN, [503, accepted]],
    [WITH_TOKEN, [202]],
    [WITH_TOKEN, [202, 'null']],
    [WITH_TOKEN, [202, '<html>']],
    [WITH_TOKEN, [202, '{"status":"rejected"}']],
    [WITH_TOKEN, [202, '{"submission_id":7}']],
    [WITH_TOKEN, new TypeError('fetch failed')],
    [WITH_TOKEN, 'never'],
    [WITH_SECRET, REJECTED],
    [WITH_SECRET, [200, accepted]],
    [FOR_TOOLS, [202, accepted]],
    [FOR_TOOLS, REJECTED],
    [FOR_TOOLS, [503, '{"status":"rejected"}']],
  ])('%j gets %j and retries', async (options, reply) => {
    const success: Reply = options === FOR_TOOLS ? [200, accepted] : ACCEPTED;
    const { sendLead, sent } = world(options, [reply, success]);
    expect(await sendLead(LEAD)).toEqual({ submission_id: ID });
    expect(sent).toHaveLength(2);
  });

  test.each<[options: ClientOptions, reply: Reply]>([
    [WITH_TOKEN, [410, '{"error":"gone"}']],
    [WITH_SECRET, [410]],
    [FOR_TOOLS, [200, '{"status":"ignored"}']],
  ])('%j gets %j and does not retry', async (options, reply) => {
    const { failure, sent } = world(options, [reply]);
    expect(await failure()).toMatchObject({ attempts: 1, canRetry: false, status: (reply as [number])[0] });
    expect(sent).toHaveLength(1);
  });
});

describe('retries', () => {
  test('wait twice as long each time, up to about two minutes, for an hour', async () => {
    const { failure, sent } = world(WITH_TOKEN, [REJECTED]);
    const { attempts } = await failure();
    const pauses = sent.slice(1).map(({ at }, index) => at - (sent[index] as Sent).at);
    expect(pauses.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 128].map((seconds) => seconds * 1000));
    expect(Math.max(...pauses)).toBe(128_000);
    expect(sent.at(-1)?.at).toBeLessThanOrEqual(3_600_000);
    expect(sent.at(-1)?.at).toBeGreaterThan(3_600_000 - 128_000);
    expect(attempts).toBe(sent.length);
  });

  test('have a random delay of up to as much again', async () => {
    const { sendLead, sent } = world(WITH_TOKEN, [REJECTED, REJECTED, REJECTED, ACCEPTED], 0.5);
    await sendLead(LEAD);
    expect(sent.map(({ at }) => at)).toEqual([0, 1_500, 4_500, 10_500]);
  });

  test('give up after the given time, and say what is known but neither lead nor credential', async () => {
    const { failure, sent } = world({ ...WITH_SECRET, giveUpAfterMilliseconds: 7_000 }, [REJECTED]);
    const error = await failure(LEAD, { idempotencyKey: 'key-1' });
    expect(sent.map(({ at }) => at)).toEqual([0, 1_000, 3_000, 7_000]);
    expect({ ...error }).toEqual({
      name: 'LeadNotSentError',
      attempts: 4,
      idempotencyKey: 'key-1',
      canRetry: true,
      status: 200,
      requestId: 'req-1',
    });
    expect(error.message).toBe(
      'The lead was not accepted in 4 attempts. The last one got 200. Look up request ID req-1 in Diagnostics.',
    );
    for (const hidden of [SECRET, 'zoe@', 'Zoë'])
      expect(`${error.stack}${error.cause}`).not.toContain(hidden);
  });

  test('say which network error was the last, and nothing that its message repeats', async () => {
    const refused = new TypeError(`"Bearer ${TOKEN}" failed`, { cause: { code: 'ECONNREFUSED' } });
    const once = { ...WITH_TOKEN, giveUpAfterMilliseconds: 0 };
    const error = await world(once, [refused]).failure();
    expect(error).toMatchObject({ attempts: 1, status: undefined, requestId: undefined });
    expect(error.cause).toBeUndefined();
    expect(error.message).toBe(
      'The lead was not accepted in 1 attempt. The last one got no response (ECONNREFUSED).',
    );
    const { clock, failure } = world(once, ['never']);
    expect((await failure()).message).toContain('(timeout)');
    expect(clock.now - STARTED_AT).toBe(15_000);
  });

  test.each([
    ['during an attempt', 'never', 1],
    ['while waiting', REJECTED, 2],
  ] as const)(
    'end %s when the signal is aborted, with its reason, and leave no timer behind',
    async (_, reply, attempts) => {
      const { sendLead, sent, clock } = world(WITH_TOKEN, [reply]);
      const stop = new AbortController();
      const reason = new Error('shutting down');
      const timer = clock.wait(2_000).then(() => stop.abort(reason));
      await expect(sendLead(LEAD, { signal: stop.signal })).rejects.toBe(reason);
      await timer;
      expect(sent).toHaveLength(attempts);
      expect(clock.timers.size).toBe(0);
      await expect(sendLead(LEAD, { signal: stop.signal })).rejects.toBe(reason);
      expect(sent).toHaveLength(attempts);
    },
  );
});
