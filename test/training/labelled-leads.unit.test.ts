import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readLabelledLeads, shinglesOf } from '../../training/labelled-leads.ts';
import { calibration, type Judged, measure } from '../../training/measure-scoring.ts';

const [held, training] = [
  [...readLabelledLeads('held-out'), ...readLabelledLeads('hard-facts')],
  readLabelledLeads('training'),
];

describe('labelled leads', () => {
  test('are at least 10,000 in twelve languages, half of them good', () => {
    const all = [...held, ...training];
    expect(all.length).toBeGreaterThanOrEqual(10_000);
    const languages = Object.entries(Object.groupBy(all, ({ language }) => language));
    expect(languages.filter(([, leads = []]) => leads.length >= 40).length).toBeGreaterThanOrEqual(12);
    const good = all.filter(({ label }) => label === 'good').length;
    expect(good / all.length).toBeGreaterThan(0.48);
    expect(good / all.length).toBeLessThan(0.52);
    // One expectation for all of them: ten thousand would take seconds.
    const isWhole = ({ label, body }: (typeof all)[number]) =>
      ['good', 'bad'].includes(label) && Object.keys(body).length > 0;
    expect(all.filter((lead) => !isWhole(lead))).toEqual([]);
  });

  test('are held out by batch, about a fifth of them', () => {
    expect(held.length / (held.length + training.length)).toBeGreaterThan(0.18);
    const heldOut = new Set(held.map(({ batch }) => batch));
    expect(heldOut.size).toBe(31);
    expect(training.filter(({ batch }) => heldOut.has(batch))).toEqual([]);
  });

  test('that are held out are unchanged', () => {
    const file = join(import.meta.dirname, '../../training/leads/held-out.jsonl');
    // The leads as their authors wrote them, before their batch was added to each line.
    const written = readFileSync(file, 'utf8').replaceAll(/^\{"batch":"batch-\d+",/gm, '{');
    expect(createHash('sha256').update(written).digest('hex')).toBe(
      'f38aef72e9c0700dc0b4e442253fce159269f6a6fc4ac7030eff702a3c147173',
    );
    const facts = join(import.meta.dirname, '../../training/leads/hard-facts.jsonl');
    expect(createHash('sha256').update(readFileSync(facts)).digest('hex')).toBe(
      '91e1e0cd11af5ba365c3f3dfef2b790de83ff8464c66390a7652bacc6a123ae1',
    );
  });

  test('of the two parts are not nearly the same', () => {
    const ours = held.map((lead) => ({ lead, shingles: shinglesOf(lead) }));
    const having = new Map<string, typeof ours>();
    for (const own of ours) {
      for (const shingle of own.shingles) {
        const found = having.get(shingle);
        if (found) found.push(own);
        else having.set(shingle, [own]);
      }
    }
    const alike = training.flatMap((other) => {
      const theirs = shinglesOf(other);
      const common = new Map<(typeof ours)[number], number>();
      for (const shingle of theirs) {
        for (const own of having.get(shingle) ?? []) common.set(own, (common.get(own) ?? 0) + 1);
      }
      // The share of what they have in common (Jaccard).
      return [...common]
        .filter(([{ shingles }, count]) => count / (theirs.size + shingles.size - count) > 0.5)
        .map(([{ lead }]) => `${lead.batch}:${lead.line} and ${other.batch}:${other.line}`);
    });
    expect(alike).toEqual([]);
  });
});

describe('measuring', () => {
  const judged = (good: boolean, score: number): Judged => ({ good, score, clean: score >= 50, grade: 'B' });

  test('ranks, keeps and catches', () => {
    const leads = [
      judged(true, 90),
      judged(true, 60),
      judged(true, 40),
      judged(false, 60),
      judged(false, 10),
    ];
    const { auc, goodKept, badCaught, precisionAtFourFifths } = measure(leads);
    // Of six pairs the good lead wins four, loses one and ties one.
    expect(auc).toBeCloseTo(4.5 / 6);
    expect(goodKept).toBeCloseTo(2 / 3);
    expect(badCaught).toBeCloseTo(1 / 2);
    expect(precisionAtFourFifths).toBeCloseTo((0.2 * 2) / 3 / ((0.2 * 2) / 3 + 0.8 / 2));
  });

  test('finds a score that means what it says, and one that does not', () => {
    const honest = Array.from({ length: 1_000 }, (_, n) => judged(n % 100 < n / 10, Math.floor(n / 10)));
    expect(calibration(honest).every(({ agrees }) => agrees)).toBe(true);
    const boastful = Array.from({ length: 200 }, (_, n) => judged(n % 2 === 0, 95));
    expect(calibration(boastful)[9]).toMatchObject({ leads: 200, goodShare: 0.5, agrees: false });
  });
});
