import { setTimeout as sleep } from 'node:timers/promises';

/** For a machine that is busy with other things: nothing is asserted about time. */
export const PATIENCE_MS = 60_000;
/** Looking takes processor time from what is looked for, so pauses grow with the time that has passed. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;
const PAUSE_SHARE = 0.2;
const STEP_MS = 10;

/** Reads until the result is as expected. Returns the last result, so that the test's own assertion says what is wrong. */
export async function until<Read>(
  read: () => Promise<Read>,
  isAsExpected: (read: Read) => boolean,
): Promise<Read> {
  const pause = makePause();
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await read();
    if (isAsExpected(found) || Date.now() > end) return found;
    await pause();
  }
}

/** Waits until `look` finds something, and returns it. Only the test's own time limit ends it. */
export async function waitFor<Result>(
  look: () => Result | false | undefined | Promise<Result | false | undefined>,
): Promise<Result> {
  const pause = makePause();
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    await pause();
  }
}

function makePause(): () => Promise<void> {
  const start = Date.now();
  return () => {
    const grown = Math.max(FIRST_PAUSE_MS, (Date.now() - start) * PAUSE_SHARE);
    return sleep(Math.min(grown, LONGEST_PAUSE_MS));
  };
}

/**
 * Returns a function that stops the timer and says how many milliseconds it ran, without those in which this process
 * could not run because the machine was busy with others. So a limit on them is about timers, and not about the machine.
 */
export function startTimer(): () => number {
  let steps = 0;
  const timer = setInterval(() => {
    steps += 1;
  }, STEP_MS);
  return () => {
    clearInterval(timer);
    return steps * STEP_MS;
  };
}
