import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { isRateLimit, KEY_REUSED, type Reason } from '#model/reasons.ts';
import { hourOf } from '#model/time-buckets.ts';
import { InvalidCursor, InvalidRange } from '#owner-api/errors.ts';
import { counterName } from '#rejections/diagnostics-items.ts';
import { sumBy } from '#rejections/rejection-counts.ts';
import type { EventFilter } from '#rejections/rejection-events-store.ts';
import type { RejectionEvent } from '#rejections/rejection-record.ts';
import { itemsOf } from '../../stored-items.ts';
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
const { reader, recordAll, eventOf, writeAll } = fixture;

afterAll(fixture.close);

describe('rejections one by one', () => {
  test('come newest first, page by page, each once', async () => {
    const workspaceId = newWorkspace();
    const recorded = Array.from({ length: 150 }, (_, n) => rejection(NOW - n * 7_000, 'token_revoked'));
    await recordAll(recorded, [workspaceId]);
    await fixture.record(rejection(NOW, 'internal_error'), [newWorkspace()]);
    const times: string[] = [];
    const ids = new Set<string>();
    let cursor: string | undefined;
    fixture.calls.reset();
    do {
      const page = await reader.events({ workspaceId, limit: 25, cursor }, patience());
      expect(page.events.length).toBeLessThan(45);
      for (const { at, requestId } of page.events) {
        times.push(at);
        ids.add(requestId);
      }
      cursor = page.cursor;
    } while (cursor);
    expect(times).toEqual(times.toSorted().reverse());
    expect(ids.size).toBe(times.length);
    expect(fixture.calls.commands().length).toBeLessThanOrEqual(6);
    const kept = await itemsOf(fixture.writer, fixture.tables.diagnostics, { workspaceId }, { sk: 'event#' });
    expect(times.length).toBe(kept.length);
  });

  test('are filtered by surface, form and reason, each once, as far as one response may cost', async () => {
    const workspaceId = newWorkspace();
    const FEW = [0, 400, 1_900, 4_499];
    const events = Array.from({ length: 4_500 }, (_, n) =>
      eventOf(
        rejection(NOW - Math.floor(n / 20) * MINUTE, FEW.includes(n) ? 'body_not_object' : 'token_revoked', {
          surface: n % 2 === 0 ? '1a' : '1b',
          formId: n % 4 === 0 ? undefined : `form_${n % 4}`,
        }),
        workspaceId,
        n % 20,
      ),
    );
    await writeAll(events);
    async function all(filter: EventFilter) {
      const found: RejectionEvent[] = [];
      let cursor: string | undefined;
      do {
        fixture.calls.reset();
        const page = await reader.events({ workspaceId, limit: 50, cursor, ...filter }, patience());
        expect(fixture.calls.commands().length).toBeLessThanOrEqual(4);
        expect(page.lookedBackTo !== undefined).toBe(page.cursor !== undefined);
        found.push(...page.events);
        for (const { at } of page.events) expect(at >= (page.lookedBackTo ?? '')).toBe(true);
        cursor = page.cursor;
      } while (cursor);
      return found;
    }
    const ids = (found: readonly { requestId: string }[]) => found.map(({ requestId }) => requestId).sort();
    const expected = (filter: EventFilter) =>
      events.filter(
        (event) =>
          (filter.reason === undefined || event.reason === filter.reason) &&
          (filter.surface === undefined || event.surface === filter.surface) &&
          (filter.formId === undefined || (event.formId ?? null) === filter.formId),
      );
    const filters: EventFilter[] = [
      { reason: 'body_not_object' },
      { formId: null },
      { surface: '1a', formId: 'form_2', reason: 'token_revoked' },
    ];
    for (const filter of filters) {
      expect([filter, ids(await all(filter))]).toEqual([filter, ids(expected(filter))]);
    }
    fixture.calls.reset();
    const page = await reader.events({ workspaceId, reason: 'internal_error' }, patience());
    expect(fixture.calls.commands()).toHaveLength(4);
    // 4,000 were read, 20 per minute; the last minute may be incomplete.
    expect(page).toMatchObject({ events: [], lookedBackTo: '2026-11-15T09:12:00Z' });
  });

  test('show everything that was recorded, and no storage details', async () => {
    const workspaceId = newWorkspace();
    const recorded = rejection(NOW, 'body_invalid_json', { bodySha256: 'abc', keyNames: ['a'] });
    await fixture.record(recorded, [workspaceId]);
    const { atMilliseconds: _at, ...rest } = recorded;
    const event = { ...rest, at: '2026-11-15T12:30:30.000Z', authenticated: true };
    expect(await reader.events({ workspaceId }, patience())).toEqual({ events: [event] });
    fixture.calls.reset();
    expect(await reader.lookUp(workspaceId, recorded.requestId, patience())).toEqual([event]);
    expect(fixture.calls.commands()).toEqual(['Query', 'Query', 'Query']);
    expect(fixture.calls.inSequence()).toBe(1);
  });

  test('exclude reused keys, or list only those', async () => {
    const workspaceId = newWorkspace();
    await fixture.record(rejection(NOW, 'body_invalid_json'), [workspaceId]);
    await fixture.record({ ...rejection(NOW, 'internal_error'), reason: KEY_REUSED }, [workspaceId]);
    const reasons = async (reusedKeys: boolean) =>
      (await reader.events({ workspaceId, reusedKeys }, patience())).events.map(({ reason }) => reason);
    expect(await reasons(false)).toEqual(['body_invalid_json']);
    expect(await reasons(true)).toEqual([KEY_REUSED]);
    const range = { from: NOW - HOUR, to: NOW + MINUTE };
    const summary = await reader.summary({ workspaceId, bucket: 'hour', ...range }, patience());
    expect(summary).toMatchObject({ rejected: { total: 1 }, reusedKeys: { total: 1 } });
    expect(summary).toMatchObject({
      newestAt: '2026-11-15T12:30:30.000Z',
      newestCountedAt: '2026-11-15T12:30:30.000Z',
    });
  });

  test('reject an invalid cursor', async () => {
    const request = { workspaceId: newWorkspace(), cursor: 'AAAA' };
    await expect(reader.events(request, patience())).rejects.toThrow(InvalidCursor);
  });
});

