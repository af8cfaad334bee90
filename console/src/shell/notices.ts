export type NoticeType = 'success' | 'error' | 'info';

interface Notice {
  readonly type: NoticeType;
  /** The page on which it is told. */
  readonly path: string;
}

const MOST_SHOWN = 3;

export function withNotice<T extends Notice>(shown: readonly T[], added: T): readonly T[] {
  return [added, ...shown].slice(0, MOST_SHOWN);
}

/** What was done on one page is soon untrue on others. What failed stays until somebody dismisses it. */
export function noticesFor<T extends Notice>(shown: readonly T[], path: string): readonly T[] {
  return shown.filter((notice) => notice.type === 'error' || notice.path === path);
}
