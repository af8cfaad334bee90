import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Retry } from '@smithy/core/retry';
import { BURST_SCENARIOS, simulateBurst } from '../../bench/scale/burst.ts';
import { STACK, scaled, TIMINGS } from '../../bench/scale/capacity.ts';
import { leadsThatGetIn } from '../../bench/scale/small-account.ts';
import { nearestOf, RATES, share, usesOf } from '../../bench/scale/steady-load.ts';
import { fillTables, scaleTables } from '../../bench/scale/tables.ts';
import { makeDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { synthesize, withoutHash } from '../stack/synthesize.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');

test('docs/scale.md shows the results of the simulation: npm run bench:scale -- --write', () => {
  const document = read('docs/scale.md');
  expect(document).toBe(fillTables(document, scaleTables()));
});

describe('the simulated stack has the settings of the real one', () => {
  const mappings = Object.entries(synthesize('prod').findResources('AWS::Lambda::EventSourceMapping'));
  const mappingOf = (name: string) => mappings.find(([id]) => id.startsWith(name))?.[1].Properties;

  test.each(['EnrichmentRelay', 'LeadStats'])('%s follows the stream', (name) => {
    const { BatchSize, ParallelizationFactor = 1 } = mappingOf(name);
    expect({ BatchSize, ParallelizationFactor }).toEqual({
      BatchSize: STACK.streamBatch,
      ParallelizationFactor: STACK.batchesAtOncePerShard,
    });
  });

  test.each([
    ['EnrichmentEnrich', STACK.enrichBatch, STACK.enrichConcurrency],
    ['SearchIndexLeads', STACK.indexBatch, STACK.indexConcurrency],
    ['SendingDispatch', STACK.dispatchBatch, STACK.dispatchConcurrency],
    ['SendingSendQueue', STACK.sendBatch, STACK.sendConcurrency],
    ['SendingSendSlowQueue', STACK.sendBatch, STACK.slowConcurrency],
  ])('%s', (name, batch, concurrency) => {
    const { BatchSize, ScalingConfig } = mappingOf(name);
    expect(BatchSize).toBe(batch);
    expect(ScalingConfig).toEqual({ MaximumConcurrency: concurrency });
  });

  test('deadline, attempts and pauses', async () => {
    const deadline = /DEADLINE_MS = ([\d_]+)/.exec(read('lambdas/submission/ingest-dependencies.ts'))?.[1];
    expect(Number(deadline?.replaceAll('_', ''))).toBe(STACK.deadlineMilliseconds);
    expect(await makeDocumentClient().config.maxAttempts()).toBe(STACK.attemptsAtDynamoDb);
    expect(Retry.throttlingDelay()).toBe(STACK.pauseAfterThrottleMilliseconds);
  });
});

describe.each([0.5, 1, 2])('with %d times the assumed times', (factor) => {
  const timings = scaled(TIMINGS, factor);

  test('the first to lag is the same, and up to 1,000 leads per second nothing before the 202 is reached', () => {
    for (const rate of RATES) {
      const [here, usual] = [timings, TIMINGS].map((each) => nearestOf(usesOf(rate, each), 'after').limit);
      expect(here).toBe(usual);
      if (rate <= 1_000) expect(share(nearestOf(usesOf(rate, timings), 'before'))).toBeLessThan(0.5);
    }
  });

  test('one surface of one workspace gets its 1,000 in, in one second', () => {
    for (const name of ['1,000 in a second, functions warm', '1,000 in a second, all cold']) {
      expect(endsOf(name, timings)).toMatchObject({ accepted: 1_000 });
    }
  });

  test('both surfaces at once meet the gate item, and all get in before their deadline', () => {
    expect(endsOf('1,000 on each surface in a second, warm', timings)).toMatchObject({
      accepted: 2_000,
      gate: 0,
    });
  });

  test('no workspace gets more than its limit', () => {
    expect(endsOf('5,000 on one surface in a second, warm', timings).accepted).toBe(1_000);
  });

  test('a small account takes some leads, and by default other work can take all it has', () => {
    expect(leadsThatGetIn(6, timings)).toBeGreaterThanOrEqual(10);
    expect(leadsThatGetIn(31, timings)).toBe(0);
  });

  test('a new account is limited by Lambda', () => {
    expect(endsOf('1,000 in a second, new account', timings).lambda).toBeGreaterThan(800);
  });

  test('senders that retry get everything in', () => {
    for (const burst of Object.values(BURST_SCENARIOS)) {
      const { ends } = simulateBurst({ ...burst, sendersRetry: true }, timings);
      expect(ends.accepted).toBe(burst.workspaces * burst.surfaces.length * burst.submissions);
    }
  });
});

/** The rows for what each mapping reads. Those of learning and of rejections are for no accepted lead. */
const ROWS: Readonly<Record<string, string>> = {
  EnrichmentEnrichQueue: 'enrichment queue',
  EnrichmentRelayStream: 'relay',
  LeadStatsStream: 'stats function',
  SearchIndexLeadsQueue: 'index queue',
  SendingDispatchQueue: 'dispatch queue',
  SendingSendQueue: 'send queue',
  SendingSendSlowQueue: 'slow lane',
};

test('every queue, stream and table that a lead touches is in the table of limits', () => {
  const limits = usesOf(100, TIMINGS).map(({ limit }) => limit);
  const mappings = Object.keys(synthesize('prod').findResources('AWS::Lambda::EventSourceMapping'));
  const ofLeads = mappings.map(withoutHash).filter((id) => !/^(Learning|RejectionRecorder)/.test(id));
  expect(ofLeads.sort()).toEqual(Object.keys(ROWS).sort());
  for (const row of Object.values(ROWS)) expect(limits.some((limit) => limit.includes(row))).toBe(true);
  for (const table of ['Workspaces', 'Idempotency', 'Leads', 'Stats', 'LeadIndex', 'Messages']) {
    expect(limits).toContain(`${table}, write units/s`);
  }
});

test('what no setting and no quota raises is enough up to 1,000 leads per second', () => {
  const fixed = (rate: number) =>
    usesOf(rate, TIMINGS).filter((use) => !use.raise && !use.temporary && share(use) > 1);
  expect(fixed(100)).toEqual([]);
  expect(fixed(1_000)).toEqual([]);
  expect(fixed(10_000).map(({ limit }) => limit)).toEqual([
    'Stats: list of active workspaces after midnight UTC, write units/s',
  ]);
});

function endsOf(name: string, timings: typeof TIMINGS) {
  const burst = BURST_SCENARIOS[name];
  if (!burst) throw new Error(`no scenario "${name}"`);
  return simulateBurst(burst, timings).ends;
}
