import { expect, test } from '@jest/globals';
import { GENTLE_REQUESTS } from '../../conformance/main.ts';
import { startBusyAccount } from './busy-account.ts';
import { runConformance, testCases } from './run-conformance.ts';

const TOO_SLOW = /longer than a minute/;

async function runInBusyAccount(args: readonly string[]) {
  const account = await startBusyAccount({ room: GENTLE_REQUESTS });
  try {
    const run = await runConformance(['--outputs', account.outputsFile, ...args]);
    return { run, seen: account.seen };
  } finally {
    account.stop();
  }
}

/** Two bursts, each with up to two tries of a minute, and everything else 4 requests at a time. */
test('with --gentle every row passes with little Lambda concurrency, and no request is refused', async () => {
  const { run, seen } = await runInBusyAccount(['--gentle']);
  expect(testCases(run).filter(({ result }) => result === 'failure')).toEqual([]);
  expect(run.exitCode).toBe(0);
  expect(seen).toEqual({ atOnce: 0, most: GENTLE_REQUESTS, refused: 0 });
  // On a machine that is too slow for 1,000 per minute, these rows are skipped and say so.
  const limits = testCases(run).filter(({ name }) => name.startsWith('Submissions per minute'));
  for (const { result, message } of limits) {
    expect(result === 'skipped' ? message : 'tried').toMatch(new RegExp(`${TOO_SLOW.source}|^tried$`));
  }
}, 600_000);

test('without --gentle, rows fail', async () => {
  const { run, seen } = await runInBusyAccount(['--quick']);
  expect(seen.refused).toBeGreaterThan(0);
  expect(testCases(run).some(({ result }) => result === 'failure')).toBe(true);
  expect(run.exitCode).toBe(1);
});
