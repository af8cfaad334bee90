import { expect, test } from '@jest/globals';
import { makeRecentDestinations } from '#sending/dispatch/recent-destinations.ts';

const { signal } = new AbortController();

/** Each list that is read holds how many were read before it. */
function setUp() {
  let now = 100_000;
  let fails = false;
  let reads = 0;
  const reader = {
    async list() {
      if (fails) throw new Error('no answer');
      return [reads++] as never[];
    },
  };
  const recent = makeRecentDestinations(reader as never, () => now);
  return {
    /** The list for something that happened so many milliseconds ago. Otherwise it would be read. */
    known: async (milliseconds: number, workspaceId = 'one') => recent.since(workspaceId, now - milliseconds),
    read: (workspaceId = 'one') => recent.read(workspaceId, signal),
    wait(milliseconds: number) {
      now += milliseconds;
    },
    break() {
      fails = true;
    },
  };
}

test('what has just been read serves events that are older, also by a clock that is a second ahead', async () => {
  const { known, read, wait } = setUp();
  expect(await known(5_000)).toBeUndefined();
  await read();
  expect(await known(5_000)).toEqual([0]);
  wait(2_000);
  expect(await known(3_000)).toEqual([0]);
  expect(await known(2_999)).toBeUndefined();
  expect(await known(5_000, 'another')).toBeUndefined();
  await read();
  expect(await known(1_000)).toEqual([1]);
});

test('what was read ten seconds ago, or not at all, serves no event', async () => {
  const { known, read, wait, ...database } = setUp();
  await read();
  wait(9_999);
  expect(await known(60_000)).toEqual([0]);
  wait(1);
  expect(await known(60_000)).toBeUndefined();
  database.break();
  await expect(read()).rejects.toThrow('no answer');
  expect(await known(60_000)).toBeUndefined();
});
