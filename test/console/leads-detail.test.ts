import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Lead } from '../../console/src/api/types.ts';
import {
  factName,
  factSource,
  factText,
  sourceName,
} from '../../console/src/pages/leads/detail/fact-words.ts';
import { findingText } from '../../console/src/pages/leads/detail/finding-text.ts';
import { formatJson, leadFields } from '../../console/src/pages/leads/detail/read-lead-body.ts';
import {
  failureMeaning,
  nextSteps,
  preventsClean,
  type SteppedForm,
  sortedSignals,
  topSignals,
  weightText,
} from '../../console/src/pages/leads/lead-words.ts';
import { leadAddress, leadsAddress } from '../../console/src/pages/leads/leads-navigation.ts';
import { ageText, surfaceName } from '../../console/src/shared/display-text.ts';
import { explainSignal } from '../../lambdas/scoring/signal-words.ts';

describe('a lead', () => {
  const LEAD: Lead = {
    submissionId: 'lead-1',
    formId: 'form_1',
    receivedAt: '2026-11-15T12:00:00Z',
    surface: '1b',
    score: 80,
    clean: true,
    status: 'new',
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

  test('invisible keys get a display name', () => {
    const { fields, nested } = leadFields('{"":"a"," ":"b","\\u200b":[],"x":{}}', []);
    expect(fields.map(({ label, text }) => [label, text])).toEqual([
      ['(no name)', 'a'],
      ['(blank name " ")', 'b'],
    ]);
    expect(nested).toEqual(['(blank name "\u200b")', 'x']);
  });

  test('a body that is not an object has no fields', () => {
    expect(leadFields('not json', [])).toEqual({ fields: [], nested: [] });
  });

  test('names what the browser SDK adds', () => {
    const { fields } = leadFields('{"form_elapsed_ms":2882,"website_confirm":"x"}', []);
    expect(fields.map(({ label }) => label)).toEqual(['Time until sent, in milliseconds', 'Hidden field']);
  });

  test('signals are sorted by absolute weight', () => {
    const signals = [0, 5, -60, 50].map((weight) => ({ name: `w${weight}`, weight, explanation: '' }));
    expect(sortedSignals(signals).map(({ weight }) => weightText(weight))).toEqual([
      '−60',
      '+50',
      '+5',
      '+0',
    ]);
  });

  test.each([
    ['learned', ['pergola', 'quote'], { title: 'Learned from your verdicts: pergola, quote' }],
    ['learned', [], { title: 'Learned from your verdicts' }],
    ['phone_valid', [], { title: 'Valid phone number' }],
    [
      'reads_like_offer',
      ['rank'],
      { title: 'Reads like an offer', meaning: 'Reads like an unsolicited offer: rank' },
    ],
  ])('the finding %s with the words %j reads %j', (name, words, text) => {
    expect(findingText({ name, explanation: explainSignal({ name, words }) })).toEqual(text);
  });

  test('the top signals are those that prevent a clean lead, then the heaviest', () => {
    const signals = [
      { name: 'email_plausible', weight: 50, explanation: '' },
      { name: 'email_disposable', weight: -40, explanation: '' },
      { name: 'not_reachable', weight: 0, explanation: '' },
      { name: 'name_plausible', weight: 10, explanation: '' },
    ];
    expect(topSignals(signals, 3).map(({ name }) => name)).toEqual([
      'not_reachable',
      'email_plausible',
      'email_disposable',
    ]);
  });

  test('only signals that count against a lead prevent it from being clean', () => {
    expect(['probe', 'not_reachable'].map(preventsClean)).toEqual([true, true]);
    expect(['email_plausible', 'constructor', 'made_up'].map(preventsClean)).toEqual([false, false, false]);
  });

  test('fact names become words', () => {
    expect(
      ['phoneCountry', 'email', 'provider.jobTitle', 'provider.company_size', 'timeZone'].map(factName),
    ).toEqual(['Phone country', 'Email', 'Job title', 'Company size', 'Time zone']);
    expect(factName('mailClass')).toBe('Email type');
    const values = [['mx1', 'mx2'], [], true, 7, 'x'];
    expect(values.map((value) => factText('provider.x', value))).toEqual([
      'mx1, mx2',
      'None',
      'Yes',
      '7',
      'x',
    ]);
  });

  test('known values get plain words, others are shown as they are', () => {
    expect(factText('phoneType', 'fixed_line_or_mobile')).toBe('Landline or mobile');
    expect(factText('phoneType', 'satellite')).toBe('satellite');
    expect(factText('phoneType', 'constructor')).toBe('constructor');
    expect(factText('mailClass', 'company')).toBe('Company email');
    expect(factText('mailClass', 'education')).toBe('School or university email');
    expect(factText('mailClass', 'internet-provider')).toBe('Internet provider email');
    expect(factText('company', 'company')).toBe('company');
    expect(factText('mailHosts', [])).toBe('None');
    expect(['de', 'xx', 'Klingon'].map((code) => factText('language', code))).toEqual([
      'German (de)',
      'xx',
      'Klingon',
    ]);
    expect(['DE', 'XX', 'Narnia'].map((code) => factText('country', code))).toEqual([
      'Germany (DE)',
      'XX',
      'Narnia',
    ]);
  });

  test('a website derived from an email domain names that source', () => {
    expect(factSource('companyWebsite', { source: 'mail-lists' })).toBe('Email domain');
    expect(factSource('companyWebsite', { source: 'body' })).toBe('Submission');
    expect(factSource('mailClass', { source: 'mail-lists' })).toBe('Email provider lists');
  });

  test('a fact that is only likely says so', () => {
    expect(factSource('country', { source: 'top-level-domain', confidence: 'low' })).toBe(
      'Country ending of the domain (low confidence)',
    );
  });

  test('unknown names are shown as they are', () => {
    expect([sourceName('dns'), sourceName('toString')]).toEqual(['DNS', 'toString']);
    expect(failureMeaning('constructor')).toBe('constructor');
    expect([surfaceName('1b'), surfaceName('3')]).toEqual(['Webhook', '3']);
  });

  test('its URL keeps the list that it was opened from', () => {
    const lead = { formId: 'form/1', submissionId: 'lead-1' };
    expect(leadAddress(lead, '')).toBe('/forms/form%2F1/leads/lead-1');
    expect(leadAddress(lead, 'q=ada&cursor=c')).toBe('/forms/form%2F1/leads/lead-1?q=ada&cursor=c');
    expect([leadsAddress(''), leadsAddress('q=ada')]).toEqual(['/leads', '/leads?q=ada']);
  });

  test('an age is short: minutes, hours, days, then the date', () => {
    const now = Date.parse('2026-11-15T12:00:00Z');
    const age = (at: string) => ageText(at, now, 'UTC');
    expect(age('2026-11-15T12:00:05Z')).toBe('now');
    expect(age('2026-11-15T11:59:01Z')).toBe('now');
    expect(age('2026-11-15T11:01:00Z')).toBe('59 min');
    expect(age('2026-11-14T12:00:01Z')).toBe('23 h');
    expect(age('2026-11-08T12:00:01Z')).toBe('6 d');
    expect(age('2026-11-08T12:00:00Z')).toMatch(/^(8 Nov|Nov 8)$/);
    expect(age('2025-12-31T23:59:59Z')).toMatch(/25/);
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
    expect(links({ test: true, signals: [unreachable] }, { ...form, archivedAt: LEAD.receivedAt })).toEqual(
      [],
    );
  });
});

describe('a formatted body', () => {
  test('is indented like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const written = JSON.stringify(value);
        expect(formatJson(written)).toBe(JSON.stringify(JSON.parse(written), null, 2));
      }),
    );
  });

  test('numbers keep every digit, repeated keys stay, and strings stay as written', () => {
    const body =
      '{"n":12345678901234567890.10,"e":1E+2,"a":1,"a":2,"s":"{\\"x\\": [1,\\u00e9]}  , ","__proto__":null}';
    const formatted = formatJson(body);
    expect(formatted).toContain('"n": 12345678901234567890.10,');
    expect(formatted).toContain('"e": 1E+2,');
    expect(formatted).toContain('"a": 1,\n  "a": 2,');
    expect(formatted).toContain('"s": "{\\"x\\": [1,\\u00e9]}  , "');
  });

  test('formatting deeply nested JSON adds little', () => {
    const deep = `{"d":${'['.repeat(60_000)}${']'.repeat(60_000)}}`;
    const formatted = formatJson(deep);
    expect(formatted.length).toBeLessThan(deep.length + 10_000);
    expect(formatted.replaceAll(/\s/g, '')).toBe(deep);
  });

  test('a long string of escapes is one token', () => {
    const body = JSON.stringify({ text: '"\\\n'.repeat(20_000) });
    expect(JSON.parse(formatJson(body))).toEqual(JSON.parse(body));
  });
});
