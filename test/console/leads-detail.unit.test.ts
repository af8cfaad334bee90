import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatJson, leadFields } from '../../console/src/pages/leads/detail/read-lead-body.ts';
import {
  preventsClean,
  sortedSignals,
  topSignals,
  weightText,
} from '../../console/src/pages/leads/lead-words.ts';
import { ageText } from '../../console/src/shared/display-text.ts';

describe('a lead', () => {
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

  test('signals are sorted by absolute weight', () => {
    const signals = [0, 5, -60, 50].map((weight) => ({ name: `w${weight}`, weight, explanation: '' }));
    expect(sortedSignals(signals).map(({ weight }) => weightText(weight))).toEqual([
      '−60',
      '+50',
      '+5',
      '+0',
    ]);
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
});
