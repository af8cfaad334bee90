import { expect, test } from '@jest/globals';
import { nextTick, preciseClock } from '#submission/answer-on-tick.ts';

test.each([
  [0, 40],
  [0.4, 40],
  [39.999, 40],
  [40, 40],
  [40.001, 80],
  [4_300.5, 4_320],
])('work of %d ms is answered after %d ms', (elapsed, answered) => {
  expect(nextTick(elapsed)).toBe(answered);
});

/** Timers alone may fire before a fraction of a millisecond is over; an early answer would show what it took. */
test.each([0, 0.3, 1.1, 1.5, 2.7, 5.25])('never wakes before its moment, %d ms ahead', async (ahead) => {
  const moment = preciseClock.now() + ahead;
  await preciseClock.sleepUntil(moment);
  expect(preciseClock.now()).toBeGreaterThanOrEqual(moment);
});
