import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LeadFields } from '#model/lead-fields.ts';
import { foldText, MAX_CHARACTERS, MAX_ENTRIES, readLead } from '#scoring/lead-text.ts';
import { OFFERS, OFFERS_ELSEWHERE } from '#scoring/lexicon-offers.ts';
import { indexLexicons, Phrases } from '#scoring/lookups.ts';
import { scoreLead } from '#scoring/score-lead.ts';

const HOSTILE: Record<string, (size: number) => LeadFields> = {
  'many keys': (size) => Object.fromEntries(Array.from({ length: size / 10 }, (_, i) => [`k${i}`, 'v'])),
  'one giant string': (size) => ({ message: 'a'.repeat(size) }),
  'deep nesting': (size) => JSON.parse(`{"a":${'['.repeat(size / 4)}${']'.repeat(size / 4)}}`),
  'wide arrays': (size) => ({ a: Array.from({ length: size / 4 }, () => 'we offer') }),
  digits: (size) => ({ phone: '1'.repeat(size), message: '0'.repeat(size) }),
  'at signs': (size) => ({ email: '@'.repeat(size), message: 'a@'.repeat(size / 2) }),
  links: (size) => ({ message: 'http://'.repeat(size / 7), website: 'http://'.repeat(size / 7) }),
  'long words': (size) => ({ name: 'xq'.repeat(size / 2), company: '.'.repeat(size) }),
  unicode: (size) => ({ name: '\ufdfa'.repeat(size / 3), message: 'ễ한\ud800'.repeat(size / 9) }),
};

describe('whatever a body holds', () => {
  const anything = fc.dictionary(
    fc.oneof(
      fc.string(),
      fc.constantFrom('email', 'phone', 'name', 'message', 'hp', 'country', 'website', '__proto__'),
    ),
    fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.string({ maxLength: 3_000 }),
      fc.constant('\ud800'),
    ),
  );

  test('scoring never throws, and its result is complete', () => {
    fc.assert(
      fc.property(anything, (fields) => {
        const { score, grade, clean, signals } = scoreLead(fields);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
        expect('ABCD').toContain(grade);
        expect(typeof clean).toBe('boolean');
        expect(signals.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  test.each(Object.entries(HOSTILE))('%s: a bounded part of it is looked at', (_, make) => {
    for (const size of [32_768, 65_536, 131_072]) {
      const entries = readLead(make(size));
      expect(entries.length).toBeLessThanOrEqual(MAX_ENTRIES);
      expect(entries.reduce((sum, { value }) => sum + value.length, 0)).toBeLessThanOrEqual(MAX_CHARACTERS);
      expect(scoreLead(make(size)).clean).toBe(false);
    }
  });

  test('10,000 keys do not push configured fields out of sight', () => {
    const padding = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, 'x']));
    const lead = { ...padding, e: 'ada@analytical-engines.co.uk' };
    expect(scoreLead(lead, [{ key: 'e', role: 'email' }]).signals.map(({ name }) => name)).toContain(
      'email_plausible',
    );
  });
});

describe('work grows with the text and no faster', () => {
  const phrases = new Phrases(() => indexLexicons({ offer: OFFERS + OFFERS_ELSEWHERE }));
  const steps = (text: string) => {
    const work = { steps: 0 };
    phrases.findIn(foldText(text), work);
    return work.steps;
  };

  test.each(['we offer your website ', '我们提供', 'ww', 'на вашем сайте ', 'نقدم لكم ', 'www.'])(
    '%s, doubled',
    (unit) => {
      const half = steps(unit.repeat(500 / unit.length));
      const whole = steps(unit.repeat(1_000 / unit.length));
      expect(whole).toBeLessThanOrEqual(2.2 * half + 200);
    },
  );
});

describe('no regular expression backtracks', () => {
  const FOLDER = resolve(import.meta.dirname, '../../../lambdas/scoring');
  const LITERAL =
    /(?<=[=(:,?&|!\s])\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/[dgimsuvy]*(?=[\s.,;)\]])/g;
  const literals = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ts') && !/lexicon|domains|metadata/.test(file))
    .flatMap((file) => {
      const code = readFileSync(resolve(FOLDER, file), 'utf8').replace(/^\s*(\/\*\*.*|\*.*|\/\/.*)$/gm, '');
      return [...code.matchAll(LITERAL)].map((match) => [file, match[1] as string] as const);
    });

  test('they are found at all', () => {
    expect(literals.length).toBeGreaterThan(40);
  });

  // A bounded repetition costs at most its bound at each place. An unbounded one is allowed only as a whole pattern of
  // one class, which matches or fails at once, or behind an anchor.
  test.each(literals)('%s: %s', (_, source) => {
    const bare = source.replace(/\\./g, 'e').replace(/\[[^\]]*\]/g, 'C');
    const unbounded = bare.match(/[*+]|\{\d+,\}/g) ?? [];
    const oneClass = /^\^?(?:C|e)\+\$?$/.test(bare);
    const anchored = bare.startsWith('^') && unbounded.length <= 3 && !/[*+]\)[*+{]/.test(bare);
    expect(unbounded.length === 0 || oneClass || anchored).toBe(true);
    // No repetition of a group that itself repeats without a small bound.
    expect(bare).not.toMatch(/[*+]\)[*+]|,\}\)[*+]/);
    const bounds = [...bare.matchAll(/\{\d+,(\d+)\}/g)].map((match) => Number(match[1]));
    expect(Math.max(0, ...bounds)).toBeLessThanOrEqual(253);
  });
});
