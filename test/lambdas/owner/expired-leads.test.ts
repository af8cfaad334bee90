import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeLeadExport } from '#settings/leads/lead-export-store.ts';
import { makeLeadPages } from '#settings/leads/lead-pages-store.ts';
import { makeLeadArchive } from '#settings/leads/whole-leads-store.ts';
import {
  enrichmentOf,
  leadOf,
  newOwner,
  openLeadBench,
  patience,
  secondsAfterStart,
} from '../settings/store-bench.ts';

/** The table has no TTL here, as if DynamoDB were late by all of these days. */
const bench = await openLeadBench();
const pages = makeLeadPages(bench);
const leadExport = makeLeadExport(bench);
const archive = makeLeadArchive(bench);
afterAll(bench.close);

const EXPIRY = secondsAfterStart(1_000) / 1000;

beforeEach(() => {
  bench.clock.now = EXPIRY * 1000 - 1;
});

const expire = () => {
  bench.clock.now = EXPIRY * 1000;
};

/** Three leads, of which the second will expire. */
async function furnished() {
  const owner = newOwner();
  const leads = [1, 2, 3].map((n) =>
    leadOf(owner, n, { clean: true, ...(n === 2 && { expiresAt: EXPIRY }) }),
  );
  await bench.put(leads);
  const [first, passing, last] = leads.map(({ leadId }) => leadId) as [string, string, string];
  await bench.putEnrichment({ ...enrichmentOf(passing), expiresAt: EXPIRY });
  return { ...owner, first, passing, last };
}

describe('an expired lead is treated as deleted, although it is still stored', () => {
  test('from the list, by no more calls', async () => {
    const { first, passing, last, ...owner } = await furnished();
    const list = async () => {
      bench.calls.reset();
      const { rows } = await pages.page(owner, patience());
      return { leadIds: rows.map(({ leadId }) => leadId), calls: bench.calls.commands() };
    };
    const before = await list();
    expect(before.leadIds).toEqual([last, passing, first]);
    expect(before.calls).toEqual(['Query', 'Query', 'BatchGetItem']);
    expire();
    expect(await list()).toEqual({ ...before, leadIds: [last, first] });
  });

  test.each(['csv', 'ndjson'] as const)('from an export as %s', async (format) => {
    const { first, passing, last, ...owner } = await furnished();
    const read = async () => {
      const { content, leads } = await leadExport.page({ ...owner, format }, patience());
      return { leads, has: [first, passing, last].map((leadId) => content.includes(leadId)) };
    };
    expect(await read()).toEqual({ leads: 3, has: [true, true, true] });
    expire();
    expect(await read()).toEqual({ leads: 2, has: [true, false, true] });
  });

  test('by its id, for its owner and for the operator', async () => {
    const { passing, workspaceId } = await furnished();
    expect(await pages.find(workspaceId, passing, patience())).toMatchObject({ state: 'enriched' });
    expect(await archive.read(passing, patience())).toMatchObject({ lead: { expiresAt: EXPIRY } });
    expire();
    expect(await pages.find(workspaceId, passing, patience())).toBeUndefined();
    expect(await archive.read(passing, patience())).toBeUndefined();
  });

  test('and is not put on the queue again', async () => {
    const owner = newOwner();
    const [passing, kept] = [
      leadOf(owner, 1, { clean: true, expiresAt: EXPIRY }),
      leadOf(owner, 2, { clean: true }),
    ];
    await bench.put([passing, kept]);
    const pending = async () => {
      const found: string[] = [];
      for await (const leadIds of archive.pending('2026-01-01', patience())) found.push(...leadIds);
      return [passing, kept].map(({ leadId }) => found.includes(leadId));
    };
    expect(await pending()).toEqual([true, true]);
    expire();
    expect(await pending()).toEqual([false, true]);
  });
});
