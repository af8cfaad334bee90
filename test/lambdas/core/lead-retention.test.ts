import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { acceptanceExpiry } from '#submission/idempotency-key.ts';
import { hasExpired, keptUntil, leadExpiry, RETENTION_DAYS } from '#submission/lead-item.ts';

const RECEIVED = Date.parse('2026-11-15T12:00:00.001Z');
const DAY = 24 * 60 * 60 * 1000;

describe('a lead that is kept for a time', () => {
  test('is never kept for less than was promised, and at most for a second more', () => {
    const moments = fc.integer({ min: 0, max: 4_102_444_800_000 });
    const days = fc.integer({ min: RETENTION_DAYS.min, max: RETENTION_DAYS.max });
    fc.assert(
      fc.property(moments, days, (receivedAt, kept) => {
        const item = { expiresAt: leadExpiry(receivedAt, kept) };
        expect(hasExpired(item, receivedAt + kept * DAY - 1)).toBe(false);
        expect(hasExpired(item, receivedAt + kept * DAY + 999)).toBe(true);
      }),
    );
  });

  test('outlives its idempotency key, or goes with it', () => {
    expect(leadExpiry(RECEIVED, RETENTION_DAYS.min)).toBeGreaterThanOrEqual(acceptanceExpiry(RECEIVED));
  });

  test('tells until when, in words of ISO 8601', () => {
    expect(keptUntil(leadExpiry(RECEIVED, 30))).toBe('2026-12-15T12:00:01.000Z');
  });
});

test.each([{}, { expiresAt: undefined }, { expiresAt: '0' }])('%j is kept for ever', (item) => {
  expect(hasExpired(item, Number.MAX_SAFE_INTEGER)).toBe(false);
});
