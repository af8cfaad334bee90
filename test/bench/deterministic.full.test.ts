import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Counts, compareFigures, countedFigures } from '../../bench/deterministic.ts';
import { makeBundles } from '../../bench/engines/bundles.ts';
import { BODIES } from '../../bench/fixtures/index.ts';
import { countFunctions } from '../../bench/functions/count.ts';
import { bundleBytes, templateFunctions } from '../../bench/functions/kit.ts';
import { countBackground } from '../../bench/measure/background.ts';
import { countCalls } from '../../bench/measure/calls.ts';
import { computeStackCost, type StackCost } from '../../bench/measure/cost.ts';
import { countFunctionCalls } from '../../bench/measure/cpu.ts';
import { measureSending } from '../../bench/measure/sending.ts';
import { countDeliveryUnits, countSourceCalls } from '../../bench/measure/sources.ts';
import {
  countRejectionUnits,
  countUnits,
  measureLogLine,
  openUnitMeter,
} from '../../bench/measure/write-units.ts';
import { stackSection } from '../../bench/report/cost-sections.ts';
import { completeResults, cpuMillisecondsOf, readKept } from '../../bench/results.ts';
import { makeClosers } from '../../local/lifecycle.ts';
import { openSubmissionFixture } from '../lambdas/submission/submission-fixture.ts';

const committed = JSON.parse(
  readFileSync(new URL('../../bench/committed.json', import.meta.url), 'utf8'),
) as Record<string, number>;

const template = templateFunctions();
const { functions } = template;
const bundles = makeBundles([...new Set(functions.map(({ folder }) => folder))]);
afterAll(() => bundles.remove());

const fixture = openSubmissionFixture();
const measureUnits = openUnitMeter(fixture);

let counts: Omit<Counts, 'functions' | 'bundles' | 'functionCalls'>;
beforeAll(async () => {
  counts = {
    calls: [...(await countCalls(fixture)), ...(await countSourceCalls(fixture))],
    units: await countUnits(measureUnits),
    deliveryUnits: await countDeliveryUnits(fixture, measureUnits),
    rejectionUnits: await countRejectionUnits(fixture),
    background: await countBackground(fixture),
  };
});

const COMMIT = 'npm run bench -- --only calls,write-units,functions,bundles,sending --commit';

test(`counted figures are the committed ones: ${COMMIT}`, async () => {
  const closers = makeClosers();
  const figures = countedFigures({
    ...counts,
    functions: await countFunctions(fixture.stack, bundles, template),
    bundles: bundleBytes(bundles, functions),
    functionCalls: await countFunctionCalls(bundles, closers).finally(() => closers.close()),
  });
  expect(compareFigures(committed, figures)).toEqual([]);
});

test('every function of the template has counted figures', () => {
  expect(functions.length).toBeGreaterThan(20);
  const uncounted = functions.filter(
    ({ name }) => !Object.keys(committed).some((figure) => figure.startsWith(`${name}, `)),
  );
  // Give it a unit of work in bench/functions/works.ts.
  expect(uncounted.map(({ name }) => name)).toEqual([]);
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
      cpuMilliseconds: cpuMillisecondsOf(completeResults(readKept())),
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
