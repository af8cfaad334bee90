import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { LOCAL_PROFILES, liveForm } from '../../bench/alerts/forms.ts';
import { simulateProfiles, simulationTable, watchForm } from '../../bench/alerts/simulate.ts';

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
}, 600_000); // Only a bound on hanging.

test('a clock change is no silence for forms with office hours', () => {
  const [profile] = LOCAL_PROFILES;
  if (!profile) throw new Error('no profile has clock changes');
  // In March and in October. Without a rule for them, each of the three has one false alert at each change.
  const lives = Array.from({ length: 3 }, (_, life) => liveForm(profile, 47, 7_000 + life));
  expect(lives.map((life) => watchForm({ ...life, incidents: [] }).falseAlerts)).toEqual(lives.map(() => 0));
});
