import { describe, expect, test } from '@jest/globals';
import { keysNamedBy, type LeadEntries, packKeys, toEntries, unpackKeys } from '#leads/search/index-entry.ts';
import { contactOfLead, personKey } from '#leads/search/lead-contact.ts';
import { readQuery, searchedText } from '#leads/search/search-query.ts';
import { itemBytes, type Lead } from '#model/lead-item.ts';
import { leadOf, newOwner } from './lead-fixture.ts';

const ADA = {
  name: 'Ada Løvelace',
  company: 'Analytical Engines GmbH & Co. KG',
  email: 'Ada.Lovelace@mail.Engines.example',
  phone: '+49 (0)30 1234567',
  message: 'Please call me about the difference engine.',
};
const keyOf = (email: string) => personKey('email', email);

describe('the contact of a lead', () => {
  test('has name, company, address and number, and a key for each of the latter', () => {
    expect(contactOfLead(ADA)).toEqual({
      name: 'Ada Løvelace',
      company: 'Analytical Engines GmbH & Co. KG',
      email: 'ada.lovelace@mail.engines.example',
      phone: '49301234567',
      phoneSpellings: [],
      keys: [keyOf('ada.lovelace@mail.engines.example'), personKey('phone', '49301234567')],
      mentioned: [],
    });
  });

  test.each([
    ['nothing', {}, {}],
    ['a message alone', { message: 'Hello there, who are you?' }, {}],
    ['a first and a last name', { first_name: 'Grace', last_name: 'Hopper' }, { name: 'Grace Hopper' }],
    [
      'joiners',
      { name: 'علی\u200cرضا', company: '👩\u200d💻' },
      { name: 'علی\u200cرضا', company: '👩\u200d💻' },
    ],
    ['a number without its country', { phone: '030 1234567' }, { phone: '301234567' }],
    [
      'a number with its country beside it',
      { phone: '030 1234567', country: 'DE' },
      { phone: '49301234567' },
    ],
    [
      'a number of the country of the email',
      { phone: '030 901820', email: 'a@b.de' },
      { phone: '4930901820', email: 'a@b.de' },
    ],
    ['an address that is none', { email: 'ada at engines' }, { email: 'ada at engines' }],
  ])('of %s', (_, fields, expected) => {
    const {
      phoneSpellings: _spellings,
      keys: _keys,
      mentioned: _mentioned,
      ...contact
    } = contactOfLead(fields);
    expect(contact).toEqual(expected);
  });

  test.each([
    ['in a field that is not recognized', { email: 'ada@engines.example', referrer: 'Bob@B.example' }],
    ['in a message', { email: 'ada@engines.example', message: 'Ask bob@b.example, please.' }],
    [
      'deep in the body',
      { email: 'ada@engines.example', a: [{ b: { c: { d: [['x', 'bob@b.example']] } } }] },
    ],
    [
      'twice',
      { email: 'ada@engines.example', cc: 'bob@b.example', bcc: 'BOB@b.example, ada@engines.example' },
    ],
  ])('mentions an address %s', (_, fields) => {
    expect(contactOfLead(fields)).toMatchObject({
      keys: [keyOf('ada@engines.example')],
      mentioned: [keyOf('bob@b.example')],
    });
  });

  test('mentions at most three addresses, the first ones', () => {
    const cc = ['a', 'b', 'c', 'd'].map((local) => `${local}@b.example`);
    expect(contactOfLead({ email: 'ada@engines.example', cc: [cc] }).mentioned).toEqual(
      cc.slice(0, 3).map(keyOf),
    );
  });

  test('is whom the kept roles name, and others are mentioned', () => {
    const fields = { email: 'agent@agency.example', customer: 'carla@home.example' };
    expect(contactOfLead(fields, { email: 'customer' })).toMatchObject({
      email: 'carla@home.example',
      keys: [keyOf('carla@home.example')],
      mentioned: [keyOf('agent@agency.example')],
    });
  });

  test('has the same key in every spelling, and no key of an address is one of a number', () => {
    const keysOf = (fields: object) => contactOfLead(fields as Record<string, unknown>).keys;
    expect(keysOf({ email: ' ADA@Engines.Example ' })).toEqual(keysOf({ email: 'ada@engines.example' }));
    expect(keysOf({ phone: '0049 (30) 901820' })).toEqual(keysOf({ phone: '030 901820', country: 'DE' }));
    expect(keysOf({ email: 'ada+news@engines.example' })).not.toEqual(
      keysOf({ email: 'ada@engines.example' }),
    );
    expect(personKey('email', '4930901820')).not.toBe(personKey('phone', '4930901820'));
  });
});

