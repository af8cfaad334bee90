import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  bundleFigures,
  type Counts,
  compareFigures,
  countAll,
  countedFigures,
  FUNCTION_CALLS,
  OUR_BUNDLES,
} from '../../bench/deterministic.ts';
import { makeBundles } from '../../bench/engines/bundles.ts';
import { BODIES } from '../../bench/fixtures/index.ts';
import { computeStackCost, type StackCost } from '../../bench/measure/cost.ts';
import { countFunctionCalls } from '../../bench/measure/cpu.ts';
import { measureSending } from '../../bench/measure/sending.ts';
import { measureLogLine, openUnitMeter } from '../../bench/measure/write-units.ts';
import { stackSection } from '../../bench/report/cost-sections.ts';
import { processorTimeOn } from '../../bench/report/update-page.ts';
import { makeClosers } from '../../local/lifecycle.ts';
import { openSubmissionFixture } from '../lambdas/submission/submission-fixture.ts';

const committed = JSON.parse(
  readFileSync(new URL('../../bench/committed.json', import.meta.url), 'utf8'),
) as Record<string, number>;

const bundles = await makeBundles(OUR_BUNDLES);
afterAll(() => bundles.remove());

const fixture = openSubmissionFixture();
const measureUnits = openUnitMeter(fixture);

let counts: Counts;
beforeAll(async () => {
  counts = await countAll(fixture, measureUnits);
});

test('calls, units and bundles are no worse than committed', async () => {
  const closers = makeClosers();
  const functionCalls = await countFunctionCalls(bundles, closers).finally(() => closers.close());
  const figures = {
    ...countedFigures(counts),
    ...bundleFigures(bundles),
    [FUNCTION_CALLS]: functionCalls,
  };
  // Commit better figures, or intentionally worse ones, with: npm run bench -- --only calls,write-units,bundles --commit
  expect(compareFigures(committed, figures)).toEqual([]);
});

test('a delivery on Surface 1c waits for as many calls as a lead with key, and costs no more units up to 4 KB', () => {
  const callsOn = (wanted: string) =>
    counts.calls
      .filter(({ surface, name }) => surface === wanted && ['accepted, with key', 'replay'].includes(name))
      .map(({ warm }) => warm);
  expect(callsOn('1c')).toEqual([3, 1]);
  expect(callsOn('1c')).toEqual(callsOn('1b'));
  const more = counts.units
    .filter(({ keyed }) => keyed)
    .map(({ writeUnits }, at) => (counts.deliveryUnits[at]?.writeUnits ?? Number.NaN) - writeUnits);
  // The largest body is nested: its flat fields take one more KB, twice in a transaction.
  expect(more).toEqual([0, 0, 0, 2]);
});

test('single writes cost what DynamoDB Local reports', async () => {
  const { writeUnits, check } = await measureUnits(BODIES['128 KB']);
  expect(check.computed).toBe(writeUnits);
  expect(check.reported).toBe(check.computed);
});

test('a rejection costs one write in the request, and little more in a flood', () => {
  const { inRequest, alone, inFlood } = counts.rejectionUnits;
  expect(inRequest).toBe(1);
  // Twice for the watermark and the counter, since they are in a transaction, and once for the event.
  expect(alone).toBe(inRequest + 2 + 2 + 1);
  expect(inFlood).toBeLessThanOrEqual(1.2);
});

describe('a clean lead of 1 KB, in a batch of ten', () => {
  const page = readFileSync('docs/performance.md', 'utf8');
  let stackCost: StackCost;
  beforeAll(async () => {
    stackCost = computeStackCost({
      ...counts,
      sending: await measureSending(fixture),
      logLineBytes: await measureLogLine(fixture),
      cpuMilliseconds: processorTimeOn(page),
    });
  });

  test('costs at most 5.2 write units after the 202, without destinations', () => {
    expect(stackCost.backgroundWriteUnits).toBeLessThanOrEqual(5.2);
  });

  test('costs at most 3.1 write units and 2 read units for search', () => {
    const { writeUnits, readUnits } = counts.background['1 KB'].index;
    expect(writeUnits).toBeLessThanOrEqual(3.1);
    expect(readUnits).toBeLessThanOrEqual(2);
  });

  test('costs less than US $ 12 per million in the whole stack', () => {
    expect(stackCost.parts.map(({ part }) => part)).toEqual([
      'ingest',
      'relay',
      'enrichment',
      'statistics',
      'index',
    ]);
    expect(stackCost.whole.dollars).toBeLessThan(12);
  });

  test('costs what docs/performance.md says: npm run bench -- --only calls,write-units,sending --update', () => {
    const [, section = ''] = page.split('\n## Whole stack\n');
    expect(`## Whole stack\n${section.split('\n## ')[0]}`.trimEnd()).toBe(stackSection({ stackCost }));
    const total = stackCost.whole.dollars.toFixed(2);
    expect(page).toContain(`| US $ per million leads of 1 KB, whole stack | ${total} |`);
  });
});

test('reports worse, new and missing figures', () => {
  expect(compareFigures({ calls: 2, bytes: 5, gone: 1 }, { calls: 3, bytes: 4, more: 1 })).toEqual([
    'calls: 3, committed 2',
    'gone: no longer measured',
    'more: 1, not committed yet',
  ]);
});
