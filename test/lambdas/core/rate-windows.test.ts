import { describe, expect, test } from '@jest/globals';
import { expiredCounters, rateWindowsAt } from '#submission/limits.ts';

const at = (iso: string) => Date.parse(iso);

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

  test('are separate for the surfaces', () => {
    const [a, b] = [rateWindowsAt('1a', 0), rateWindowsAt('1b', 0)];
    expect(new Set([a.minuteCounter, a.dayCounter, b.minuteCounter, b.dayCounter]).size).toBe(4);
  });

  test('expire from two windows back, and never one back: a late request may still count there', () => {
    const now = at('2026-11-15T12:00:30Z');
    const counter = (iso: string) => rateWindowsAt('1b', at(iso));
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
  });
});
