import { describe, expect, test } from '@jest/globals';
import type { LeadFilter } from '#leads/lead-filter.ts';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import {
  conflict,
  enrichmentOf,
  leadOf,
  leadsOf,
  newestFirst,
  newOwner,
  type Owner,
  openLeadFixture,
  patience,
} from './lead-fixture.ts';

const fixture = openLeadFixture();
const leads = makeLeadPages(fixture);

/** Every page, as a client that follows the cursors sees it. */
async function readAll(
  owner: Owner,
  options: { filter?: LeadFilter; limit?: number } = {},
  between: (page: number) => Promise<void> = async () => {},
) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await leads.page({ ...owner, ...options, cursor }, patience());
    pages.push(page.rows.map(({ submissionId }) => submissionId));
    cursor = page.cursor;
    await between(pages.length);
  } while (cursor);
  return pages;
}

describe('pages of leads', () => {
  test('are complete, newest first and without duplicates, while new leads arrive', async () => {
    const owner = newOwner();
    const before = leadsOf(owner, 123);
    await fixture.put(before);
    let arrived = 1_000;
    const pages = await readAll(owner, { limit: 20 }, async () => {
      await fixture.put([leadOf(owner, arrived)]);
      arrived += 1;
    });
    expect(pages.flat()).toEqual(newestFirst(before));
    expect(pages.map((page) => page.length)).toEqual([20, 20, 20, 20, 20, 20, 3]);
  });

  test('separate the leads of one millisecond', async () => {
    const owner = newOwner();
    const crowd = Array.from({ length: 30 }, () => leadOf(owner, 7));
    await fixture.put(crowd);
    expect((await readAll(owner, { limit: 7 })).flat()).toEqual(newestFirst(crowd));
  });

  test('read a limited number of leads per request, and return a cursor if there may be more', async () => {
    const owner = newOwner();
    const rare = leadsOf(owner, 3_000, (n) => ({ score: n === 10 ? 99 : 1 }));
    await fixture.put(rare);
    fixture.calls.reset();
    const first = await leads.page({ ...owner, filter: { scoreAtLeast: 99 } }, patience());
    expect(first.rows).toEqual([]);
    expect(first.cursor).toBeDefined();
    expect(fixture.calls.commands()).toEqual(Array(6).fill('Query'));
    expect((await readAll(owner, { filter: { scoreAtLeast: 99 } })).flat()).toEqual([rare[10]?.leadId]);
  });
});

test('the leads of another workspace are left out if a form has leads of two', async () => {
  const [owner, stranger] = [newOwner(), newOwner()];
  const foreign = leadsOf({ ...stranger, formId: owner.formId }, 5);
  const own = leadsOf(owner, 6);
  await fixture.put([...own, ...foreign]);
  expect((await readAll(owner, { limit: 2 })).flat()).toEqual(newestFirst(own));
});

describe('one lead', () => {
  test('is found whole, with body, signals and enrichment', async () => {
    const owner = newOwner();
    const lead = leadOf(owner, 1, { clean: true, body: `{"text":"${'long '.repeat(2_000)}"}` });
    await fixture.putEnrichment(enrichmentOf(lead.leadId));
    await fixture.put([lead]);
    const whole = await leads.find(owner.workspaceId, lead.leadId, patience());
    expect(whole).toEqual({ lead, state: 'enriched', enrichment: enrichmentOf(lead.leadId) });
    const { rows } = await leads.page(owner, patience());
    expect(rows).toMatchObject([{ submissionId: lead.leadId, clean: true, enrichment: 'enriched' }]);
  });

  test('is erased with its enrichment, once', async () => {
    const owner = newOwner();
    const [lead, other] = [leadOf(owner, 1, { clean: true }), leadOf(owner, 2)];
    await fixture.putEnrichment(enrichmentOf(lead.leadId));
    await fixture.put([lead, other]);
    expect(await leads.erase(owner.workspaceId, lead.leadId, patience())).toBe(true);
    // A note of ids, from which the erasure is announced.
    expect(await fixture.partsOf(lead.leadId)).toMatchObject([{ part: 'erased' }]);
    expect(await leads.find(owner.workspaceId, lead.leadId, patience())).toBeUndefined();
    expect((await leads.page(owner, patience())).rows.map(({ submissionId }) => submissionId)).toEqual([
      other.leadId,
    ]);
    expect(await leads.erase(owner.workspaceId, lead.leadId, patience())).toBe(false);
  });

  test('is erased even if a transaction of enrichment conflicts', async () => {
    const owner = newOwner();
    const lead = leadOf(owner, 1);
    await fixture.put([lead]);
    let refusals = 2;
    fixture.calls.injectBefore((command) => {
      if (command !== 'TransactWriteItems') return undefined;
      refusals -= 1;
      return refusals >= 0 ? conflict() : undefined;
    });
    expect(await leads.erase(owner.workspaceId, lead.leadId, patience())).toBe(true);
    fixture.calls.injectBefore(undefined);
    expect(refusals).toBe(-1);
    expect(await fixture.partsOf(lead.leadId)).toMatchObject([{ part: 'erased' }]);
  });

  test('that is damaged is shown with an empty body, and can be erased', async () => {
    const owner = newOwner();
    const [lead, damaged] = [leadOf(owner, 1), leadOf(owner, 2)];
    await fixture.put([lead]);
    await fixture.putDamaged(damaged);
    const { rows } = await leads.page(owner, patience());
    expect(rows.map(({ submissionId, cells }) => [submissionId, cells])).toEqual([
      [damaged.leadId, ['', '']],
      [lead.leadId, ['1', 'lead-1@example.org']],
    ]);
    expect(await leads.erase(owner.workspaceId, damaged.leadId, patience())).toBe(true);
  });
});
