import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { KEY_REUSED, REASONS } from '#model/reasons.ts';
import { REASON_GUIDE } from '#rejections/reason-guide.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { explainSignal, SIGNAL_MEANINGS } from '#scoring/signal-words.ts';
import { type SignalName, WEIGHTS } from '#scoring/weights.ts';

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

  test('with good details is clean and scores well', () => {
    const lead = { name: 'Ada Byron', email: 'ada@analytical-engines.co.uk', company: 'Analytical Engines' };
    expect(scoreLead(lead)).toMatchObject({ clean: true, grade: 'B' });
    expect(scoreLead({ ...lead, message: 'Do you repair looms?' })).toMatchObject({
      clean: true,
      grade: 'A',
    });
  });

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
