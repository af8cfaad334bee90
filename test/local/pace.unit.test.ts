import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { makePace } from '../../local/event-source/event-source.ts';

const { signal } = new AbortController();

/** A pace that has seen no activity for so long that it is slow. */
function makeSlowPace() {
  let ahead = 0;
  const pace = makePace(() => performance.now() + ahead);
  ahead = 60_000;
  return pace;
}

/** How many milliseconds it takes from the beginning of a poll to the next one. */
async function timeOf(
  pace: ReturnType<typeof makePace>,
  during: () => Promise<void> | void = () => undefined,
) {
  const startedAt = performance.now();
  const rest = pace.begin();
  await during();
  await rest(signal);
  return performance.now() - startedAt;
}

test('a poller rests for a second when nothing happens', async () => {
  expect(await timeOf(makeSlowPace())).toBeGreaterThan(950);
});

test('it goes on at once when a function is invoked', async () => {
  const pace = makeSlowPace();
  setTimeout(pace.speedUp, 300);
  const milliseconds = await timeOf(pace);
  expect(milliseconds).toBeGreaterThan(290);
  expect(milliseconds).toBeLessThan(900);
});

test('it goes on early for what happened during the poll, which may not have seen it', async () => {
  const pace = makeSlowPace();
  const invokeDuringPoll = async () => {
    await sleep(5);
    pace.speedUp();
  };
  expect(await timeOf(pace, invokeDuringPoll)).toBeLessThan(900);
});

test('it polls four times per second at most, however much happens', async () => {
  const pace = makePace();
  const activity = setInterval(pace.speedUp, 5);
  for (let poll = 0; poll < 3; poll += 1) expect(await timeOf(pace)).toBeGreaterThan(245);
  clearInterval(activity);
});

test('it ends with the signal', async () => {
  const stopping = new AbortController();
  const startedAt = performance.now();
  const resting = makeSlowPace().begin()(stopping.signal);
  stopping.abort();
  await resting;
  expect(performance.now() - startedAt).toBeLessThan(900);
});
