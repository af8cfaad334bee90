import { beforeAll, describe, expect, test } from '@jest/globals';
import { personKey } from '#leads/search/lead-contact.ts';
import { enrichmentOf, leadOf, newOwner, secondsAfterStart } from './lead-fixture.ts';
import { openSearchFixture, person } from './search-fixture.ts';

const fixture = await openSearchFixture();
const { find } = fixture;

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

describe('a search', () => {
  // By DynamoDB's own rules. plausible-searches.unit.test.ts has what people type.
  test.each<[string, Person[]]>([
    ['ada', ['adam', 'ada']],
    ['byron ada', ['ada']],
    ['engin', ['wu', 'ada']],
    ['engines shanghai', ['wu']],
    ['byr pin', []],
    ['y', []],
    ['MULLER juergen', ['muller']],
    ['booking.com', ['muller']],
    ['ADA@engines.example', ['ada']],
    ['da@engines.example', ['ada']],
    ['@engines', ['ada']],
    ['actor', ['adam']],
    ['0044 (20) 7946-0958', ['wu']],
    ['020 7946', ['wu']],
    ['藤', ['sato']],
    ['健太郎 サンプル', ['sato']],
    ['???', []],
  ])('for %s finds %j', async (q, expected) => {
    expect(names(await find(ours.workspaceId, { q }))).toEqual(expected);
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
    expect(names(await find(ours.workspaceId, asked))).toEqual(expected);
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
    expect(await find(owner.workspaceId, { q: 'ada', enrichment: 'enriched' })).toEqual([lead.leadId]);
    await fixture.setClean(lead, false);
    await fixture.deliver([fixture.messageOf(lead, 'lead.reviewed')]);
    expect(await find(owner.workspaceId, { q: 'ada', clean: true })).toEqual([]);
    const { leads } = await fixture.searchPage(owner.workspaceId, { q: 'ada', clean: false });
    expect(leads).toMatchObject([{ leadId: lead.leadId, enrichment: 'skipped', name: 'Ada Byron' }]);
  });

  test('is no entry of a person whose list entry is gone, or names other people', async () => {
    const owner = newOwner();
    const lead = leadOf(owner, 2, { body: PEOPLE.adam.body });
    await fixture.accept([lead]);
    const bucket = `person#${owner.workspaceId}#${personKey('email', 'ada@engines.example')}`;
    for (const { leadId } of [leadOf(owner, 1), lead]) await fixture.putEntry({ bucket, leadId, v: 2 });
    expect(await find(owner.workspaceId, { q: 'ada@engines.example' })).toEqual([]);
  });
});
