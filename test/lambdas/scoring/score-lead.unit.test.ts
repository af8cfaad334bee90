import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { LeadFields } from '#model/lead-fields.ts';
import { KEY_REUSED, REASONS } from '#model/reasons.ts';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { foldText, MAX_CHARACTERS, MAX_ENTRIES, readLead } from '#scoring/lead-text.ts';
import { SAYS_TEST } from '#scoring/lists.ts';
import { indexLexicons, Phrases } from '#scoring/lookups.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { explainSignal, SIGNAL_MEANINGS } from '#scoring/signal-words.ts';
import { type SignalName, WEIGHTS } from '#scoring/weights.ts';
import { anyText } from '../../any-text.ts';

const FOLDER = resolve(import.meta.dirname, '../../fixtures/leads');
const read = (part: string) => readFileSync(resolve(FOLDER, `${part}.ndjson`), 'utf8');

test('the held-out leads are unchanged', () => {
  expect(createHash('sha256').update(read('held-out')).digest('hex')).toBe(
    '886a8deb29a0660e831051f1600dbb98a409b573e5b1dd1e36292e0dcda9a028',
  );
});

/** Work on speed and size must not change a score. After changing a rule on purpose: `npm run test:unit -- -u`. */
test('each development lead scores as it did, by the same signals', () => {
  const scores = read('development')
    .trim()
    .split('\n')
    .map((line) => {
      const { id, body, fields } = JSON.parse(line);
      const { score, grade, signals } = scoreLead(body, fields);
      return `${id} ${score} ${grade} ${signals.map(({ name, weight }) => `${name} ${weight}`).join(', ')}`;
    });
  expect(scores.length).toBeGreaterThan(200);
  expect(scores.join('\n')).toMatchSnapshot();
});

describe('a lead', () => {
  const GOOD = { name: 'Ada Byron', email: 'ada@analytical-engines.co.uk', message: 'Do you repair looms?' };
  const FORM = [{ key: 'name' }, { key: 'email' }, { key: 'message' }];

  test('is complete if it has the fields of the form', () => {
    expect(scoreLead(GOOD, FORM).signals).toContainEqual({ name: 'complete', weight: WEIGHTS.complete[0] });
    expect(scoreLead({ email: GOOD.email }, FORM).signals).toContainEqual({
      name: 'incomplete',
      weight: WEIGHTS.incomplete[0],
    });
  });

  test('has a valid national number if the context says in which country', () => {
    const lead = { phone: '020 7946 0733' };
    expect(scoreLead(lead, [], { country: 'GB' }).signals).toContainEqual({
      name: 'phone_valid',
      weight: WEIGHTS.phone_valid[0],
    });
  });

  test('that is never clean gets grade D', () => {
    expect(scoreLead({ ...GOOD, _gotcha: 'x' })).toMatchObject({ clean: false, grade: 'D' });
  });
});

test('docs/scoring.md shows the table of weights, row by row', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../../docs/scoring.md'), 'utf8');
  const shown = [...text.matchAll(/^\| `(\w+)` +\| +(-?\d+) +\| (.*?) *\| (.*?) *\|$/gm)].map((match) =>
    match.slice(1, 5),
  );
  const inCode = Object.entries(WEIGHTS).map(([name, [weight, verdict]]) => [
    name,
    String(weight),
    verdict === 'never clean' ? 'never' : '',
    SIGNAL_MEANINGS[name as SignalName],
  ]);
  expect(shown).toEqual(inCode);
});

const signals = Object.keys(WEIGHTS);

test('every signal has a unique explanation', () => {
  const explanations = signals.map((name) => explainSignal({ name }));
  expect(
    explanations.filter((text) => text.trim() === '' || text === explainSignal({ name: 'unheard of' })),
  ).toEqual([]);
  expect(new Set(explanations).size).toBe(signals.length);
});

test.each(['unheard_of', 'toString', '__proto__', ''])(
  'an unknown signal %p is described as one of an earlier scoring',
  (name) => {
    expect(explainSignal({ name })).toBe('Found by an earlier scoring');
  },
);

test('the guide has exactly the reasons, in the order in which they are checked', () => {
  expect(Object.keys(REASON_GUIDE)).toEqual([...REASONS, KEY_REUSED]);
});

test.each(Object.entries(REASON_GUIDE))(
  '%s is explained in whole sentences',
  (reason, { title, meaning, remedy }) => {
    expect(title).toMatch(/^[A-Z].{4,40}[^.]$/);
    for (const text of [meaning, remedy]) expect(text).toMatch(/^[A-Z].{20,250}\.$/);
    expect(title + meaning + remedy).not.toContain(reason);
  },
);

test('no two reasons have the same text', () => {
  for (const part of ['title', 'meaning', 'remedy'] as const) {
    expect(new Set(Object.values(REASON_GUIDE).map((guide) => guide[part])).size).toBe(REASONS.length + 1);
  }
});

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
    fc.oneof(fc.jsonValue(), anyText(), fc.string({ maxLength: 3_000 }), fc.constant('\ud800')),
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
  const phrases = new Phrases(() => indexLexicons({ test: SAYS_TEST }));
  const steps = (text: string) => {
    const work = { steps: 0 };
    phrases.findIn(foldText(text), work);
    return work.steps;
  };

  test.each(['this is a test ', '这是测试', 'tt', 'это просто тест ', 'هذا اختبار ', 'test.'])(
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
