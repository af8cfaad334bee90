import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type FunctionPool, makeFunctionPool, type PoolSettings } from '../../local/function-pool.ts';
import { waitFor } from '../until.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Made {
  readonly pool: FunctionPool;
  readonly lines: string[];
  /** The result of an invocation, read. */
  readonly invoke: (event?: unknown) => Promise<Record<string, unknown>>;
}

/** A pool for a function with this source. */
function makePool(
  source: string,
  { timeoutSeconds = 5, ...settings }: Partial<PoolSettings> & { timeoutSeconds?: number } = {},
): Made {
  const codeFolder = mkdtempSync(join(tmpdir(), 'pool-test-'));
  cleanups.push(() => rmSync(codeFolder, { recursive: true }));
  writeFileSync(join(codeFolder, 'index.cjs'), source);
  const lines: string[] = [];
  const pool = makeFunctionPool({
    definition: {
      name: 'Tried',
      arn: 'arn:aws:lambda:us-east-1:000000000000:function:Tried',
      codeFolder,
      handler: 'index.handler',
      timeoutSeconds,
      memoryMegabytes: 128,
      logFormat: 'JSON',
      logGroup: '/aws/lambda/Tried',
      variables: {},
    },
    variables: { COLOUR: 'green' },
    log: {
      follow: (output: Readable) =>
        output.on('data', (chunk) => lines.push(...`${chunk}`.trim().split('\n'))),
      write: (line) => lines.push(line),
      close: async () => undefined,
    },
    maximumEnvironments: 2,
    patienceMilliseconds: 0,
    ...settings,
  });
  cleanups.push(() => pool.close());
  return { pool, lines, invoke: async (event = {}) => JSON.parse(await pool.invoke(JSON.stringify(event))) };
}

/**
 * Returns which environment responded, how often, and whether it ever had two invocations at once. With `meet`
 * it responds only when that many environments are at work.
 */
const COUNTING = `
  const { threadId } = require('node:worker_threads');
  let count = 0, running = 0, most = 0;
  const { readdirSync, writeFileSync } = require('node:fs');
  const here = () => readdirSync(__dirname).filter((name) => name.startsWith('here-')).length;
  exports.handler = async ({ milliseconds = 0, meet = 0 }) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    if (meet) writeFileSync(__dirname + '/here-' + threadId, '');
    while (here() < meet) await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
    return { threadId, count: ++count, most };
  };`;

