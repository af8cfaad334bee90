import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { makeTurns } from '../../conformance/world/http.ts';

test('at most the given number run at the same time, and all run in order', async () => {
  const inTurn = makeTurns(3);
  const [begun, peaks] = [[] as number[], [] as number[]];
  let atWork = 0;
  const work = (index: number) =>
    inTurn(async () => {
      begun.push(index);
      atWork += 1;
      peaks.push(atWork);
      for (let turn = 0; turn <= index % 4; turn += 1) await soon();
      atWork -= 1;
      return index;
    });
  const all = Array.from({ length: 20 }, (_, index) => index);
  expect(await Promise.all(all.map(work))).toEqual(all);
  expect(begun).toEqual(all);
  expect(Math.max(...peaks)).toBe(3);
});

test('a failure frees its turn', async () => {
  const inTurn = makeTurns(1);
  const failed = inTurn(async () => {
    throw new Error('refused');
  });
  const next = inTurn(async () => 'done');
  await expect(failed).rejects.toThrow('refused');
  expect(await next).toBe('done');
});
