import { afterAll, describe, expect, test } from '@jest/globals';
import { makeLeadPages } from '#settings/leads/lead-pages-store.ts';
import {
  conflict,
  enrichmentOf,
  leadOf,
  newOwner,
  openLeadBench,
  patience,
} from '../settings/store-bench.ts';

const bench = await openLeadBench();
const leads = makeLeadPages(bench);

afterAll(bench.close);

describe('one lead', () => {
  test('is found whole, with body, signals and enrichment', async () => {
    const owner = newOwner();
    const lead = leadOf(owner, 1, { clean: true, body: `{"text":"${'long '.repeat(2_000)}"}` });
    await bench.putEnrichment(enrichmentOf(lead.leadId));
    await bench.put([lead]);
    const whole = await leads.find(owner.workspaceId, lead.leadId, patience());
    expect(whole).toEqual({ lead, state: 'enriched', enrichment: enrichmentOf(lead.leadId) });
  });

  test.each(['', 'x', '../..', 'FFFFFFFF-0000-7000-8000-000000000000'])('is not found by %j', async (id) => {
    expect(await leads.find(newOwner().workspaceId, id, patience())).toBeUndefined();
    expect(await leads.erase(newOwner().workspaceId, id, patience())).toBe(false);
  });

  test('is erased with its enrichment, once', async () => {
    const owner = newOwner();
    const [lead, other] = [leadOf(owner, 1, { clean: true }), leadOf(owner, 2)];
    await bench.putEnrichment(enrichmentOf(lead.leadId));
    await bench.put([lead, other]);
    expect(await leads.erase(owner.workspaceId, lead.leadId, patience())).toBe(true);
    expect(await bench.partsOf(lead.leadId)).toEqual([]);
    expect(await leads.find(owner.workspaceId, lead.leadId, patience())).toBeUndefined();
    expect((await leads.page(owner, patience())).rows.map(({ leadId }) => leadId)).toEqual([other.leadId]);
    expect(await leads.erase(owner.workspaceId, lead.leadId, patience())).toBe(false);
  });

  test('is erased also when a transaction of enrichment is in the way', async () => {
    const owner = newOwner();
    const lead = leadOf(owner, 1);
    await bench.put([lead]);
    let refusals = 2;
    bench.calls.injectBefore(() => {
      refusals -= 1;
      return refusals >= 0 ? conflict() : undefined;
    });
    expect(await leads.erase(owner.workspaceId, lead.leadId, patience())).toBe(true);
    bench.calls.injectBefore(undefined);
    expect(await bench.partsOf(lead.leadId)).toEqual([]);
  });

  test('that is damaged shows with an empty body, and can be erased', async () => {
    const owner = newOwner();
    const [lead, damaged] = [leadOf(owner, 1), leadOf(owner, 2)];
    await bench.put([lead]);
    await bench.putDamaged(damaged);
    const { rows } = await leads.page(owner, patience());
    expect(rows.map(({ leadId, cells }) => [leadId, cells])).toEqual([
      [damaged.leadId, ['', '']],
      [lead.leadId, ['1', 'lead-1@example.org']],
    ]);
    expect(await leads.erase(owner.workspaceId, damaged.leadId, patience())).toBe(true);
  });
});
