import { describe, expect, test } from '@jest/globals';
import { InvalidRange } from '#owner-api/errors.ts';
import { makeLeadStats, makeStatsReader } from '#stats/stats-store.ts';
import {
  leadsOf,
  newOwner,
  openLeadOwnerFixture,
  patience,
  secondsAfterStart,
} from '../leads/lead-fixture.ts';

const fixture = openLeadOwnerFixture();
const reader = makeStatsReader(fixture);
const stats = makeLeadStats({ client: fixture.writer, tables: fixture.tables });
const HOUR = 60 * 60;

describe('the counts of leads', () => {
  test('are what the stream counted, by hour or day and form', async () => {
    const [owner, stranger] = [newOwner(), newOwner()];
    const second = { ...owner, formId: newOwner().formId };
    const spread = (n: number) => ({
      receivedAt: new Date(secondsAfterStart(n * 1_200)).toISOString(),
      score: n % 100,
      clean: n % 4 === 0,
    });
    const leads = [...leadsOf(owner, 150, spread), ...leadsOf(second, 6, spread)];
    const sequenced = [...leads, ...leadsOf(stranger, 4, spread)].map((lead, index) => ({
      ...lead,
      sequence: String(index).padStart(40, '0'),
    }));
    await stats.count({ streamArn: 'arn', shardId: owner.workspaceId }, sequenced, patience());

    fixture.calls.reset();
    const range = { from: secondsAfterStart(HOUR), to: secondsAfterStart(49 * HOUR) };
    const byHour = await reader.summary({ ...owner, bucket: 'hour', ...range }, patience());
    expect(fixture.calls.commands()).toEqual(['Query']);
    const inRange = leads.filter(({ receivedAt }) => {
      const at = Date.parse(receivedAt);
      return at >= range.from && at < range.to;
    });
    expect(byHour).toMatchObject({
      from: '2026-03-01T01:00:00Z',
      to: '2026-03-03T01:00:00Z',
      truncated: false,
      total: { accepted: inRange.length, clean: inRange.filter(({ clean }) => clean).length },
    });
    expect(byHour.total.bands).toEqual(
      [0, 20, 40, 60, 80].map(
        (from) => inRange.filter(({ score }) => score >= from && score < from + 20).length,
      ),
    );
    expect(byHour.counts.length).toBe(48 + 1);
    expect(byHour.counts.find(({ formId }) => formId === second.formId)).toEqual({
      at: '2026-03-01T01:00:00Z',
      formId: second.formId,
      accepted: 3,
      clean: 1,
      bands: [3, 0, 0, 0, 0],
    });

    const byDay = await reader.summary({ ...owner, bucket: 'day', ...range }, patience());
    expect(byDay.total).toEqual(byHour.total);
    expect(byDay.counts.map(({ at, accepted }) => [at, accepted])).toEqual([
      ['2026-03-03T00:00:00Z', 3],
      ['2026-03-02T00:00:00Z', 72],
      ['2026-03-01T00:00:00Z', expect.any(Number)],
      ['2026-03-01T00:00:00Z', expect.any(Number)],
    ]);
  });

  test('refuse 32 days by hour and 367 by day', async () => {
    const upTo = (days: number) => ({ ...newOwner(), from: 0, to: days * 24 * HOUR * 1000 });
    for (const [bucket, days] of [
      ['hour', 31],
      ['day', 366],
    ] as const) {
      await reader.summary({ ...upTo(days), bucket }, patience());
      await expect(reader.summary({ ...upTo(days + 1), bucket }, patience())).rejects.toThrow(InvalidRange);
    }
  });
});
