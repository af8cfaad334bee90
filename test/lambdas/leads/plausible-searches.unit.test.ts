import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { rolesOf } from '#enrichment/gather-facts.ts';
import { keysNamedBy, toEntries } from '#leads/search/index-entry.ts';
import { contactOfLead } from '#leads/search/lead-contact.ts';
import { readQuery } from '#leads/search/search-query.ts';
import { leadOf, newOwner } from './lead-fixture.ts';
import { SOUGHT, typedFor, typedForAddress } from './plausible-searches.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The rule of the search in DynamoDB: each word stands in the text, the address or the number; or the key is known. */
function finderOf(fields: Fields): (typed: string) => boolean {
  const lead = leadOf(newOwner(), 1, { body: JSON.stringify(fields) });
  const { list } = toEntries({ lead, enrichmentFailed: false, test: false }, contactOfLead(fields));
  const keys = keysNamedBy(list);
  const texts = [list.folded, list.email, list.phone].filter((text) => typeof text === 'string');
  return (typed) => {
    const query = readQuery(typed);
    if (!query) return false;
    if (query.person && keys.includes(query.person)) return true;
    return query.terms.every((spellings) =>
      spellings.some((spelling) => texts.some((text) => text.includes(spelling))),
    );
  };
}

/** What the page of a lead shows of its contact, and what people type to find it. */
function typedForLead(fields: Fields): string[] {
  const { email, name, firstName, lastName, company, phone } = rolesOf(fields);
  const numbers =
    phone && /^[+\d\s()./-]+$/.test(phone) && /\d.*\d/.test(phone)
      ? [phone, phone.replace(/[^+\d]/g, '')]
      : [];
  const isAddress = email !== undefined && /^[^\s@<>"]+@[^\s@<>"]+$/.test(email);
  const names = [name, firstName, lastName, company].filter((text) => /[\p{L}\p{N}]{2}/u.test(text ?? ''));
  return [
    ...names.flatMap((text) => (text === undefined ? [] : typedFor(text))),
    ...(isAddress ? typedForAddress(email) : []),
    ...numbers,
  ];
}

function missed(leads: readonly { fields: Fields; typed?: readonly string[] }[]) {
  const searches = leads.flatMap(({ fields, typed = [] }) => {
    const finds = finderOf(fields);
    return [...new Set([...typedForLead(fields), ...typed])].map((text) => ({ fields, text, finds }));
  });
  const missing = searches.filter(({ text, finds }) => !finds(text));
  return {
    count: searches.length,
    missing: missing.map(({ fields, text }) => `${text} <- ${JSON.stringify(fields).slice(0, 120)}`),
  };
}

test('every plausible search by what a page shows finds the lead', () => {
  const { count, missing } = missed(SOUGHT);
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(300);
});

test.each(['development', 'held-out'])('every %s lead is found by each value that its page shows', (name) => {
  const file = new URL(`../../fixtures/leads/${name}.ndjson`, import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const { count, missing } = missed(lines.map((line) => ({ fields: JSON.parse(line).body })));
  expect(missing).toEqual([]);
  expect(count).toBeGreaterThan(500);
});
test.each([
  ['Ada Byron', { name: 'Ada Smith', company: 'Byte', email: 'ada@engines.example' }],
  ['mueller', { name: 'Miller', email: 'm@ller.example' }],
  ['030 1234568', { phone: '+49 30 1234567' }],
  ['C&A', { company: 'Bank of Bavaria' }],
  ['王', { name: '玉' }],
  ['bob@b.example', { email: 'job@bb.example' }],
])('%s does not find another', (typed, fields) => {
  expect(finderOf(fields)(typed)).toBe(false);
});
