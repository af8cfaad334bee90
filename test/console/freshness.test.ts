import { describe, expect, test } from '@jest/globals';
import { ApiProblem } from '../../console/src/api/problem.ts';
import { hasFailed, isStale, staleSince } from '../../console/src/shell/freshness.ts';

const FRESH = {
  data: {},
  dataUpdatedAt: 2_000,
  status: 'success',
  fetchStatus: 'idle',
  error: null,
} as const;
const FAILED = { ...FRESH, status: 'error', error: ApiProblem.unreachable() } as const;
const NOTHING = { ...FAILED, data: undefined, dataUpdatedAt: 0 } as const;
const LOADING = {
  ...FRESH,
  data: undefined,
  dataUpdatedAt: 0,
  status: 'pending',
  fetchStatus: 'fetching',
} as const;

describe('the state of a page', () => {
  test.each([
    ['a read that succeeded', FRESH, false, false],
    ['a read that is loading', LOADING, false, false],
    ['a refresh that failed', FAILED, true, true],
    ['a failed refresh that is being retried', { ...FAILED, fetchStatus: 'fetching' } as const, true, true],
    ['a first read that failed', NOTHING, true, false],
    ['a refresh while offline', { ...FRESH, fetchStatus: 'paused' } as const, true, true],
    ['a first read while offline', { ...LOADING, fetchStatus: 'paused' } as const, true, false],
    ['something deleted', { ...FAILED, error: new ApiProblem(404, {}) }, false, false],
  ])('%s', (_, state, failed, stale) => {
    expect([hasFailed(state), isStale(state)]).toEqual([failed, stale]);
  });

  test('is as old as its oldest stale data', () => {
    const older = { ...FAILED, dataUpdatedAt: 1_000 };
    const oldButFresh = { ...FRESH, dataUpdatedAt: 500 };
    expect(staleSince([FAILED, older, oldButFresh, NOTHING, LOADING])).toBe(1_000);
  });

  test('has no time if nothing that failed has data', () => {
    expect(staleSince([FRESH, NOTHING])).toBe(0);
  });

  test('is fresh if nothing failed', () => {
    expect(staleSince([])).toBeUndefined();
    expect(staleSince([FRESH, LOADING])).toBeUndefined();
  });
});
