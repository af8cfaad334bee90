import { expect, test } from '@jest/globals';
import { summarizeProfile } from '../../bench/measure/cpu.ts';

const node = (id: number, url: string, functionName: string, children: number[] = []) => ({
  id,
  callFrame: { url, functionName },
  children,
});

test('time is attributed to the package of the frame, and that of built-ins to their caller', () => {
  const profile = {
    nodes: [
      node(1, '', '(root)', [2, 3, 5, 6]),
      node(2, 'file:///app/node_modules/@smithy/core/index.js', 'serialise'),
      node(3, 'file:///app/lambdas/scoring/score-lead.ts', 'scoreLead', [4]),
      node(4, '', 'replace'),
      node(5, '', '(idle)'),
      node(6, 'file:///app/bench/cpu/worker.ts', 'work'),
    ],
    samples: [2, 3, 4, 5, 6],
    timeDeltas: [20, 20, 40, 1_000, 500],
  };
  expect(summarizeProfile(profile)).toEqual([
    ['scoring', 0.75],
    ['AWS SDK', 0.25],
  ]);
});
