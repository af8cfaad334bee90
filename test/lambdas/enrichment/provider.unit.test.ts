import { afterAll, describe, expect, test } from '@jest/globals';
import { ExternalFailure } from '#enrichment/external-failures.ts';
import { makeEnrichmentProvider } from '#enrichment/provider-http.ts';
import { makeProviderKey } from '#enrichment/provider-key-store.ts';
import { hangUp, respondWith, stall, stallInBody, startProviderServer } from './external-servers.ts';

const server = await startProviderServer();
afterAll(server.close);

const QUESTION = { email: 'canary@canary-domain.com', name: 'Canary Person' };
const OK = respondWith(200, { employees: 120 });
const FACTS = { 'provider.employees': { value: 120, source: 'provider' } };

/** A provider with its own clock, keys that are read in turn, and pauses that are recorded instead of waited for. */
function open({ keys = ['key-1'], timeoutMilliseconds = 30_000 } = {}) {
  const clock = { now: Date.parse('2026-11-15T12:00:00Z') };
  const pauses: number[] = [];
  const reads: string[] = [];
  const now = () => clock.now;
  const readSecret = async () => {
    const key = keys[Math.min(reads.length, keys.length - 1)] as string;
    reads.push(key);
    return key;
  };
  const provider = makeEnrichmentProvider({
    url: server.url,
    key: makeProviderKey({ now, readSecret }),
    now,
    timeoutMilliseconds,
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
  const ask = (signal = AbortSignal.timeout(60_000)) => provider.ask(QUESTION, signal);
  const failure = async (signal?: AbortSignal) => {
    const error = await ask(signal).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ExternalFailure);
    const { transient, code, stack } = error as ExternalFailure;
    expect(`${stack} ${JSON.stringify(error)}`).not.toMatch(/canary|key-\d/i);
    return { transient, code };
  };
  return { clock, pauses, reads, ask, failure };
}

describe('a provider that responds', () => {
  test('is asked with POST, the key and the known facts', async () => {
    server.play(OK);
    expect(await open().ask()).toEqual(FACTS);
    expect(server.received).toEqual([{ method: 'POST', authorization: 'Bearer key-1', body: QUESTION }]);
  });

  test('and knows nothing adds nothing', async () => {
    server.play(respondWith(204));
    expect(await open().ask()).toEqual({});
  });

  test.each([
    ['500', [respondWith(500), OK], [250]],
    ['503', [respondWith(503), OK], [250]],
    ['429 that asks for a second', [respondWith(429, '', { 'retry-after': '1' }), OK], [1_000]],
    [
      '429 that names a time',
      [respondWith(429, '', { 'retry-after': 'Sun, 15 Nov 2026 12:00:02 GMT' }), OK],
      [2_000],
    ],
    ['408', [respondWith(408), OK], [250]],
    ['a connection that is cut', [hangUp, OK], [250]],
  ])('after %s, at the second try', async (_, replies, pauses) => {
    server.play(...replies);
    const provider = open();
    expect(await provider.ask()).toEqual(FACTS);
    expect(provider.pauses).toEqual(pauses);
    expect(server.received).toHaveLength(2);
  });
});

describe('transient failures', () => {
  test.each([
    ['500 twice', [respondWith(500)], 2, 'HTTP_500'],
    ['429 twice', [respondWith(429)], 2, 'HTTP_429'],
    [
      '429 that asks for more patience than there is',
      [respondWith(429, '', { 'retry-after': '30' })],
      1,
      'HTTP_429',
    ],
    ['hanging up twice', [hangUp], 2, 'UND_ERR_SOCKET'],
  ])('%s', async (_, replies, requests, code) => {
    server.play(...replies);
    expect(await open().failure()).toEqual({ transient: true, code });
    expect(server.received).toHaveLength(requests);
  });

  test.each([
    ['never answers', stall],
    ['stops in the middle of its answer', stallInBody],
  ])('a provider that %s is given up', async (_, reply) => {
    server.play(reply);
    expect(await open({ timeoutMilliseconds: 200 }).failure()).toEqual({
      transient: true,
      code: 'TimeoutError',
    });
  });

  test('the deadline of the whole message', async () => {
    server.play(stall);
    expect(await open().failure(AbortSignal.timeout(200))).toMatchObject({ transient: true });
    expect(server.received.length).toBeLessThanOrEqual(1);
  });

  test('the secret cannot be read', async () => {
    server.play(OK);
    expect(await open({ keys: ['two\nlines'] }).failure()).toMatchObject({ transient: true });
    expect(server.received).toHaveLength(0);
  });
});

describe('permanent failures', () => {
  test.each([
    ['400', respondWith(400), 'HTTP_400'],
    ['403', respondWith(403), 'HTTP_403'],
    ['404', respondWith(404), 'HTTP_404'],
    ['422', respondWith(422), 'HTTP_422'],
    ['a redirect', respondWith(302, '', { location: 'https://elsewhere.example/' }), 'HTTP_302'],
    ['a body over 64 KB', respondWith(200, { long: 'x'.repeat(70_000) }), 'ANSWER_UNREADABLE'],
    ['no JSON', respondWith(200, '<html>'), 'ANSWER_UNREADABLE'],
    ['an array', respondWith(200, [1]), 'ANSWER_UNREADABLE'],
  ])('%s is not retried', async (_, reply, code) => {
    server.play(reply);
    expect(await open().failure()).toEqual({ transient: false, code });
    expect(server.received).toHaveLength(1);
  });
});

describe('the key', () => {
  test('is read once for many leads, and again after five minutes', async () => {
    server.play(OK);
    const provider = open();
    await Promise.all([provider.ask(), provider.ask(), provider.ask()]);
    provider.clock.now += 299_999;
    await provider.ask();
    expect(provider.reads).toHaveLength(1);
    provider.clock.now += 1;
    await provider.ask();
    expect(provider.reads).toHaveLength(2);
  });

  test('that was rotated is read again at the first 401', async () => {
    server.play(respondWith(401), OK);
    const provider = open({ keys: ['key-1', 'key-2'] });
    expect(await provider.ask()).toEqual(FACTS);
    expect(server.received.map(({ authorization }) => authorization)).toEqual([
      'Bearer key-1',
      'Bearer key-2',
    ]);
  });

  test('is not read again for a 401 of a request sent before the rotation', async () => {
    const keys = ['key-1', 'key-2', 'key-3'];
    const key = makeProviderKey({ now: () => 0, readSecret: async () => keys.shift() as string });
    expect(await key.current()).toBe('key-1');
    expect(await key.after('key-1')).toBe('key-2');
    expect(await key.after('key-1')).toBe('key-2');
    expect(await key.current()).toBe('key-2');
  });

  test('that stays wrong is not tried repeatedly', async () => {
    server.play(respondWith(401));
    expect(await open().failure()).toEqual({ transient: false, code: 'HTTP_401' });
    expect(server.received).toHaveLength(1);
    expect(await open({ keys: ['key-1', 'key-2'] }).failure()).toMatchObject({ code: 'HTTP_401' });
  });
});

describe('the circuit', () => {
  test('opens after five failures for 30 seconds, then lets one probe through, which closes or opens it', async () => {
    server.play(respondWith(500));
    const provider = open();
    for (let failures = 0; failures < 5; failures += 1) await provider.failure();
    server.play(respondWith(500));
    provider.clock.now += 29_999;
    expect(await provider.failure()).toEqual({ transient: true, code: 'CIRCUIT_OPEN' });
    expect(server.received).toHaveLength(0);
    provider.clock.now += 1;
    expect(await provider.failure()).toMatchObject({ code: 'HTTP_500' });
    provider.clock.now += 29_999;
    expect(await provider.failure()).toMatchObject({ code: 'CIRCUIT_OPEN' });
    server.play(OK);
    provider.clock.now += 1;
    const [probe, other] = await Promise.allSettled([provider.ask(), provider.ask()]);
    expect(probe).toMatchObject({ status: 'fulfilled', value: FACTS });
    expect(other).toMatchObject({ status: 'rejected', reason: { code: 'CIRCUIT_OPEN' } });
    expect(await Promise.all([provider.ask(), provider.ask()])).toEqual([FACTS, FACTS]);
  });

  test('stays closed while a provider only rejects requests', async () => {
    server.play(respondWith(400));
    const provider = open();
    for (let times = 0; times < 10; times += 1) await provider.failure();
    expect(server.received).toHaveLength(10);
  });

  test('counts only failures in a row', async () => {
    const provider = open();
    for (let round = 0; round < 3; round += 1) {
      server.play(respondWith(500));
      for (let failures = 0; failures < 4; failures += 1) await provider.failure();
      server.play(OK);
      expect(await provider.ask()).toEqual(FACTS);
    }
  });
});
