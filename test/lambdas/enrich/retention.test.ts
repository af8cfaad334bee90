import { afterAll, expect, test } from '@jest/globals';
import { openWorkbench, SAMPLE } from './workbench.ts';

const bench = await openWorkbench();
afterAll(bench.close);

const inAWeek = bench.clock.now / 1000 + 7 * 86_400;

test('an enrichment expires with its lead, and has no expiry where the lead has none', async () => {
  const { receive } = bench.newEnvironment();
  const passing = await bench.putLead(SAMPLE, { expiresAt: inAWeek });
  const kept = await bench.putLead();
  expect([await receive(passing), await receive(kept)]).toEqual([[], []]);
  expect(await bench.enrichmentOf(passing)).toMatchObject({ state: 'enriched', expiresAt: inAWeek });
  expect(await bench.enrichmentOf(kept)).toMatchObject({ state: 'enriched' });
  expect(await bench.enrichmentOf(kept)).not.toHaveProperty('expiresAt');
});

test('a lead past its time is not enriched any more, though it is still stored', async () => {
  const { receive, codes } = bench.newEnvironment();
  const leadId = await bench.putLead(SAMPLE, { expiresAt: bench.clock.now / 1000 });
  expect(await receive(leadId)).toEqual([]);
  expect(codes()).toEqual(['gone']);
  expect(await bench.enrichmentOf(leadId)).toBeUndefined();
});

test('a lead of a later schema version waits for the release that can read it', async () => {
  const { receive, codes } = bench.newEnvironment();
  const leadId = await bench.putLead(SAMPLE, { v: 2 });
  expect(await receive(leadId)).toHaveLength(1);
  expect(codes()).toEqual(['retried']);
  expect(await bench.enrichmentOf(leadId)).toBeUndefined();
});