describe('what was typed', () => {
  test.each([
    ['Ada', [['ada']]],
    ['  ADA   løve ', [['ada'], ['love', 'loeve']]],
    [
      'Müller-Lüdenscheid',
      [
        ['muller', 'mueller'],
        ['ludenscheid', 'luedenscheid'],
      ],
    ],
    ['ada@engines.example', [['ada@engines.example']]],
    ['@engines', [['@engines']]],
    ['Booking.com', [['booking.com', 'booking com', 'bookingcom']]],
    ['J Smith', [[' j'], ['smith']]],
    ['王', [['王']]],
    ['+49 30 1234567', [['49301234567']]],
    ['0049 30 1234567', [['49301234567']]],
    ['030/1234567', [['0301234567', '301234567']]],
    ['+49 (0)30 12', [['493012']]],
    ['ada ada', [['ada']]],
  ])('%s', (typed, terms) => {
    expect(readQuery(typed)?.terms).toEqual(terms);
  });

  test.each(['', ' ', '...', '@', '+', '(-)', '"', 'a', '5', 'é'])('%j asks for nothing', (typed) => {
    expect(readQuery(typed)).toBeUndefined();
  });

  test('at most eight words count', () => {
    expect(readQuery('a1b a2b a3b a4b a5b a6b a7b a8b a9b a0b')?.terms).toHaveLength(8);
  });

  test.each([
    ['Ada@Engines.example', keyOf('ada@engines.example')],
    ['+49 (0)30 1234567', personKey('phone', '49301234567')],
    ['0049 30 1234567', personKey('phone', '49301234567')],
    ['ada@engines', undefined],
    ['030 1234567', undefined],
    ['Ada Byron', undefined],
  ])('%s is looked up by key only if it is whole', (typed, key) => {
    expect(readQuery(typed)?.person).toBe(key);
  });
});

describe('the entries of a lead', () => {
  const entriesOf = (fields: object, lead: Partial<Lead> = {}): LeadEntries => {
    const whole = leadOf(newOwner(), 1, { body: JSON.stringify(fields), grade: 'B', ...lead });
    const contact = contactOfLead(fields as Record<string, unknown>);
    return toEntries({ lead: whole, enrichmentFailed: false, test: false }, contact);
  };

  test('name all keys, and say which of them are only mentioned', () => {
    const { list, people } = entriesOf({ email: 'ada@engines.example', cc: 'bob@b.example' });
    const keys = ['ada@engines.example', 'bob@b.example'].map(keyOf);
    expect(keysNamedBy(list)).toEqual(keys);
    expect(people.map(({ mentioned }) => mentioned)).toEqual([undefined, true]);
    expect(unpackKeys(packKeys([]))).toEqual([]);
  });

  test.each([
    ['long', 'Aa'.repeat(5_000)],
    ['in another script', '山田太郎 '.repeat(2_000)],
    ['of emoji', '👩‍💻'.repeat(2_000)],
    ['many', Array.from({ length: 500 }, (_, n) => `word${n}`).join(' ')],
    ['with umlauts', 'Äöü '.repeat(500)],
  ])('fit one write unit each, if names are %s', (_, name) => {
    const email = `${'l'.repeat(64)}@${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(50)}.example`;
    const cc = 'a@b.example, c@d.example, e@f.example';
    const { list, people } = entriesOf({ name, company: name, email, phone: '+442079460958', cc });
    expect(people).toHaveLength(5);
    for (const entry of [list, ...people]) {
      const present = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
      expect(itemBytes(present)).toBeLessThanOrEqual(1_024);
    }
    expect(list).toMatchObject({ email, phone: '442079460958' });
    expect((list.name as string).isWellFormed()).toBe(true);
  });

  test('of people say nothing that a person can be read from', () => {
    // Random ids sometimes contain `ada`.
    const ids = { workspaceId: 'ws_1', formId: 'form_1', leadId: '01a1df14-460a-7e41-9ac4-879d5843f3b8' };
    const { people } = entriesOf(ADA, ids);
    expect(JSON.stringify(people).toLowerCase()).not.toMatch(/ada|lovelace|engines|1234567/);
  });

  test('have the words of names in every spelling, blanks around each', () => {
    const text = searchedText(contactOfLead({ name: 'Jörg Müller', company: 'Søren & Co.' }));
    expect(text).toBe(' jorg muller soren co joerg mueller soeren co ');
  });
});
