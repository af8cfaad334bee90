import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAX_QUERIES, READ_AT_ONCE } from '#leads/search/lead-search-store.ts';
import { enrichmentOf, leadOf, leadsOf, newestFirst, newOwner, secondsAfterStart } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const fixture = await openSearchFixture();
const { find } = fixture;
afterAll(fixture.close);

const ours = newOwner();
const other = { ...ours, formId: newOwner().formId };
const PEOPLE = {
  ada: leadOf(ours, 1, { body: person('Ada Byron', 'Analytical Engines', 'ada@engines.example'), score: 90 }),
  adam: leadOf(other, 2, { body: person('Adam Smith', 'Pin Factory', 'adam@pins.example'), score: 20 }),
  wu: leadOf(ours, 3, {
    body: person('Wu Jian', 'Engines Shanghai', 'wu@shanghai.example', { phone: '+442079460958' }),
  }),
  muller: leadOf(ours, 4, {
    body: person('Jürgen Müller', 'Booking.com', 'jm@gmail.com'),
    score: 55,
    clean: true,
  }),
  sato: leadOf(other, 5, { body: person('佐藤健太郎', '株式会社サンプル', 'sato@sample.example') }),
};
type Person = keyof typeof PEOPLE;

beforeAll(async () => {
  await fixture.accept(Object.values(PEOPLE));
  // The same words elsewhere must never be found.
  await fixture.accept([leadOf(newOwner(), 1, { body: PEOPLE.ada.body })]);
});

const names = (ids: readonly string[]) =>
  ids.map((id) => Object.entries(PEOPLE).find(([, { leadId }]) => leadId === id)?.[0] ?? id);

const NEWEST_FIRST: Person[] = ['sato', 'muller', 'wu', 'adam', 'ada'];

describe.each([
  ['with word entries', true],
  ['without, from the list', false],
])('a search %s', (_, withWords) => {
  test.each<[string, Person[]]>([
    ['ada', ['adam', 'ada']],
    ['Ada Byron', ['ada']],
    ['byron ada', ['ada']],
    ['engin', ['wu', 'ada']],
    ['engines shanghai', ['wu']],
    ['ada smith', ['adam']],
    ['byr pin', []],
    ['wu', ['wu']],
    ['ji', []],
    ['jia', ['wu']],
    ['müller', ['muller']],
    ['MULLER jurgen', ['muller']],
    ['booking.com', ['muller']],
    ['booking', ['muller']],
    ['ada@engines.example', ['ada']],
    ['da@engines.example', []],
    ['engines.example', ['ada']],
    ['jm@gmail.com', ['muller']],
    // Without a bucket: read from the list.
    ['gmail.com', ['muller']],
    ['+44 20 7946 0958', ['wu']],
    ['020 7946', ['wu']],
    ['7946', []],
    ['佐藤健', ['sato']],
    ['株式会社サンプル', ['sato']],
    ['???', []],
    ['nobody', []],
  ])('for %s finds %j', async (q, expected) => {
    expect(names(await find(ours.workspaceId, { q }, { withWords }))).toEqual(expected);
  });

  test.each<[string, Parameters<typeof find>[1], Person[]]>([
    ['nothing else', {}, NEWEST_FIRST],
    ['a form', { form: other.formId }, ['sato', 'adam']],
    ['clean leads', { clean: true }, ['muller']],
    ['leads that are not clean', { clean: false }, ['sato', 'wu', 'adam', 'ada']],
    ['a low score', { scoreAtMost: 20 }, ['sato', 'wu', 'adam']],
    ['a high score', { scoreAtLeast: 55 }, ['muller', 'ada']],
    ['enrichment', { enrichment: 'pending' }, ['muller']],
    ['a time', { from: secondsAfterStart(2), to: secondsAfterStart(4) }, ['wu', 'adam']],
    ['a word and a form', { q: 'ada', form: other.formId }, ['adam']],
    ['a word and a score', { q: 'ada', scoreAtLeast: 21 }, ['ada']],
    ['a word and a time', { q: 'ada', to: secondsAfterStart(2) }, ['ada']],
    ['a word and clean leads', { q: 'ada', clean: true }, []],
    ['a word and a state', { q: 'müller', enrichment: 'enriched' }, []],
    [
      'everything',
      { q: 'eng', form: ours.formId, clean: false, enrichment: 'skipped', scoreAtLeast: 90 },
      ['ada'],
    ],
    ['a form of nobody', { form: 'form_none' }, []],
  ])('by %s', async (_name, asked, expected) => {
    expect(names(await find(ours.workspaceId, asked, { withWords }))).toEqual(expected);
  });
});

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

  test('read only so much, and then say where to go on', async () => {
    const owner = newOwner();
    const rare = leadOf(owner, 0, { body: person('Rare Bird', 'Crow', 'rare@crow.example') });
    await fixture.accept([rare]);
    const others = leadsOf(owner, READ_AT_ONCE + 10).map(({ leadId }) => ({
      bucket: `${owner.workspaceId}#rar`,
      leadId,
      words: ' rarely seen ',
      score: 1,
      v: 1,
    }));
    await Promise.all(others.map(fixture.putEntry));
    fixture.calls.reset();
    const found = await find(owner.workspaceId, { q: 'rare bird' });
    expect(found).toEqual([rare.leadId]);
    const queries = fixture.calls.commands().filter((command) => command.includes('Query'));
    expect(queries).toHaveLength(2);
    expect(queries.length).toBeLessThan(MAX_QUERIES);
  });
});

describe('what is shown', () => {
  test('is never an expired lead, though DynamoDB deletes it late', async () => {
    const owner = newOwner();
    const expiresAt = Math.floor(secondsAfterStart(60) / 1000);
    const lead = leadOf(owner, 1, { body: PEOPLE.ada.body, expiresAt });
    await fixture.accept([lead]);
    expect(await find(owner.workspaceId, { q: 'byron' })).toEqual([lead.leadId]);
    fixture.clock.now = secondsAfterStart(60);
    expect(await find(owner.workspaceId, { q: 'byron' })).toEqual([]);
    expect(await find(owner.workspaceId, {})).toEqual([]);
    fixture.clock.now = secondsAfterStart(0);
  });

  test('is the state of the lead at the time', async () => {
    const owner = newOwner();
    const lead = leadOf(owner, 1, { body: PEOPLE.ada.body, clean: true });
    await fixture.accept([lead]);
    await fixture.putEnrichment(enrichmentOf(lead.leadId));
    await fixture.deliver([fixture.messageOf(lead, 'lead.enriched')]);
    expect(await find(owner.workspaceId, { q: 'ada', enrichment: 'enriched' })).toEqual([lead.leadId]);
    await fixture.setClean(lead, false);
    await fixture.deliver([fixture.messageOf(lead, 'lead.enrichment_failed')]);
    expect(await find(owner.workspaceId, { q: 'ada', clean: true })).toEqual([]);
    const { leads } = await fixture.searchPage(owner.workspaceId, { q: 'ada', clean: false });
    expect(leads).toMatchObject([{ leadId: lead.leadId, enrichment: 'skipped', name: 'Ada Byron' }]);
  });

  test('is no word entry whose list entry is gone', async () => {
    const owner = newOwner();
    const { leadId } = leadOf(owner, 1);
    await fixture.putEntry({ bucket: `${owner.workspaceId}#ada`, leadId, words: ' ada ', score: 1, v: 1 });
    expect(await find(owner.workspaceId, { q: 'ada' })).toEqual([]);
  });
});
