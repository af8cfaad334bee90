import { expect, test } from '@jest/globals';
import type { Lead } from '../../console/src/api/types.ts';
import { leadFields } from '../../console/src/pages/leads/lead-fields.ts';
import {
  factName,
  factText,
  failureMeaning,
  sourceName,
  surfaceName,
} from '../../console/src/pages/leads/lead-words.ts';
import { nextSteps, type SteppedForm } from '../../console/src/pages/leads/next-steps.ts';
import { keepsFromClean, sortedSignals, weightText } from '../../console/src/pages/leads/signals.ts';

const LEAD: Lead = {
  leadId: 'lead-1',
  formId: 'form_1',
  receivedAt: '2026-11-15T12:00:00Z',
  surface: '1b',
  score: 80,
  clean: true,
  signals: [],
  body: '{}',
  enrichment: { state: 'pending' },
};

test('fields come in the order of the form, then as sent, with every digit', () => {
  const body =
    '{"9":"nine","name":"Ada","big":12345678901234567890.10,"tags":["a"],"mail":"a@b.co","__proto__":"p"}';
  const configured = [
    { key: 'mail', label: 'E-mail', role: undefined },
    { key: 'absent', label: 'Absent', role: undefined },
  ];
  const { fields, nested } = leadFields(body, configured);
  expect(fields.map(({ label, text }) => [label, text])).toEqual([
    ['E-mail', 'a@b.co'],
    ['9', 'nine'],
    ['name', 'Ada'],
    ['big', '12345678901234567890.10'],
    ['__proto__', 'p'],
  ]);
  expect(nested).toEqual(['tags']);
});

test('a body that is no object has no fields', () => {
  expect(leadFields('not json', [])).toEqual({ fields: [], nested: [] });
});

test('signals are sorted by how much they weigh, with a true minus', () => {
  const signals = [0, 5, -60, 50].map((weight) => ({ name: `w${weight}`, weight, explanation: '' }));
  expect(sortedSignals(signals).map(({ weight }) => weightText(weight))).toEqual(['−60', '+50', '+5', '+0']);
});

test('only what scoring holds against a lead keeps it from being clean', () => {
  expect(['probe', 'not_reachable'].map(keepsFromClean)).toEqual([true, true]);
  expect(['email_plausible', 'constructor', 'made_up'].map(keepsFromClean)).toEqual([false, false, false]);
});

test('names of facts read like words', () => {
  expect(
    ['phoneCountry', 'email', 'provider.jobTitle', 'provider.company_size', 'timeZone'].map(factName),
  ).toEqual(['Phone country', 'Email', 'Job title', 'Company size', 'Time zone']);
  expect([['mx1', 'mx2'], [], true, 7, 'x'].map(factText)).toEqual(['mx1, mx2', 'none', 'yes', '7', 'x']);
});

test('a name that is not known stands for itself', () => {
  expect([sourceName('dns'), sourceName('toString')]).toEqual(['DNS', 'toString']);
  expect(failureMeaning('constructor')).toBe('constructor');
  expect([surfaceName('1b'), surfaceName('3')]).toEqual(['Signed webhook (1b)', '3']);
});

test('next steps fit the lead', () => {
  const fields = [{ key: 'mail', label: undefined, role: undefined }];
  const form: SteppedForm = { formId: 'form_1', fields, archivedAt: undefined };
  const links = (lead: Partial<Lead>, of = form) =>
    nextSteps({ ...LEAD, ...lead }, of).map(({ href }) => href);
  expect(links({})).toEqual([]);
  expect(links({ test: true })).toEqual(['/forms/form_1/delivery']);
  expect(links({}, { ...form, fields: [] })).toEqual(['/forms/form_1']);
  const unreachable = { name: 'not_reachable', weight: 0, explanation: '' };
  expect(links({ signals: [unreachable] })).toEqual(['/forms/form_1']);
  expect(links({ test: true, signals: [unreachable] }, { ...form, archivedAt: LEAD.receivedAt })).toEqual([]);
});
