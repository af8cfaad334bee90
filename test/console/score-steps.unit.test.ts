import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scoreSteps, shortened, whyClean } from '../../console/src/pages/leads/detail/score-steps.ts';
import { scoreLead } from '../../lambdas/scoring/score-lead.ts';
import { explainSignal } from '../../lambdas/scoring/signal-words.ts';

type Scored = Parameters<typeof scoreSteps>[0];

/** As the API shows it. */
function scored(fields: Record<string, unknown>): Scored {
  const { score, signals } = scoreLead(fields);
  return {
    score,
    signals: signals.map((signal) => ({
      name: signal.name,
      weight: signal.weight,
      explanation: explainSignal(signal),
    })),
  };
}

const ADA = {
  name: 'Ada Byron',
  email: 'ada@analytical-engines.co.uk',
  company: 'Analytical Engines',
  message: 'We would like a quote for 40 seats, starting in March.',
};

const signal = (name: string, weight: number) => ({ name, weight, explanation: name });

describe('the steps of a score', () => {
  test('add up to any score, also shortened, and also if it was made by other rules', () => {
    const weights = fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 20 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 0, max: 100 }), (given, score) => {
        const { steps } = scoreSteps({ score, signals: given.map((weight, at) => signal(`s${at}`, weight)) });
        for (const shown of [steps, shortened(steps, 5)]) {
          expect(shown.reduce((sum, { from, to }) => sum + to - from, 50)).toBe(score);
        }
        expect(shortened(steps, 5).length).toBeLessThanOrEqual(6);
      }),
    );
  });

  test('are what scoring does with the points, if nothing limits the score', () => {
    const names = scoreSteps(scored(ADA)).steps.map(({ name }) => name);
    expect(names).not.toContain('rest');
    expect(names[0]).toBe('reads_like_request');
  });

  test('end with the limit of a finding that rules out a clean lead', () => {
    const signals = [signal('reads_like_request', 40), signal('test_address', -24)];
    const { steps } = scoreSteps({ score: 9, signals });
    expect(steps.at(-1)).toMatchObject({
      name: 'rest',
      to: 9,
      title: expect.stringMatching(/^Limit, because of: /),
    });
    expect(steps.some(({ neverClean }) => neverClean)).toBe(true);
  });
});

describe('why a lead is clean or not', () => {
  const lead = { clean: false, score: 20, signals: [] } as const;
  const review = { at: '2026-11-15T12:00:00Z' };

  test.each([
    [
      'your verdict',
      { ...lead, sender: 'trusted', review: { ...review, verdict: 'spam' } },
      /marked it as spam/,
    ],
    ['your verdict', { ...lead, clean: true, review: { ...review, verdict: 'good' } }, /^Clean, .* not spam/],
    ['a blocked sender', { ...lead, score: 90, sender: 'blocked' }, /^Not clean, .* blocked/],
    ['a trusted sender', { ...lead, clean: true, sender: 'trusted' }, /^Clean, .* trusted/],
    ['a veto', { ...lead, score: 9, signals: [signal('honeypot_filled', -35)] }, /always rules it out: /],
    ['a low score', lead, /^Not clean, because the score is below 40\.$/],
    ['the score', { ...lead, clean: true, score: 40 }, /^Clean, because the score is at least 40/],
    ['older rules', { ...lead, score: 40 }, /^Not clean by the rules at that time\.$/],
  ] as const)('is said in one sentence: %s', (_, given, sentence) => {
    expect(whyClean({ ...given, signals: [...given.signals] }, 40)).toMatch(sentence);
  });
});
