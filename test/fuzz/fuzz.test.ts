import { expect, test } from '@jest/globals';
import { fill, readCorpus, unfill } from './corpus.ts';
import { disagreementOf, fuzz, makePlan } from './fuzz.ts';
import { isError } from './log-watch.ts';
import { acceptance, type Play, rejection, startModelServer } from './model-server.ts';
import { makeRandom } from './random.ts';
import { readAsServer } from './read-as-server.ts';
import { makeImaginaryWorld } from './world.ts';

// The machine itself: that it would notice, and that a seed repeats.
const world = makeImaginaryWorld();
const corpus = readCorpus();
const nowSeconds = Math.floor(Date.now() / 1000);

async function faultsOf(play: Play, patienceMilliseconds?: number): Promise<string> {
  const server = await startModelServer(world, play);
  const faults: string[] = [];
  try {
    await fuzz({
      url: server.url,
      world,
      corpus,
      seed: 1,
      requests: 400,
      connections: 8,
      ...(patienceMilliseconds && { patienceMilliseconds }),
      onFault: ({ faults: found }) => faults.push(...found),
      stopped: () => faults.length > 20,
    });
  } finally {
    await server.close();
  }
  return faults.join('\n');
}

test('finds nothing in a service that does as the model says', async () => {
  expect(await faultsOf((answer) => answer)).toBe('');
});

test.each<[string, Play, RegExp]>([
  ['another status', (answer) => ({ ...answer, status: 500 }), /not allowed: 500/],
  [
    'a status of its own for a cause',
    (answer, due) => ({ ...answer, status: due === 'rejected' ? 401 : answer.status }),
    /not allowed: 401/,
  ],
  ['another body', (answer) => ({ ...answer, body: `${answer.body} ` }), /not allowed: 20[02]/],
  [
    'a header more',
    (answer, due) => ({
      ...answer,
      headers: { ...answer.headers, ...(due === 'rejected' && { 'X-Reason': 'token' }) },
    }),
    /not allowed: 200 .*x-reason/,
  ],
  [
    'an acceptance that was not due',
    (answer, due) => (due === 'rejected' ? acceptance() : answer),
    /accepted, where rejected/,
  ],
  [
    'a rejection that was not due',
    (answer, due) => (due === 'accepted' ? rejection() : answer),
    /rejected, where accepted/,
  ],
  [
    'a second lead for a key',
    (answer, due) => (due === 'accepted' ? acceptance() : answer),
    /one key has two leads/,
  ],
])('finds %s', async (_, play, fault) => {
  expect(await faultsOf(play)).toMatch(fault);
});

test('finds silence', async () => {
  expect(await faultsOf((answer, due) => (due === 'rejected' ? undefined : answer), 500)).toMatch(
    /no end in time/,
  );
});

test('mutations and model agree', async () => {
  const disagreements: string[] = [];
  for (let number = 0; number < 1_500; number += 1) {
    const plan = await makePlan({ world, corpus, seed: 7 }, number, nowSeconds);
    const found = disagreementOf(plan, await readAsServer(plan.delivery.bytes), world, nowSeconds);
    if (found !== undefined) disagreements.push(`${number}: ${found}`);
  }
  expect(disagreements).toEqual([]);
});

test('a seed repeats, and another makes other requests', async () => {
  const bytesOf = async (seed: number) => {
    const plans = Array.from({ length: 200 }, (_, number) =>
      makePlan({ world, corpus, seed }, number, nowSeconds),
    );
    return Buffer.concat((await Promise.all(plans)).map(({ delivery }) => delivery.bytes)).toString('base64');
  };
  const first = await bytesOf(1);
  expect(await bytesOf(1)).toBe(first);
  expect(await bytesOf(2)).not.toBe(first);
});

test('a request that is written down has no credential in it, and is the same when it is read again', async () => {
  for (const { bytes } of corpus.filter((entry) => entry.bytes.length < 1_000)) {
    const filled = await fill(bytes, makeRandom(1, 1), world, nowSeconds);
    const written = await unfill(filled, world, nowSeconds);
    for (const { token, slug, secret } of world.tenants) {
      for (const value of [token, slug, secret]) expect(written.includes(value)).toBe(false);
    }
    const again = await fill(written, makeRandom(1, 1), world, nowSeconds);
    expect(again.length).toBe(filled.length);
  }
});

test.each([
  ['{"level":"ERROR","code":"submission.defect"}', true],
  ['{"level":"INFO","code":"submission.rejected","reason":"internal_error"}', true],
  ['2026-01-01T00:00:00.000Z\t-\tERROR\tThe environment crashed', true],
  ['{"level":"INFO","code":"submission.rejected","reason":"token_invalid"}', false],
  ['{"level":"WARN","message":"slow"}', false],
])('of the logs, %s is an error: %s', (line, error) => {
  expect(isError(line)).toBe(error);
});
