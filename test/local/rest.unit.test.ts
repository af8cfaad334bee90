import { mock } from 'node:test';
import { afterEach, expect, test } from '@jest/globals';
import { makeRest } from '#local/rest.js';

afterEach(() => mock.timers.reset());

function setUp(longestBurst = 1_000) {
  mock.timers.enable({ apis: ['setTimeout'] });
  let times = 0;
  const rest = makeRest(longestBurst, () => {
    times += 1;
  });
  return { rest, times: () => times };
}

test('memory is given back once, after a burst of invocations and a second without any', () => {
  const { rest, times } = setUp();
  for (let invocation = 1; invocation < 500; invocation += 1) rest();
  mock.timers.tick(60_000);
  expect(times()).toBe(0);
  rest();
  mock.timers.tick(999);
  rest();
  mock.timers.tick(999);
  expect(times()).toBe(0);
  mock.timers.tick(1);
  expect(times()).toBe(1);
  rest();
  mock.timers.tick(60_000);
  expect(times()).toBe(1);
});

test('memory is given back in between if a burst is longer than the longest', () => {
  const { rest, times } = setUp();
  for (let invocation = 1; invocation <= 2_400; invocation += 1) rest();
  expect(times()).toBe(2);
  mock.timers.tick(60_000);
  expect(times()).toBe(2);
});