describe('a rejection by its request id', () => {
  test('is found however many others came in its minute, until it expires', async () => {
    const workspaceId = newWorkspace();
    const flood = Array.from({ length: 60 }, () => rejection(NOW, 'rate_limited_minute'));
    await recordAll(flood, [workspaceId]);
    for (const { requestId } of flood.filter((_, n) => n % 20 === 19)) {
      expect(await reader.lookUp(workspaceId, requestId, patience())).toMatchObject([{ requestId }]);
    }
    const DAY_AND_A_BIT = DAY + 1_000;
    const old = rejection(NOW - DAY_AND_A_BIT, 'signature_mismatch');
    await fixture.record(old, [workspaceId], false);
    await fixture.record({ ...old, requestId: 'own' }, [workspaceId]);
    const expired = rejection(NOW - 31 * DAY, 'token_revoked');
    await fixture.record(expired, [workspaceId]);
    const found = async (requestId: string) =>
      (await reader.lookUp(workspaceId, requestId, patience())).length;
    expect(await found(old.requestId)).toBe(0);
    expect(await found('own')).toBe(1);
    expect(await found(expired.requestId)).toBe(0);
  });

  test('is not found by another workspace, or by an invalid id', async () => {
    const [workspaceId, stranger] = [newWorkspace(), newWorkspace()];
    const theirs = rejection(NOW, 'token_revoked');
    await fixture.record(theirs, [stranger]);
    for (const id of [theirs.requestId, randomUUID(), '', 'x'.repeat(3_000)]) {
      expect(await reader.lookUp(workspaceId, id, patience())).toEqual([]);
    }
  });

  test('comes with all others of the workspace that have the same id, authenticated ones first', async () => {
    const [workspaceId, stranger] = [newWorkspace(), newWorkspace()];
    const requestId = randomUUID();
    const at = (ago: number, formId: string) =>
      rejection(NOW - ago, 'body_not_object', { requestId, formId });
    await fixture.record(at(0, 'newest, forged'), [workspaceId], false);
    await fixture.record(at(3, 'older'), [workspaceId]);
    await fixture.record(at(2, 'newer'), [workspaceId]);
    await fixture.record(at(1, 'not theirs'), [stranger]);
    await fixture.record(at(1, 'of nobody'), [], false);
    const forms = (await reader.lookUp(workspaceId, requestId, patience())).map(({ formId }) => formId);
    expect(forms).toEqual(['newer', 'older', 'newest, forged']);
    const nobodys = (await reader.lookUp(undefined, requestId, patience())).map(({ formId }) => formId);
    expect(nobodys).toEqual(['of nobody']);
  });

  test('of an ambiguous slug does not say who sent it', async () => {
    const [workspaceId, other] = [newWorkspace(), newWorkspace()];
    const shared = rejection(NOW, 'slug_ambiguous', { bodySha256: 'abc' });
    await fixture.record(shared, [workspaceId, other], false);
    const [event] = await reader.lookUp(workspaceId, shared.requestId, patience());
    expect(event).toMatchObject({ reason: 'slug_ambiguous', requestId: shared.requestId });
    for (const hidden of ['sourceAddress', 'userAgent', 'bodySha256'])
      expect(event).not.toHaveProperty(hidden);
    expect(await reader.lookUp(newWorkspace(), shared.requestId, patience())).toEqual([]);
  });
});

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
