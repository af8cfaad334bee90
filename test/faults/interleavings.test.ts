import { expect, test } from '@jest/globals';
import { describeFailure, explore } from './explore.ts';
import { SCENARIO_NAMES } from './scenarios/scenario.ts';

const SEEDS = 700;
const ENOUGH = 10_000;

// What the machine is, and what it does with a seed, is told in explore.ts.
test('the promises hold in at least 10,000 distinct interleavings with faults', async () => {
  const { schedules, distinct, seconds, failures } = await explore({
    scenarios: SCENARIO_NAMES,
    seeds: SEEDS,
  });
  process.stdout.write(
    `${schedules} schedules of ${SCENARIO_NAMES.length} scenarios, ${distinct} distinct, in ${seconds.toFixed(0)} s\n`,
  );
  expect(failures.map(describeFailure)).toEqual([]);
  expect(distinct).toBeGreaterThanOrEqual(ENOUGH);
}, 1_200_000); // Two minutes on two slow cores that have nothing else to do; a bound on hanging, for those that have.
