import { afterAll, describe, expect, test } from '@jest/globals';
import { encodeLeadCursor } from '#leads/lead-cursors.ts';
import type { LeadFilter } from '#leads/lead-filter.ts';
import { makeLeadPages } from '#leads/lead-pages-store.ts';
import { InvalidCursor } from '#owner-api/errors.ts';
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
  secondsAfterStart,
} from './lead-fixture.ts';

const fixture = await openLeadFixture();
const leads = makeLeadPages(fixture);

afterAll(fixture.close);

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

  test('end without a cursor to an empty page', async () => {
    const owner = newOwner();
    await fixture.put(leadsOf(owner, 40));
    expect((await readAll(owner, { limit: 20 })).map((page) => page.length)).toEqual([20, 20]);
  });

  test('hold 50 leads at most, and one at least', async () => {
    const owner = newOwner();
    await fixture.put(leadsOf(owner, 60));
    expect((await leads.page({ ...owner, limit: 1_000 }, patience())).rows.length).toBe(50);
    expect((await leads.page({ ...owner, limit: -3 }, patience())).rows.length).toBe(1);
  });

  test('separate the leads of one millisecond', async () => {
    const owner = newOwner();
    const crowd = Array.from({ length: 30 }, () => leadOf(owner, 7));
    await fixture.put(crowd);
    expect((await readAll(owner, { limit: 7 })).flat()).toEqual(newestFirst(crowd));
  });

  test.each<[string, LeadFilter, (n: number) => boolean]>([
    ['from a moment on', { from: secondsAfterStart(50) }, (n) => n >= 50],
    ['before a moment', { to: secondsAfterStart(50) }, (n) => n < 50],
    ['in a range', { from: secondsAfterStart(20), to: secondsAfterStart(80) }, (n) => n >= 20 && n < 80],
    ['that are clean', { clean: true }, (n) => n % 10 === 0],
    ['that are not', { clean: false }, (n) => n % 10 !== 0],
    ['by score', { scoreAtLeast: 30, scoreAtMost: 60 }, (n) => n >= 30 && n <= 60],
    [
      'by all',
      { from: secondsAfterStart(40), clean: true, scoreAtLeast: 50 },
      (n) => n >= 50 && n % 10 === 0,
    ],
    ['of an empty range', { from: secondsAfterStart(50), to: secondsAfterStart(50) }, () => false],
  ])('return exactly the leads %s', async (_, filter, belongs) => {
    const owner = newOwner();
    const all = leadsOf(owner, 100, (n) => ({ clean: n % 10 === 0 }));
    await fixture.put(all);
    const expected = newestFirst(all.filter((_lead, n) => belongs(n)));
    expect((await readAll(owner, { filter, limit: 7 })).flat()).toEqual(expected);
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

  test('cost two queries and one read of the bodies', async () => {
    const owner = newOwner();
    await fixture.put(leadsOf(owner, 60));
    fixture.calls.reset();
    await leads.page(owner, patience());
    expect(fixture.calls.commands()).toEqual(['Query', 'Query', 'BatchGetItem']);
  });

  test('show columns, cells and the state of enrichment', async () => {
    const owner = newOwner();
    const [plain, enriched] = [leadOf(owner, 1), leadOf(owner, 2, { clean: true, surface: '1b' })];
    await fixture.put([plain]);
    await fixture.putEnrichment(enrichmentOf(enriched.leadId));
    await fixture.put([enriched]);
    expect(await leads.page(owner, patience())).toEqual({
      columns: ['n', 'email'],
      rows: [
        expect.objectContaining({
          submissionId: enriched.leadId,
          surface: '1b',
          clean: true,
          enrichment: 'enriched',
          cells: ['2', 'lead-2@example.org'],
        }),
        expect.objectContaining({
          submissionId: plain.leadId,
          receivedAt: plain.receivedAt,
          score: 1,
          enrichment: 'skipped',
          cells: ['1', 'lead-1@example.org'],
        }),
      ],
    });
  });
});

const cursorAfter = (leadId: string, formId: string) =>
  encodeLeadCursor({ kind: 'leads', formId, filter: {} }, { leadId });

describe('the leads of another workspace', () => {
  test('are not found, with and without a filter', async () => {
    const [owner, stranger] = [newOwner(), newOwner()];
    const theirs = leadsOf(owner, 70);
    await fixture.put(theirs);
    const workspaceId = stranger.workspaceId;
    for (const filter of [{}, { clean: false }]) {
      fixture.calls.reset();
      const unknown = await leads.page({ ...stranger, filter }, patience());
      const callsForUnknown = fixture.calls.commands();
      fixture.calls.reset();
      const foreign = await leads.page({ workspaceId, formId: owner.formId, filter }, patience());
      expect(foreign).toEqual(unknown);
      expect(foreign).toEqual({ columns: [], rows: [] });
      expect(fixture.calls.commands()).toEqual(callsForUnknown);
    }
    const cursor = cursorAfter(theirs[60]?.leadId as string, owner.formId);
    const after = await leads.page({ workspaceId, formId: owner.formId, cursor }, patience());
    expect(after).toEqual({ columns: [], rows: [] });
    const leadId = theirs[0]?.leadId as string;
    expect(await leads.find(workspaceId, leadId, patience())).toBeUndefined();
    expect(await leads.erase(workspaceId, leadId, patience())).toBe(false);
    expect(await leads.find(owner.workspaceId, leadId, patience())).toBeDefined();
  });

  test('are left out if a form has leads of two workspaces', async () => {
    const [owner, stranger] = [newOwner(), newOwner()];
    const foreign = leadsOf({ ...stranger, formId: owner.formId }, 5);
    const own = leadsOf(owner, 6);
    await fixture.put([...own, ...foreign]);
    expect((await readAll(owner, { limit: 2 })).flat()).toEqual(newestFirst(own));
  });

  test.each(['', 'x'.repeat(5_000)])('a form %j is not found either', async (formId) => {
    expect((await leads.page({ ...newOwner(), formId }, patience())).rows).toEqual([]);
  });

  test('a cursor of another form is refused', async () => {
    const owner = newOwner();
    const cursor = cursorAfter(leadOf(owner, 1).leadId, 'form_other');
    await expect(leads.page({ ...owner, cursor }, patience())).rejects.toThrow(InvalidCursor);
  });
});

describe('one lead', () => {
  test('is found whole, with body, signals and enrichment', async () => {
    const owner = newOwner();
    const lead = leadOf(owner, 1, { clean: true, body: `{"text":"${'long '.repeat(2_000)}"}` });
    await fixture.putEnrichment(enrichmentOf(lead.leadId));
    await fixture.put([lead]);
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
