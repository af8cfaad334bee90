export type NoticeType = 'success' | 'error' | 'info';

interface Notice {
  readonly type: NoticeType;
  /** The page on which it is shown. */
  readonly path: string;
}

const MAX_SHOWN = 3;

export function withNotice<T extends Notice>(shown: readonly T[], added: T): readonly T[] {
  return [added, ...shown].slice(0, MAX_SHOWN);
}

/** Success notices are shown only on their page; errors stay until dismissed. */
export function noticesFor<T extends Notice>(shown: readonly T[], path: string): readonly T[] {
  return shown.filter((notice) => notice.type === 'error' || notice.path === path);
}
