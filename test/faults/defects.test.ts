import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DEFECTS, type Defect, patched } from './defects.ts';
import { describeFailure, explore } from './explore.ts';

const MAX_SEEDS = 400;
const TIMEOUT_MS = 600_000;

describe('the harness finds a defect planted in the real source', () => {
  test.each(DEFECTS)(
    '$name',
    async (defect: Defect) => {
      // One thread, so that the number of schedules until it is found doesn't vary.
      const exploration = { scenarios: defect.scenarios, seeds: MAX_SEEDS, threads: 1 };
      const { schedules, failures } = await explore({ ...exploration, defect, stopAtFailure: true });
      const [failure] = failures;
      process.stdout.write(
        `${defect.name}: found after ${schedules} schedules, ${failure?.violations[0] ?? 'not found'}\n`,
      );
      expect(failures).toHaveLength(1);
      expect(failure?.violations.join()).not.toContain('the schedule itself failed');

      const seeds = failure?.seed ?? 1;
      const unaffected = await explore({ ...exploration, seeds });
      expect(unaffected.failures.map(describeFailure)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test.each(DEFECTS)('$name: the source still contains the replaced text', (defect: Defect) => {
    const source = readFileSync(new URL(`../..${defect.file}`, import.meta.url), 'utf8');
    expect(patched(defect, source)).not.toBe(source);
    expect(() => patched(defect, '')).toThrow('no longer fits');
  });
});
