import { expect, test } from '@jest/globals';
import { describeFailure, explore, SEEDS, SEEDS_OF_LONG } from './explore.ts';
import { LONG_SCENARIOS, SHORT_SCENARIOS } from './scenarios/scenario.ts';

const ENOUGH = 10_000;

// explore.ts explains the harness.
test('the guarantees hold in at least 10,000 distinct interleavings with faults', async () => {
  const explored = [
    await explore({ scenarios: SHORT_SCENARIOS, seeds: SEEDS }),
    await explore({ scenarios: LONG_SCENARIOS, seeds: SEEDS_OF_LONG }),
  ];
  for (const { schedules, distinct, seconds } of explored) {
    process.stdout.write(`${schedules} schedules, ${distinct} distinct, in ${seconds.toFixed(0)} s\n`);
  }
  expect(explored.flatMap(({ failures }) => failures.map(describeFailure))).toEqual([]);
  expect(explored.reduce((sum, { distinct }) => sum + distinct, 0)).toBeGreaterThanOrEqual(ENOUGH);
}, 1_200_000); // Takes two minutes on two slow idle cores. Only a bound on hanging.

// FAULT_SCENARIO=duplicates FAULT_SEED=42 npm run test:all -- test/faults/interleavings -t replays
const { FAULT_SCENARIO = 'owner-rotates', FAULT_SEED } = process.env;
const exploration = {
  scenarios: [FAULT_SCENARIO],
  firstSeed: Number(FAULT_SEED ?? 42),
  seeds: 1,
  keep: { timeline: true },
};

test('replays a schedule call by call from its scenario and seed, also after other schedules', async () => {
  const seeds = 6;
  const firstSeed = exploration.firstSeed - seeds + 1;
  const [alone, amongOthers] = await Promise.all([
    explore(exploration),
    explore({ ...exploration, firstSeed, seeds, threads: 1 }),
  ]);
  const [result] = alone.results;
  if (FAULT_SEED && result) process.stdout.write(`${describeFailure(result)}\n`);
  expect(result?.timeline.length).toBeGreaterThan(10);
  expect(amongOthers.results.at(-1)).toEqual(result);
  expect(result?.violations).toEqual([]);
});
