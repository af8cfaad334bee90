import { afterAll, describe, expect, test } from '@jest/globals';
import { isRateLimit, type Reason } from '#model/reasons.ts';
import { hourOf } from '#model/time-buckets.ts';
import { InvalidRange } from '#owner-api/errors.ts';
import { counterName } from '#rejections/diagnostics-items.ts';
import { sumBy } from '#rejections/rejection-counts.ts';
import { patience } from '../leads/lead-fixture.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  NOW,
  newWorkspace,
  openRejectionFixture,
  rejection,
} from './rejection-fixture.ts';

const fixture = await openRejectionFixture();
const { reader, recordAll, writeAll } = fixture;

afterAll(fixture.close);

describe('the counts of rejections', () => {
  test('are those that were recorded, by time, surface, form and reason, with rate limits separate', async () => {
    const [workspaceId, stranger] = [newWorkspace(), newWorkspace()];
    const reasons: Reason[] = ['token_revoked', 'rate_limited_minute', 'rate_limited_day', 'body_not_object'];
    const recorded = Array.from({ length: 240 }, (_, n) =>
      rejection(NOW - n * 97_000, reasons[n % 4] as Reason, {
        surface: n % 3 === 0 ? '1b' : '1a',
        formId: n % 5 === 0 ? undefined : `form_${n % 2}`,
      }),
    );
    await recordAll(recorded, [workspaceId]);
    await fixture.record(rejection(NOW, 'internal_error'), [stranger]);
    const range = { from: NOW - 5 * HOUR, to: NOW - HOUR };
    const inRange = recorded.filter(({ atMilliseconds: at }) => {
      const minute = Math.floor(at / MINUTE) * MINUTE;
      return minute >= Math.floor(range.from / MINUTE) * MINUTE && minute < range.to;
    });
    for (const bucket of ['minute', 'hour'] as const) {
      const summary = await reader.summary({ workspaceId, bucket, ...range }, patience());
      const size = bucket === 'minute' ? MINUTE : HOUR;
      for (const [counts, limited] of [
        [summary.rateLimited, true],
        [summary.rejected, false],
      ] as const) {
        const expected = inRange.filter(({ reason }) => isRateLimit(reason as Reason) === limited);
        const keyOf = (at: number, each: { surface: string; formId?: string | undefined; reason: string }) =>
          [at, each.surface, each.formId, each.reason].join();
        expect(counts.total).toBe(expected.length);
        expect(tally(counts.counts.map((each) => [keyOf(Date.parse(each.at), each), each.count]))).toEqual(
          tally(expected.map((each) => [keyOf(Math.floor(each.atMilliseconds / size) * size, each), 1])),
        );
      }
      expect(summary).toMatchObject({
        from: '2026-11-15T07:30:00Z',
        to: '2026-11-15T11:31:00Z',
        truncated: false,
        completeFrom: '2026-11-15T07:30:00Z',
      });
      expect(
        sumBy(summary.rateLimited.counts, 'reason')
          .map(({ value }) => value)
          .sort(),
      ).toEqual(['rate_limited_day', 'rate_limited_minute']);
    }
  });

  test('take two queries for a month, without expired ones', async () => {
    const workspaceId = newWorkspace();
    await fixture.record(rejection(NOW - 30 * DAY - HOUR, 'token_revoked'), [workspaceId]);
    await fixture.record(rejection(NOW - 30 * DAY + HOUR, 'token_revoked'), [workspaceId]);
    fixture.calls.reset();
    const range = { from: NOW - 31 * DAY, to: NOW };
    const summary = await reader.summary({ workspaceId, bucket: 'hour', ...range }, patience());
    expect(summary.rejected.total).toBe(1);
    expect(fixture.calls.commands()).toEqual(['Query', 'Query']);
    expect(fixture.calls.inSequence()).toBe(1);
  });

  test('say from when they are complete if there are too many to count', async () => {
    const workspaceId = newWorkspace();
    const forms = 20;
    const everyMinute = Object.fromEntries(
      Array.from({ length: 60 }, (_, minute) => [counterName(new Date(minute * MINUTE).toISOString()), 2]),
    );
    const hours = Array.from({ length: 24 * forms }, (_, n) => ({
      workspaceId,
      expiresAt: NOW / 1000 + 1_000,
      ...everyMinute,
      sk: `rejected#${hourOf(NOW - Math.floor(n / forms) * HOUR)}#1a#form_${n % forms}#body_not_object#a0`,
    }));
    await writeAll(hours);
    const range = { from: NOW - DAY + HOUR, to: NOW + MINUTE };
    const summary = await reader.summary({ workspaceId, bucket: 'minute', ...range }, patience());
    // 32 minutes of this hour and 16 whole hours; of the hour before, only three forms are counted.
    expect(summary).toMatchObject({ truncated: true, completeFrom: '2026-11-14T20:00:00Z' });
    const counted = summary.rejected.counts.filter(({ at }) => at >= summary.completeFrom);
    expect(counted).toHaveLength((16 * 60 + 32) * forms);
    expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThan(3_000_000);
    const hourly = await reader.summary({ workspaceId, bucket: 'hour', ...range }, patience());
    expect(hourly).toMatchObject({ truncated: false, rejected: { total: (23 * 60 + 2) * forms * 2 } });
  });

  test.each<['minute' | 'hour', number, number]>([
    ['minute', NOW - DAY - 1, NOW],
    ['hour', NOW - 31 * DAY - 1, NOW],
    ['hour', NOW, NOW],
    ['hour', NOW, NOW - 1],
    ['hour', Number.NaN, NOW],
    ['hour', NOW, Number.POSITIVE_INFINITY],
    ['hour', -1, 5],
  ])('by %s reject the range from %p to %p', async (bucket, from, to) => {
    const request = { workspaceId: newWorkspace(), bucket, from, to };
    await expect(reader.summary(request, patience())).rejects.toThrow(InvalidRange);
  });
});

function tally(entries: readonly (readonly [string, number])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [key, count] of entries) sums.set(key, (sums.get(key) ?? 0) + count);
  return sums;
}
