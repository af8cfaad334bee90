import { ApiProblem } from '../api/problem.ts';

/** The active navigation item of a path. */
export function activeItem(path: string): string {
  if (/^\/forms\/[^/]+\/leads|^\/senders(\/|$)/.test(path)) return '/leads';
  const [, first = ''] = path.split('/');
  return `/${first}`;
}

/** Pages that are a table use the full width. */
const TABLES = /^\/(leads|senders|forms|tokens|diagnostics|destinations|alerts|team|api-keys|activity)$/;

/** Cloudscape's page width. */
export function contentType(path: string): 'table' | 'default' {
  return TABLES.test(path) ? 'table' : 'default';
}

interface Above {
  readonly text: string;
}

/**
 * The tab's title: the page, then the pages above it that its title doesn't name. The topmost is omitted, since it
 * is the same for many tabs.
 */
export function tabTitle(title: string, above: readonly Above[]): string {
  const owners = above
    .slice(1)
    .map(({ text }) => text)
    .filter((text) => !title.includes(text))
    .reverse();
  return [title, ...owners, 'Lead ingest'].join(' · ');
}

export type NoticeType = 'success' | 'error' | 'info';

interface Notice {
  readonly type: NoticeType;
  /** The page on which it is shown. */
  readonly path: string;
  readonly subject?: string;
}

const MAX_SHOWN = 3;

/** The newest first. One about the same subject replaces the one before, whose buttons no longer apply. */
export function withNotice<T extends Notice>(shown: readonly T[], added: T): readonly T[] {
  const others = shown.filter(({ subject }) => subject === undefined || subject !== added.subject);
  return [added, ...others].slice(0, MAX_SHOWN);
}

/** Success notices are shown only on their page; errors stay until dismissed. */
export function noticesFor<T extends Notice>(shown: readonly T[], path: string): readonly T[] {
  return shown.filter((notice) => notice.type === 'error' || notice.path === path);
}

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
