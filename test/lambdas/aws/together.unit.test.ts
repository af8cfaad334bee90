import { expect, test } from '@jest/globals';
import { makeTogether } from '#aws/together.ts';

/** A call for all questions, which are counted. */
function makeCall() {
  const calls: number[][] = [];
  const double = async (questions: readonly number[]) => {
    calls.push([...questions]);
    if (questions.includes(13)) throw new Error('13');
    return questions.map((question) => 2 * question);
  };
  return { calls, double };
}

test('parts that work at the same time make one call, and each gets its own answer', async () => {
  const { calls, double } = makeCall();
  const together = makeTogether(3);
  const parts = [1, 2, 3].map(async (part) => {
    const doubled = await together.ask('double', part, double);
    return together.ask('double', doubled, double);
  });
  expect(await Promise.all(parts)).toEqual([4, 8, 12]);
  expect(calls).toEqual([
    [1, 2, 3],
    [2, 4, 6],
  ]);
});

test('nobody waits for a part that has ended, or that asks for something else', async () => {
  const { calls, double } = makeCall();
  const other = makeCall();
  const together = makeTogether(4);
  const asked = [
    together.ask('double', 1, double),
    together.ask('double', 2, double),
    together.ask('other', 3, other.double),
  ];
  expect(calls).toEqual([]);
  together.leave();
  expect(await Promise.all(asked)).toEqual([2, 4, 6]);
  expect([calls, other.calls]).toEqual([[[1, 2]], [[3]]]);
});

test("one part's failure is not another's", async () => {
  const { calls, double } = makeCall();
  const together = makeTogether(3);
  const outcomes = await Promise.allSettled([1, 13, 2].map((part) => together.ask('double', part, double)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(calls).toEqual([[1, 13, 2], [1], [13], [2]]);
});

test('a part that takes long holds up the others for a second only', async () => {
  const { double } = makeCall();
  const startedAt = performance.now();
  expect(await makeTogether(2).ask('double', 1, double)).toBe(2);
  expect(performance.now() - startedAt).toBeGreaterThan(900);
});
