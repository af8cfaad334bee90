import { describe, expect, test } from '@jest/globals';
import { scoreLead } from '#scoring/score-lead.ts';
import { type LabelledLead, readEarlierLeads, readLabelledLeads } from '../../training/labelled-leads.ts';
import { calibration, measure } from '../../training/measure-scoring.ts';

const judge = ({ label, body, fields }: LabelledLead) => ({
  good: label === 'good',
  ...scoreLead(body, fields),
});

describe('on leads that nothing was learned from', () => {
  const held = [...readEarlierLeads('held-out'), ...readLabelledLeads('held-out')].map(judge);

  // By chance, each interval of 95 % is wrong once in twenty times: of ten, one may be.
  test('the score means what it says, in all tenths of the scale but one', () => {
    expect(calibration(held).filter(({ agrees }) => !agrees).length).toBeLessThanOrEqual(1);
  });

  // Goals that are met; npm run score:report prints all of them.
  test('good leads rank above bad ones, and few bad ones are clean', () => {
    const { auc, badCaught, precisionAtFourFifths, badGradedA } = measure(held);
    expect(auc).toBeGreaterThanOrEqual(0.97);
    expect(badCaught).toBeGreaterThanOrEqual(0.92);
    expect(precisionAtFourFifths).toBeGreaterThanOrEqual(0.75);
    expect(badGradedA).toBeLessThanOrEqual(0.02);
  });

  test('score and verdict agree', () => {
    expect(held.filter(({ clean, score }) => clean && score < 40)).toEqual([]);
    expect(held.filter(({ clean, score }) => !clean && score > 60)).toEqual([]);
    expect(held.filter(({ clean, grade }) => clean === (grade === 'D'))).toEqual([]);
  });
});

describe('on hard cases that nothing was learned from', () => {
  const hard = readLabelledLeads('hard-facts');
  const isRight = ({ label, body }: (typeof hard)[number]) => scoreLead(body).clean === (label === 'good');

  test('nearly all are right', () => {
    expect(hard.filter(isRight).length / hard.length).toBeGreaterThanOrEqual(0.94);
  });

  test.each(['spaced-letters', 'zero-width', 'homoglyphs', 'www-appended'])('%s hides nothing', (kind) => {
    const leads = hard.filter((lead) => lead.kind === kind);
    expect(leads.length).toBeGreaterThan(10);
    expect(leads.filter((lead) => !isRight(lead)).length).toBeLessThanOrEqual(1);
  });
});
