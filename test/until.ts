import { setTimeout as sleep } from 'node:timers/promises';

/** For a machine that is busy with other things: nothing is asserted about time. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/** Reads until what is read is as expected; gives what was read last, so that the test's own assertion says what is wrong. */
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
