import { describe, expect, test } from '@jest/globals';
import { type LeadEntries, MAX_WRITE_UNITS, toEntries } from '#leads/search/index-entry.ts';
import { bucketsOf, wordsOfLead } from '#leads/search/index-words.ts';
import { bucketOf, readTerms, termToRead } from '#leads/search/search-terms.ts';
import { itemBytes, type Lead } from '#model/lead-item.ts';
import { leadOf, newOwner } from './lead-fixture.ts';

const ADA = {
  name: 'Ada Løvelace',
  company: 'Analytical Engines GmbH & Co. KG',
  email: 'Ada.Lovelace@mail.Engines.example',
  phone: '+49 (0)30 1234567',
  message: 'Please call me about the difference engine.',
};

describe('the words of a lead', () => {
  test('are those of person, company, address, domain and phone number, folded, and none of the message', () => {
    const { contact, words } = wordsOfLead(ADA);
    expect(contact).toEqual({
      name: 'Ada Løvelace',
      company: 'Analytical Engines GmbH & Co. KG',
      email: 'ada.lovelace@mail.engines.example',
      phone: '49301234567',
    });
    expect(words).toEqual([
      'ada.lovelace@mail.engines.example',
      ...['ada', 'lovelace', 'analytical', '49301234567'],
      ...['engines.example', 'mail.engines.example', '301234567'],
      ...['engines', 'gmbh', 'co', 'kg'],
    ]);
  });

  test.each([
    ['nothing', {}, []],
    ['a message alone', { message: 'Hello there, who are you?' }, []],
    ['a first and a last name', { first_name: 'Grace', last_name: 'Hopper' }, ['grace', 'hopper']],
    ['letters of another script', { name: '山田太郎' }, ['山田太郎']],
    ['a number without its country', { phone: '030 1234567' }, ['301234567']],
    [
      'a number with its country beside it',
      { phone: '030 1234567', country: 'DE' },
      ['49301234567', '301234567'],
    ],
    [
      'a number of the country of the email',
      { phone: '030 901820', email: 'a@b.de' },
      ['a@b.de', '4930901820', 'b.de', '30901820', 'a'],
    ],
    ['an address that is none', { email: 'ada at engines' }, ['ada']],
  ])('of %s', (_, fields, expected) => {
    expect(wordsOfLead(fields).words).toEqual(expected);
  });
});

describe('buckets', () => {
  test('are the first three letters of a word, the most important words first, none twice', () => {
    const { words } = wordsOfLead(ADA);
    expect(bucketsOf(words, 7)).toEqual(['ada', 'lov', 'ana', '493', 'eng', 'mai', '301']);
    expect(bucketsOf(words, 2)).toEqual(['ada', 'lov']);
  });

  test('are not made for the domains of free mail and for legal forms', () => {
    const { words } = wordsOfLead({ name: 'Ada Byron', company: 'Inc', email: 'ada@gmail.com' });
    expect(words).toContain('gmail.com');
    expect(bucketsOf(words, 7)).toEqual(['ada', 'byr']);
  });

  test('are made for addresses at a free mail provider, before all others', () => {
    const { words } = wordsOfLead({ name: 'Ada Byron', email: 'zoe@gmail.com' });
    expect(bucketsOf(words, 1)).toEqual(['zoe']);
  });

  test.each([
    ['ada', 'ada'],
    ['wu', 'wu'],
    ['王伟', '王伟'],
    ['山田太郎', '山田太'],
    ['a', undefined],
    ['', undefined],
  ])('%s is in %s', (word, bucket) => {
    expect(bucketOf(word)).toBe(bucket);
  });
});

describe('what was typed', () => {
  test.each([
    ['Ada', [[' ada']]],
    ['  ADA   løve ', [[' ada'], [' love']]],
    ['Wu', [[' wu ']]],
    ['Müller-Lüdenscheid', [[' muller'], [' ludenscheid']]],
    ['ada@engines.example', [[' ada@engines.example']]],
    ['ada@', [[' ada@']]],
    ['+49 30 1234567', [[' 49301234567']]],
    ['0049 30 1234567', [[' 49301234567']]],
    ['030/1234567', [[' 301234567']]],
    ['+49 (0)30 12', [[' 493012']]],
    ['ada ada', [[' ada']]],
  ])('%s', (typed, spellings) => {
    expect(readTerms(typed).flatMap((term) => term.spellings)).toEqual(spellings);
  });

  test('a word with a dot is a domain, or a name with a dot in it', () => {
    expect(readTerms('Booking.com')).toEqual([
      { word: 'booking.com', spellings: [[' booking.com'], [' booking', ' com']] },
    ]);
  });

  test.each(['', ' ', '...', '@', '+', '(-)', '"'])('%j asks for nothing', (typed) => {
    expect(readTerms(typed)).toEqual([]);
  });

  test('at most eight words count', () => {
    expect(readTerms('a1b a2b a3b a4b a5b a6b a7b a8b a9b a0b')).toHaveLength(8);
  });

  test.each([
    ['ada lovelace', 'lovelace'],
    ['ada engines.example', 'engines.example'],
    // Free mail has no bucket, however long its domain is.
    ['ada googlemail.com', 'ada'],
    ['googlemail.com', undefined],
    ['gmbh', undefined],
    ['a b', undefined],
  ])('of %s, the entries of %s are read', (typed, word) => {
    expect(termToRead(readTerms(typed))?.word).toBe(word);
  });
});

describe('the entries of a lead', () => {
  const entriesOf = (fields: object, lead: Partial<Lead> = {}, withWords = true): LeadEntries => {
    const whole = leadOf(newOwner(), 1, { body: JSON.stringify(fields), grade: 'B', ...lead });
    const found = wordsOfLead(fields as Record<string, unknown>);
    return toEntries({ lead: whole, enrichment: 'pending', test: false }, found, withWords);
  };
  const MANY_WORDS = {
    name: 'Aaa Bbb Ccc Ddd Eee',
    company: 'Fff Ggg Hhh',
    email: 'iii@jjj.example',
    phone: '+442079460958',
  };

  test.each([
    ['not clean: seven words and the list', { clean: false }, 7],
    ['clean: six words, and the list twice, since it is enriched', { clean: true }, 6],
  ])('cost at most eight write units if it is %s', (_, lead, words) => {
    const entries = entriesOf(MANY_WORDS, lead);
    expect(entries.words).toHaveLength(words);
    expect(entries.list.buckets).toHaveLength(words);
    expect(words + (lead.clean ? 2 : 1)).toBe(MAX_WRITE_UNITS);
  });

  test.each([
    ['long', 'Aa'.repeat(5_000)],
    ['in another script', '山田太郎 '.repeat(2_000)],
    ['of emoji', '👩‍💻'.repeat(2_000)],
    ['many', Array.from({ length: 500 }, (_, n) => `word${n}`).join(' ')],
  ])('fit one write unit each, if names are %s', (_, name) => {
    const email = `${'l'.repeat(64)}@${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(50)}.example`;
    const { list, words } = entriesOf({ name, company: name, email, phone: '+442079460958' });
    for (const entry of [list, ...words]) {
      const present = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
      expect(itemBytes(present)).toBeLessThanOrEqual(1_024);
    }
    expect(list.words).toContain(` ${email} `);
    expect(list.name?.isWellFormed()).toBe(true);
  });

  test('without word entries are one, which has the words', () => {
    const { list, words } = entriesOf(ADA, {}, false);
    expect(words).toEqual([]);
    expect(list.buckets).toEqual([]);
    expect(list.words).toContain(' lovelace ');
  });
});
