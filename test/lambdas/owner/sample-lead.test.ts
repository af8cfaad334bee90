import { expect, test } from '@jest/globals';
import { scoreLead } from '#scoring/score-lead.ts';
import { sampleLead } from '#settings/leads/sample-lead.ts';

const keysAndValues = (...fields: Parameters<typeof sampleLead>[0] & object) =>
  Object.entries(sampleLead(fields));

test('a form without configured fields gets what most forms have', () => {
  expect(Object.keys(sampleLead())).toEqual(['name', 'email', 'company', 'message']);
  expect(sampleLead([])).toEqual(sampleLead());
});

test('fields come in their order, by role, by key or by label', () => {
  expect(
    keysAndValues(
      { key: 'q1', role: 'phone' },
      { key: 'workEmail' },
      { key: 'company_name' },
      { key: 'Full Name' },
      { key: 'budget', label: 'Your budget' },
      { key: 'colour' },
    ),
  ).toEqual([
    ['q1', '+44 20 7946 0958'],
    ['workEmail', 'ada.byron@example.com'],
    ['company_name', 'Example Company'],
    ['Full Name', 'Ada Byron'],
    ['budget', 'Sample of Your budget'],
    ['colour', 'Sample of colour'],
  ]);
});

test('a role goes before what the key looks like, and one of another time is no role', () => {
  expect(keysAndValues({ key: 'email', role: 'message' })[0]?.[1]).toMatch(/^Sent from/);
  expect(keysAndValues({ key: 'email', role: 'toString' })[0]?.[1]).toMatch(/@example\.com$/);
});

test('honeypots stay empty, and the mark of a test is not ours to fill', () => {
  expect(keysAndValues({ key: 'url2', role: 'honeypot' }, { key: '_test' }, { key: 'a' })).toEqual([
    ['a', 'Sample of a'],
  ]);
});

test('`__proto__` is a field like any other', () => {
  expect(JSON.stringify(sampleLead([{ key: '__proto__' }]))).toBe('{"__proto__":"Sample of __proto__"}');
});

test('a sample is seen through, and so costs no enrichment', () => {
  const { clean, signals } = scoreLead({ ...sampleLead(), _test: true });
  expect(clean).toBe(false);
  expect(signals.map(({ name }) => name)).toContain('test_address');
});
