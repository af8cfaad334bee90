import { describe, expect, test } from '@jest/globals';
import type { Batch, Outcome } from '#in-turn/batch.ts';
import { makeWorkInTurn, type Waiting } from '#in-turn/work-in-turn/handler.ts';

const [QUICK, SLOW] = [10, 30];

/** Functions that each take a while on a clock of their own, and what waits for them. */
function makeAccount({ room = Number.POSITIVE_INFINITY, takes = 100 } = {}) {
  const account = {
    now: 0,
    lines: [] as { code: string; batches?: number; failed?: number }[],
    invoked: [] as string[],
    mostAtOnce: 0,
    room,
    behaviours: new Map<string, () => string>(),
  };
  let running = 0;
  const sources: Waiting[] = [];

  return Object.assign(account, {
    settled: [] as [string, Outcome][],
    /** A function with this many batches in front of it. */
    add(fn: string, seconds: number, batches: () => number) {
      let done = 0;
      const batch = (number: number): Batch => ({
        event: { Records: [{ messageId: `${fn}${number}` }] },
        ids: [`${fn}${number}`],
        settle: async (outcome) => void this.settled.push([`${fn}${number}`, outcome]),
      });
      sources.push({
        fn,
        seconds,
        async take() {
          if (done >= batches()) return [];
          done += 1;
          return [batch(done)];
        },
      });
    },
    run: makeWorkInTurn({
      open: () => sources,
      async invoke(fn) {
        if (running >= account.room) return undefined;
        running += 1;
        account.mostAtOnce = Math.max(account.mostAtOnce, running);
        await new Promise(setImmediate);
        account.now += takes;
        account.invoked.push(fn);
        running -= 1;
        return account.behaviours.get(fn)?.() ?? 'null';
      },
      now: () => account.now,
      write: (line) => account.lines.push(JSON.parse(line)),
      pauseMilliseconds: 0,
    }),
  });
}

describe('a turn', () => {
  test('works through what waits, with two functions at once at most', async () => {
    const account = makeAccount();
    for (const fn of ['relay', 'index', 'stats']) account.add(fn, QUICK, () => 5);
    for (const fn of ['send', 'enrich']) account.add(fn, SLOW, () => 5);
    await account.run();
    expect(account.settled).toHaveLength(25);
    expect(account.settled.every(([, outcome]) => outcome === 'done')).toBe(true);
    expect(account.mostAtOnce).toBe(2);
    expect(account.lines).toEqual([{ level: 'INFO', code: 'inTurn.ended', batches: 25, failed: 0 }]);
  });

  test('also works on what one function leaves for another one in the other lane', async () => {
    const account = makeAccount();
    let enriched = 0;
    account.add('relay', QUICK, () => 3);
    account.add('enrich', SLOW, () => enriched);
    account.behaviours.set('relay', () => {
      enriched += 1;
      return '{"batchItemFailures":[]}';
    });
    await account.run();
    expect(account.invoked.filter((fn) => fn === 'enrich')).toHaveLength(3);
  });

  test('starts no function that could run into the next one', async () => {
    const account = makeAccount({ takes: 10_000 });
    account.add('send', SLOW, () => 100);
    await account.run();
    // At 0, 10 and 20 seconds: from 30 on, a function of 30 seconds would end after the 57th.
    expect(account.invoked).toHaveLength(3);
  });

  test('gives functions that wait long a lane of their own', async () => {
    const account = makeAccount({ takes: 0 });
    account.add('send', SLOW, () => 1);
    account.add('index', QUICK, () => 4);
    account.behaviours.set('send', () => {
      expect(account.invoked.filter((fn) => fn === 'index').length).toBeGreaterThan(0);
      return 'null';
    });
    await account.run();
    expect(account.invoked).toHaveLength(5);
  });

  test('begins each time with another one, so that none is always too late', async () => {
    const firsts = [0, 60_000].map(async (startsAt) => {
      const account = makeAccount();
      account.now = startsAt;
      account.add('send', SLOW, () => 1);
      account.add('enrich', SLOW, () => 1);
      await account.run();
      return account.invoked[0];
    });
    expect(await Promise.all(firsts)).toEqual(['send', 'enrich']);
  });
});

describe('what fails', () => {
  test.each<[string, () => string]>([
    ['a function that throws', () => raise()],
    ['an invalid response', () => '"done"'],
    ['a failure that names no item of the batch', () => '{"batchItemFailures":[{"itemIdentifier":"x"}]}'],
  ])('%s comes again, and the turn ends with an error', async (_what, behave) => {
    const account = makeAccount();
    account.add('relay', QUICK, () => 1);
    account.add('stats', QUICK, () => 1);
    account.behaviours.set('relay', behave);
    await expect(account.run()).rejects.toThrow('1 of 2 batches have failed');
    expect(account.settled).toEqual([
      ['relay1', 'failed'],
      ['stats1', 'done'],
    ]);
    expect(account.lines.map(({ code }) => code)).toEqual(['inTurn.defect', 'inTurn.ended']);
  });

  test('single items come again without an error: functions ask for that, too', async () => {
    const account = makeAccount();
    account.add('enrich', SLOW, () => 1);
    account.behaviours.set('enrich', () => '{"batchItemFailures":[{"itemIdentifier":"enrich1"}]}');
    await account.run();
    expect(account.settled).toEqual([['enrich1', new Set(['enrich1'])]]);
  });

  test('without room, the work waits for it', async () => {
    const account = makeAccount({ room: 0 });
    account.add('relay', QUICK, () => 1);
    setTimeout(() => {
      account.room = 1;
    }, 20);
    await account.run();
    expect(account.settled).toEqual([['relay1', 'done']]);
  });
});

function raise(): never {
  throw new Error('the function has failed');
}
