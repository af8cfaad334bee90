import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { compareFigures, measureDeterministic, OUR_BUNDLES } from '../../bench/deterministic.ts';
import { makeBundles } from '../../bench/engines/bundles.ts';
import { BODIES } from '../../bench/fixtures/index.ts';
import { countRejectionUnits, openUnitMeter } from '../../bench/measure/write-units.ts';
import { openSubmissionFixture } from '../lambdas/submission/submission-fixture.ts';

const committed = JSON.parse(
  readFileSync(new URL('../../bench/committed.json', import.meta.url), 'utf8'),
) as Record<string, number>;

const bundles = await makeBundles(OUR_BUNDLES);
afterAll(() => bundles.remove());

const fixture = openSubmissionFixture();
const measureUnits = openUnitMeter(fixture);

test('calls, write units and bundles are no worse than committed', async () => {
  const figures = await measureDeterministic(fixture, measureUnits, bundles);
  // Commit better figures, or intentionally worse ones, with: npm run bench -- --only calls,write-units,bundles --commit
  expect(compareFigures(committed, figures)).toEqual([]);
});

test('single writes cost what DynamoDB Local reports', async () => {
  const { writeUnits, check } = await measureUnits(BODIES['128 KB']);
  expect(check.computed).toBe(writeUnits);
  expect(check.reported).toBe(check.computed);
});

test('a rejection costs one write in the request, and little more in a flood', async () => {
  const { inRequest, alone, inFlood } = await countRejectionUnits(fixture);
  expect(inRequest).toBe(1);
  // Twice for the watermark and the counter, since they are in a transaction, and once for the event.
  expect(alone).toBe(inRequest + 2 + 2 + 1);
  expect(inFlood).toBeLessThanOrEqual(1.2);
});

test('reports worse, new and missing figures', () => {
  expect(compareFigures({ calls: 2, bytes: 5, gone: 1 }, { calls: 3, bytes: 4, more: 1 })).toEqual([
    'calls: 3, committed 2',
    'gone: no longer measured',
    'more: 1, not committed yet',
  ]);
});
