import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type LeadIdRange, leadIdRange } from '#leads/lead-filter.ts';
import { makeLeadSearcher } from '#leads/search/lead-search-store.ts';
import { STEP_MS } from '#leads/search/list-entries-store.ts';
import { readSlices, slicesOf } from '#leads/search/read-slices.ts';
import { MAX_COUNTED } from '#leads/search/search-filter.ts';
import { type Lead, makeLeadId } from '#model/lead-item.ts';
import { crowd } from '../submission/submission-fixture.ts';
import { leadsOf, newestFirst, newOwner, patience, secondsAfterStart } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const fixture = await openSearchFixture();
const { find } = fixture;

const ADA = person('Ada Byron', 'Analytical Engines', 'ada@engines.example');

/** The nth month of 2026, and a moment in it. */
function inMonth(n: number, seconds = 0) {
  const at = Date.UTC(2026, n, 28) + seconds * 1_000;
  return { leadId: makeLeadId(at, randomBytes(10)), receivedAt: new Date(at).toISOString() };
}

describe('pages', () => {
  test('are complete, newest first and without duplicates, by word and from the list', async () => {
    const owner = newOwner();
    const leads = leadsOf(owner, 123, (n) => ({
      body: person(`Person ${n}`, 'Crowd', `p${n}@crowd.example`),
    }));
    await fixture.accept(leads);
    for (const asked of [{}, { q: 'crowd' }, { q: 'per', clean: false }]) {
      expect(await find(owner.workspaceId, asked, { wanted: 20 })).toEqual(newestFirst(leads));
    }
    const page = await fixture.searchPage(owner.workspaceId, {}, { wanted: 50 });
    expect(page.leads).toHaveLength(50);
    expect((await fixture.searchPage(owner.workspaceId, {}, { wanted: 123 })).resumeAfter).toBeUndefined();
  });

  test('of a whole address read only what has it, also behind the last one', async () => {
    const owner = newOwner();
    await fixture.accept(leadsOf(owner, 4, () => ({ body: ADA })));
    const ask = (olderThan?: string) =>
      fixture.searchPage(owner.workspaceId, { q: 'ada@engines.example' }, { olderThan, wanted: 2 });
    const second = await ask((await ask()).resumeAfter);
    expect(second.leads).toHaveLength(2);
    fixture.calls.reset();
    const behind = await ask(second.leads.at(-1)?.leadId);
    expect(behind).toEqual({ leads: [], resumeAfter: undefined });
    // Two queries for the person, and none for the list.
    expect(fixture.calls.commands()).toEqual(['Query', 'Query']);
  });

  test('take only so long, and then say where to go on', async () => {
    const owner = newOwner();
    const leads = leadsOf(owner, 5, (n) => ({
      ...inMonth(n),
      body: person('Rare Bird', 'Crow', `${n}@crow.example`),
    }));
    await fixture.accept(leads);
    // Each look at the clock takes longer than a call may.
    const slow = makeLeadSearcher({ ...fixture, now: () => (fixture.clock.now += STEP_MS + 1) });
    const found: string[] = [];
    let [steps, olderThan] = [0, undefined as string | undefined];
    do {
      const range = leadIdRange(undefined, undefined, olderThan) as LeadIdRange;
      const page = await slow.search(owner.workspaceId, { q: 'bird' }, { range, wanted: 50 }, patience());
      found.push(...page.leads.map(({ leadId }) => leadId));
      steps += 1;
      olderThan = page.resumeAfter;
    } while (olderThan);
    fixture.clock.now = secondsAfterStart(0);
    expect(found).toEqual(newestFirst(leads));
    expect(steps).toBe(5);
  });

  test('by score need all leads in time, and a count says if it had too little', async () => {
    const owner = newOwner();
    const leads = leadsOf(owner, 3, (n) => ({ ...inMonth(n), body: ADA, score: n * 10 }));
    await fixture.accept(leads);
    const range = leadIdRange(0, undefined) as LeadIdRange;
    const ask = async (searcher: ReturnType<typeof makeLeadSearcher>) => ({
      byScore: await searcher.byScore(owner.workspaceId, { q: 'ada' }, { range, wanted: 2 }, patience()),
      count: await searcher.count(owner.workspaceId, { q: 'ada' }, range, patience()),
    });
    const slow = makeLeadSearcher({ ...fixture, now: () => (fixture.clock.now += STEP_MS + 1) });
    expect(await ask(slow)).toEqual({ byScore: undefined, count: { count: 1, exact: false } });
    fixture.clock.now = secondsAfterStart(0);
    const { byScore, count } = await ask(makeLeadSearcher(fixture));
    expect(byScore?.leads.map(({ score }) => score)).toEqual([20, 10]);
    expect(byScore?.resumeAfter).toMatchObject({ score: 10 });
    expect(count).toEqual({ count: 3, exact: true });
  });

  test('of more than a thousand leads are counted up to that', async () => {
    const owner = newOwner();
    const leads = leadsOf(owner, MAX_COUNTED + 1, () => ({ body: '{"name":"Ada"}' }));
    await fixture.accept(leads.slice(0, 1));
    const entry = (await fixture.listEntry(leads[0] as Lead)) ?? {};
    await crowd(MAX_COUNTED, 20, (n) => fixture.putEntry({ ...entry, leadId: leads[n + 1]?.leadId }));
    const count = (from: number) =>
      makeLeadSearcher(fixture).count(
        owner.workspaceId,
        {},
        leadIdRange(from, undefined) as LeadIdRange,
        patience(),
      );
    expect(await count(0)).toEqual({ count: MAX_COUNTED, exact: false });
    const second = Date.parse(leads[1]?.receivedAt ?? '');
    expect(await count(second)).toEqual({ count: MAX_COUNTED, exact: true });
  });

  test('begin no read that would not end in time, judged by the one before', async () => {
    const months = ['2026-03', '2026-02', '2026-01'];
    const read = async (took: number) => {
      let [clock, reads] = [0, 0];
      const found = await readSlices({
        slices: slicesOf(months, leadIdRange(undefined, undefined) as LeadIdRange),
        wanted: 5,
        selective: true,
        until: STEP_MS,
        now: () => clock,
        async read() {
          reads += 1;
          clock += took;
          return { items: [], readTo: undefined, read: 10 };
        },
      });
      return { reads, isDone: found.readTo === undefined };
    };
    expect(await read(STEP_MS - 1_000)).toEqual({ reads: 1, isDone: false });
    expect(await read(1)).toEqual({ reads: 3, isDone: true });
  });

  test('read hardly anything twice, although several parts are read at once and a step ends early', async () => {
    const MINUTE = 60_000;
    const begin = Date.UTC(2026, 0, 1);
    // Now more, now fewer.
    const at = (n: number) => Math.floor(n + 2_000 * (1 + Math.sin(n / 2_500)));
    const all = Array.from({ length: 100_000 }, (_, n) =>
      makeLeadId(begin + at(n) * MINUTE, Buffer.alloc(10, n)),
    );
    const months = ['2026-03', '2026-02', '2026-01'];
    let [clock, entries, steps] = [0, 0, 0];
    let olderThan: string | undefined;
    do {
      const found = await readSlices({
        slices: slicesOf(months, leadIdRange(undefined, undefined, olderThan) as LeadIdRange),
        wanted: 50,
        selective: true,
        until: clock + 600,
        now: () => clock,
        async read({ oldest, newest }, limit) {
          clock += 50;
          const there = all.filter((id) => id >= oldest && id <= newest).reverse();
          const page = there.slice(0, limit);
          entries += page.length;
          return {
            items: [],
            readTo: page.length < there.length ? page.at(-1) : undefined,
            read: page.length,
          };
        },
      });
      steps += 1;
      olderThan = found.readTo;
    } while (olderThan);
    expect(steps).toBeGreaterThan(1);
    expect(entries / all.length).toBeLessThan(1.05);
  });

  test('go on over months, also if leads come late, go or come back in between', async () => {
    const owner = newOwner();
    const leads = leadsOf(owner, 40, (n) => ({
      ...inMonth(n % 7, n),
      body: person(`Person ${n}`, n % 3 ? 'Crowd' : 'Nobody', `p${n}@crowd.example`),
      clean: n % 2 === 0,
      score: n,
    }));
    const [late, restored, ...others] = leads;
    await fixture.accept([restored as Lead, ...others]);
    const ids = newestFirst(leads);
    const first = await fixture.searchPage(owner.workspaceId, {}, { wanted: 10 });
    expect(first.leads.map(({ leadId }) => leadId)).toEqual(
      ids.filter((id) => id !== late?.leadId).slice(0, 10),
    );
    // The lead at the border is erased, an old one comes late, and one is indexed again.
    const border = leads.find(({ leadId }) => leadId === first.resumeAfter) as Lead;
    await fixture.deleteLead(border);
    await fixture.deliver([fixture.messageOf(border, 'lead.erased')]);
    await fixture.accept([late as Lead, restored as Lead]);
    const rest: string[] = [];
    for (let olderThan = first.resumeAfter; olderThan; ) {
      const page = await fixture.searchPage(owner.workspaceId, {}, { wanted: 3, olderThan });
      rest.push(...page.leads.map(({ leadId }) => leadId));
      olderThan = page.resumeAfter;
    }
    expect(rest).toEqual(ids.filter((id) => id < border.leadId));

    const left = leads.filter((lead) => lead !== border);
    const expected = (isAsked: (lead: Lead) => boolean) => newestFirst(left.filter(isAsked));
    for (const wanted of [1, 7, 50]) {
      expect(await find(owner.workspaceId, { q: 'nobody' }, { wanted })).toEqual(
        expected(({ body }) => body.includes('Nobody')),
      );
      expect(await find(owner.workspaceId, { clean: true, scoreAtLeast: 10 }, { wanted })).toEqual(
        expected(({ clean, score }) => clean && score >= 10),
      );
      expect(
        await find(owner.workspaceId, { form: owner.formId, enrichment: 'pending' }, { wanted }),
      ).toEqual(expected(({ clean }) => clean));
    }
  });
});
