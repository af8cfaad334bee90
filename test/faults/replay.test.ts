import { expect, test } from '@jest/globals';
import { describeFailure, explore } from './explore.ts';

// FAULT_SCENARIO=duplicates FAULT_SEED=42 npm run test:all -- test/faults/replay
const { FAULT_SCENARIO = 'owner-rotates', FAULT_SEED } = process.env;
const exploration = {
  scenarios: [FAULT_SCENARIO],
  firstSeed: Number(FAULT_SEED ?? 42),
  seeds: 1,
  keepTimeline: true,
};

test('a schedule is played again, call by call, from its scenario and its seed', async () => {
  const [first, second] = await Promise.all([explore(exploration), explore(exploration)]);
  const [result] = first.results;
  if (FAULT_SEED && result) process.stdout.write(`${describeFailure(result)}\n`);
  expect(result?.timeline.length).toBeGreaterThan(10);
  expect(second.results).toEqual(first.results);
  expect(result?.violations).toEqual([]);
});

test('a schedule does not depend on those before it', async () => {
  const alone = await explore(exploration);
  const seeds = 6;
  const firstSeed = exploration.firstSeed - seeds + 1;
  const amongOthers = await explore({ ...exploration, firstSeed, seeds, threads: 1 });
  expect(amongOthers.results.at(-1)).toEqual(alone.results[0]);
});
