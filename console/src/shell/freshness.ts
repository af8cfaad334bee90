import { ApiProblem } from '../api/problem.ts';

/** The part of a TanStack query's state that is used here. */
interface ReadState {
  readonly data: unknown;
  /** 0 if nothing was ever loaded. */
  readonly dataUpdatedAt: number;
  readonly status: 'pending' | 'error' | 'success';
  /** Paused while the browser is offline. */
  readonly fetchStatus: 'fetching' | 'paused' | 'idle';
  readonly error: unknown;
}

/** Whether the last fetch failed or can't start. Retrying doesn't help if something was deleted. */
export function hasFailed({ status, fetchStatus, error }: ReadState): boolean {
  if (fetchStatus === 'paused') return true;
  return status === 'error' && !(error instanceof ApiProblem && error.status === 404);
}

/** Whether data is shown that can't be refreshed. */
export const isStale = (state: ReadState) => state.data !== undefined && hasFailed(state);

/** When the oldest stale data was loaded; 0 if failed reads have no data; undefined if none failed. */
export function staleSince(states: readonly ReadState[]): number | undefined {
  const failed = states.filter(hasFailed);
  if (failed.length === 0) return undefined;
  const times = failed.filter(isStale).map(({ dataUpdatedAt }) => dataUpdatedAt);
  return times.length === 0 ? 0 : Math.min(...times);
}
