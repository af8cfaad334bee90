import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { simulateProfiles, simulationTable } from '../../bench/alerts/report.ts';

const WEEKS = 52;

test('docs/alerts.md says what a year of every kind of form gives, and the goals are met', () => {
  const rows = simulateProfiles(WEEKS, 1);
  const page = readFileSync('docs/alerts.md', 'utf8');
  // Paste what is expected here over the table there.
  expect(page).toContain(simulationTable(rows));
  for (const { falsePerYear, longestReaction } of rows) {
    expect(falsePerYear).toBeLessThan(2);
    expect(longestReaction).toBeLessThanOrEqual(15 * 60_000);
  }
  const regular = rows.filter(({ name }) => name !== '2 per month');
  expect(regular.every(({ noticed, incidents }) => noticed === incidents)).toBe(true);
});
