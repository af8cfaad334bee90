import { describe, expect, test } from '@jest/globals';
import { collectHeaders } from '#model/headers.ts';
import { expiredCounters, rateWindowsAt } from '#model/limits.ts';
import { idempotencyKey } from '#submission/idempotency-key.ts';
import { nextTick, preciseClock } from '#submission/respond-and-report.ts';
import { judgeSignedRequest } from '#submission/signed-request.ts';

const sent = (key: string) => idempotencyKey(collectHeaders({ 'X-Svc-Idempotency-Key': key }, null));

describe('the idempotency key', () => {
  test.each(['a', 'x'.repeat(255), '😀'.repeat(255)])('may have 1 to 255 characters', (key) => {
    expect(sent(key)).toBe(key);
  });

  test.each(['', '   ', 'x'.repeat(256), '😀'.repeat(256)])('is malformed as %j', (key) => {
    expect(() => sent(key)).toThrow('idempotency_key_malformed');
  });

  test('is absent without the header, and malformed when sent twice', () => {
    expect(idempotencyKey(collectHeaders({}, null))).toBeUndefined();
    const twice = collectHeaders(null, { 'x-svc-idempotency-key': ['a', 'a'] });
    expect(() => idempotencyKey(twice)).toThrow('idempotency_key_malformed');
  });
});

const at = (iso: string) => Date.parse(iso);
const SURFACES = ['1a', '1b', '1c', '2'] as const;

describe('rate windows', () => {
  test('are the UTC minute and the UTC day', () => {
    const last = rateWindowsAt('1a', at('2026-11-15T23:59:59.999Z'));
    const first = rateWindowsAt('1a', at('2026-11-16T00:00:00.000Z'));
    expect(first.minuteCounter).not.toBe(last.minuteCounter);
    expect(first.dayCounter).not.toBe(last.dayCounter);
    expect(last.minuteEndsAt).toBe(at('2026-11-16T00:00:00Z'));
    expect(last.dayEndsAt).toBe(at('2026-11-16T00:00:00Z'));
    expect(rateWindowsAt('1a', at('2026-11-15T23:59:00Z'))).toEqual(last);
  });

  test.each(SURFACES)(
    'of %s expire from two windows back, never one back, where a late request may still count',
    (surface) => {
      const now = at('2026-11-15T12:00:30Z');
      const counter = (iso: string) => rateWindowsAt(surface, at(iso));
      const names = [
        counter('2026-11-15T12:00:00Z').minuteCounter,
        counter('2026-11-15T11:59:00Z').minuteCounter,
        counter('2026-11-15T11:58:00Z').minuteCounter,
        counter('2026-11-15T00:00:00Z').dayCounter,
        counter('2026-11-14T00:00:00Z').dayCounter,
        counter('2026-11-13T00:00:00Z').dayCounter,
      ];
      expect(expiredCounters([...names, 'workspaceId', 'name', 'status', 'n1am'], now)).toEqual([
        names[2],
        names[5],
      ]);
    },
  );
});

test.each([
  [0, 40],
  [0.4, 40],
  [39.999, 40],
  [40, 40],
  [40.001, 80],
  [4_300.5, 4_320],
])('work of %d ms gets its response after %d ms', (elapsed, responded) => {
  expect(nextTick(elapsed)).toBe(responded);
});

/** Timers may fire a fraction of a millisecond early; an early response would show how long the work took. */
test.each([0, 0.3, 1.1, 1.5, 2.7, 5.25])('never wakes early, %d ms ahead', async (ahead) => {
  const moment = preciseClock.now() + ahead;
  await preciseClock.sleepUntil(moment);
  expect(preciseClock.now()).toBeGreaterThanOrEqual(moment);
});

/**
 * An unknown slug once made an additional error besides that of the bad signature, and took some microseconds longer
 * than a known one: making an error captures its stack.
 */
test('a rejection makes no error object until it is thrown', () => {
  const nothing = { forms: [], secrets: [] };
  const request = { headers: new Map(), body: Buffer.alloc(0), nowMilliseconds: 0 };
  const { rejection } = judgeSignedRequest(nothing, request);
  expect(rejection).toEqual({ reason: 'form_not_found', detail: {} });
  expect(rejection).not.toBeInstanceOf(Error);
});
