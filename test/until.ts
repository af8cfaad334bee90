import { setTimeout as sleep } from 'node:timers/promises';

/** For a machine that is busy with other things: nothing is asserted about time. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/** Reads until the result is as expected. Returns the last result, so that the test's own assertion says what is wrong. */
export async function until<Read>(
  read: () => Promise<Read>,
  isAsExpected: (read: Read) => boolean,
): Promise<Read> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await read();
    if (isAsExpected(found) || Date.now() > end) return found;
    await sleep(PAUSE_MS);
  }
}

/** Waits until `look` finds something, and returns it. Only the test's own time limit ends it. */
export async function waitFor<Result>(
  look: () => Result | false | undefined | Promise<Result | false | undefined>,
): Promise<Result> {
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    await sleep(10);
  }
}
