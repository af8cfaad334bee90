import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { floods, floodTable } from '../../bench/cost/flood.ts';
import { PRICES } from '../../bench/cost/prices.ts';

const [, section = ''] = readFileSync('SECURITY.md', 'utf8').split('\n## What a flood costs\n');
const text = section.split('\n## ')[0] ?? '';

test('SECURITY.md says what a flood costs and what stops it first', () => {
  const found = text.split('\n').filter((line) => line.startsWith('|'));
  // Paste what is expected here over the table there.
  expect(found.join('\n')).toBe(floodTable());
});

test('SECURITY.md says what one address costs if blocked requests are free', () => {
  const [fromOneAddress] = floods();
  const perDay = (rate: number) => (fromOneAddress?.dollars(rate) ?? Number.NaN) * 86_400;
  const blockedPerSecond = 10_000 - 10_000 / 60;
  const without = perDay(10_000) - blockedPerSecond * PRICES.restRequest * 86_400;
  const shown = Number(without.toPrecision(2)).toLocaleString('en');
  expect(text).toContain(`10,000 requests per second from one address cost ${shown} dollars per day`);
});

describe.each(floods())('a flood of $target', ({ dollars }) => {
  test('costs more the larger it is, and never more per request', () => {
    const rates = [1, 50, 100, 1_000, 5_000, 10_000, 100_000];
    for (const [index, rate] of rates.entries()) {
      const before = rates[index - 1];
      if (before === undefined) continue;
      expect(dollars(rate)).toBeGreaterThan(dollars(before));
      expect(dollars(rate) / rate).toBeLessThanOrEqual((dollars(before) / before) * (1 + 1e-9));
    }
  });
});
