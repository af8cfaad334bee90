import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { makePace } from '../../local/event-source/event-source.ts';

const STEP_MS = 10;

let clock = 0;

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

/** A pace that has seen no activity for so long that it is slow. */
function makeSlowPace() {
  const pace = makePace(() => clock);
  clock += 60_000;
  return pace;
}

/** How many milliseconds a poller rests after a poll that took no time. */
async function timeOf(
  pace: ReturnType<typeof makePace>,
  { duringPoll = () => {}, everyStep = () => {}, signal = new AbortController().signal } = {},
) {
  const startedAt = clock;
  const rest = pace.begin();
  duringPoll();
  let isOver = false;
  const resting = rest(signal).then(() => {
    isOver = true;
  });
  for (await turn(); !isOver; await turn()) {
    clock += STEP_MS;
    mock.timers.tick(STEP_MS);
    everyStep();
  }
  await resting;
  return clock - startedAt;
}

test('a poller rests for a second when nothing happens', async () => {
  expect(await timeOf(makeSlowPace())).toBe(1_000);
});

test('it goes on at once when a function is invoked', async () => {
  const pace = makeSlowPace();
  setTimeout(pace.speedUp, 300);
  expect(await timeOf(pace)).toBe(300);
});

test('it goes on early for what happened during the poll, which may not have seen it', async () => {
  const pace = makeSlowPace();
  expect(await timeOf(pace, { duringPoll: pace.speedUp })).toBe(250);
});

test('it polls four times per second at most, however much happens', async () => {
  const pace = makePace(() => clock);
  for (let poll = 0; poll < 3; poll += 1) expect(await timeOf(pace, { everyStep: pace.speedUp })).toBe(250);
});

test('it ends with the signal', async () => {
  const stopping = new AbortController();
  setTimeout(() => stopping.abort(), 50);
  expect(await timeOf(makeSlowPace(), { signal: stopping.signal })).toBe(50);
});