describe('an invocation', () => {
  test('gets its event, its context and its own environment variables', async () => {
    const { invoke } = makePool(`exports.handler = async (event, context) => ({
      event, colour: process.env.COLOUR, path: process.env.HOME ?? null, id: context.awsRequestId,
      name: context.functionName, left: context.getRemainingTimeInMillis() });`);
    const result = await invoke({ a: [1, 'ä'] });
    expect(result).toMatchObject({ event: { a: [1, 'ä'] }, colour: 'green', path: null, name: 'Tried' });
    expect(result.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(result.left).toBeGreaterThan(3_000);
    expect(result.left).toBeLessThanOrEqual(5_000);
  });

  test('may return nothing', async () => {
    const { pool } = makePool('exports.handler = async () => undefined;');
    expect(await pool.invoke('{}')).toBe('null');
  });

  test('that throws fails with its error, and the environment lives on', async () => {
    const { pool, invoke } = makePool(`let count = 0;
      exports.handler = async ({ fail }) => { count++; if (fail) throw new TypeError('no'); return { count }; };`);
    await expect(pool.invoke('{"fail":true}')).rejects.toThrow('TypeError: no');
    expect(await invoke()).toEqual({ count: 2 });
  });

  test('writes to the log with its level and request id', async () => {
    const { invoke, lines } = makePool(
      `exports.handler = async (_, { awsRequestId }) => { console.warn('watch', 1); return { awsRequestId }; };`,
    );
    const { awsRequestId } = await invoke();
    await waitFor(() => lines.some((line) => line.includes('watch')));
    const record = JSON.parse(lines.find((line) => line.includes('watch')) ?? '');
    expect(record).toMatchObject({ level: 'WARN', requestId: awsRequestId, message: 'watch 1' });
  });

  test('whose result is over 6 MB fails', async () => {
    const { pool } = makePool(`exports.handler = async () => 'x'.repeat(7_000_000);`);
    await expect(pool.invoke('{}')).rejects.toThrow('ResponseSizeTooLarge');
  });
});

describe('a pool', () => {
  test('reuses a free environment', async () => {
    const { invoke } = makePool(COUNTING);
    const first = await invoke();
    expect(await invoke()).toEqual({ ...first, count: 2 });
  });

  test('runs one invocation at a time in each environment, and queues the rest', async () => {
    const { invoke } = makePool(COUNTING, { timeoutSeconds: 60 });
    // None ends before both environments are there, however slowly the second one starts.
    const results = await Promise.all(Array.from({ length: 9 }, () => invoke({ meet: 2 })));
    expect(results.every(({ most }) => most === 1)).toBe(true);
    expect(new Set(results.map(({ threadId }) => threadId)).size).toBe(2);
    // Nine responses in all: none lost, none twice.
    const perEnvironment = Map.groupBy(results, ({ threadId }) => threadId);
    for (const responses of perEnvironment.values()) {
      expect(responses.map(({ count }) => count).sort()).toEqual(responses.map((_, index) => index + 1));
    }
  });

  test('with patience starts another environment only for invocations that have waited', async () => {
    const { invoke } = makePool(COUNTING, { patienceMilliseconds: 400, timeoutSeconds: 60 });
    const short = await Promise.all(Array.from({ length: 5 }, () => invoke({ milliseconds: 1 })));
    expect(new Set(short.map(({ threadId }) => threadId)).size).toBe(1);
    const long = await Promise.all([invoke({ meet: 2 }), invoke({ meet: 2 })]);
    expect(new Set(long.map(({ threadId }) => threadId)).size).toBe(2);
  });

  test('with patience starts no other environment for invocations that wait for the first one to load', async () => {
    const { invoke } = makePool(
      `const { appendFileSync, readFileSync } = require('node:fs');
       appendFileSync(__dirname + '/loads', 'x');
       for (const until = Date.now() + 600; Date.now() < until;);
       exports.handler = async () => ({ loads: readFileSync(__dirname + '/loads', 'utf8') });`,
      { patienceMilliseconds: 100 },
    );
    const one = { loads: 'x' };
    expect(await Promise.all([invoke(), invoke(), invoke()])).toEqual([one, one, one]);
  });

  test('does not start an invocation that was aborted', async () => {
    const { pool, invoke } = makePool(COUNTING, { maximumEnvironments: 1 });
    const busy = invoke({ milliseconds: 100 });
    const controller = new AbortController();
    const waiting = pool.invoke('{}', controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow('aborted');
    await busy;
    expect(await invoke()).toMatchObject({ count: 2 });
  });

  test('ends an environment that had no work for some time, and starts another for the next invocation', async () => {
    const { invoke, lines } = makePool(`${COUNTING} setInterval(() => console.log('alive'), 5);`, {
      idleMilliseconds: 100,
    });
    const first = await invoke();
    expect(await invoke()).toEqual({ ...first, count: 2 });
    await waitFor(async () => {
      const before = lines.length;
      await setTimeout(60);
      return lines.length === before;
    });
    const next = await invoke();
    expect(next.count).toBe(1);
    expect(next.threadId).not.toBe(first.threadId);
  });

  test('loses no invocation that comes while environments end', async () => {
    const { invoke } = makePool(COUNTING, { idleMilliseconds: 1, timeoutSeconds: 60 });
    const threads = new Set<unknown>();
    for (let round = 0; round < 8; round += 1) {
      // Around the moment at which the one before ends.
      await setTimeout(round / 2);
      const { threadId, most } = await invoke();
      expect(most).toBe(1);
      threads.add(threadId);
    }
    expect(threads.size).toBeGreaterThan(1);
  });

  test('keeps as many environments as it should, with their state', async () => {
    const options = { idleMilliseconds: 20, keptEnvironments: 1, timeoutSeconds: 60 };
    const { invoke } = makePool(COUNTING, options);
    const both = await Promise.all([invoke({ meet: 2 }), invoke({ meet: 2 })]);
    await setTimeout(100);
    // One counts on, the other one begins again.
    const again = await Promise.all([invoke({ meet: 3 }), invoke({ meet: 3 })]);
    expect(again.map(({ count }) => count).sort()).toEqual([1, 2]);
    expect(both.map(({ threadId }) => threadId)).toContain(again.find(({ count }) => count === 2)?.threadId);
  });

  test('fails running and waiting invocations when it is closed', async () => {
    const { pool, invoke } = makePool(COUNTING, { maximumEnvironments: 1 });
    await invoke();
    const both = Promise.allSettled([pool.invoke('{"milliseconds":60000}'), pool.invoke('{}')]);
    await pool.close();
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.invoke('{}')).rejects.toThrow('shut down');
  });
});

describe('an environment', () => {
  const CRASHING = `
    let count = 0;
    exports.handler = async ({ how }) => {
      if (how === 'exit') process.exit(3);
      if (how === 'throw') setImmediate(() => { throw new Error('stray'); });
      if (how === 'reject') void Promise.reject(new Error('stray'));
      if (how === 'memory') { const all = []; for (;;) all.push(new Array(1e6).fill(count)); }
      if (how) await new Promise(() => setInterval(() => {}, 1000));
      return { count: ++count };
    };`;

  test.each([
    ['exit', 'exited with code 3'],
    ['throw', 'stray'],
    ['reject', 'stray'],
    ['memory', 'memory limit'],
  ])('that dies (%s) fails only its invocation, and is replaced', async (how, cause) => {
    const { pool, invoke, lines } = makePool(CRASHING, { maximumEnvironments: 1 });
    expect(await invoke()).toEqual({ count: 1 });
    const [died, next] = await Promise.allSettled([pool.invoke(JSON.stringify({ how })), invoke()]);
    expect(died).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining(cause) } });
    expect(next).toEqual({ status: 'fulfilled', value: { count: 1 } });
    expect(lines.join('\n')).toContain('\tERROR\tThe environment');
  });

  test('that exceeds its timeout is ended and replaced, even if it never yields', async () => {
    const { pool, invoke } = makePool(
      `let count = 0; exports.handler = async ({ spin }) => { while (spin); return { count: ++count }; };`,
      { maximumEnvironments: 1, timeoutSeconds: 0.2 },
    );
    expect(await invoke()).toEqual({ count: 1 });
    const [slow, next] = await Promise.allSettled([pool.invoke('{"spin":true}'), invoke()]);
    expect(slow).toMatchObject({ reason: { message: 'the environment task timed out after 0.20 seconds' } });
    expect(next).toEqual({ status: 'fulfilled', value: { count: 1 } });
  });

  test('that dies between two invocations is replaced silently', async () => {
    const { invoke, lines } = makePool(
      `let count = 0; exports.handler = async ({ die }) => {
         if (die) setTimeout(() => process.exit(1), 5); return { count: ++count }; };`,
      { maximumEnvironments: 1 },
    );
    expect(await invoke({ die: true })).toEqual({ count: 1 });
    await waitFor(() => lines.some((line) => line.includes('exited')));
    expect(await invoke()).toEqual({ count: 1 });
  });

  test.each([
    ['throws while it loads', 'throw new Error("no table")', 'no table'],
    ['has no handler', 'exports.other = 1', 'HandlerNotFound'],
  ])('that %s fails every invocation', async (_, source, cause) => {
    const { pool } = makePool(source);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => pool.invoke('{}')));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining(cause) },
      });
    }
  });
});
