interface Read {
  readonly data: unknown;
  readonly isPending: boolean;
}

/** Of all that is looked at: what still comes, and what could not be read. What was read once counts as read. */
export function checked<T extends Read>(reads: readonly T[]) {
  const unread = reads.filter(({ data }) => data === undefined);
  const failed = unread.filter(({ isPending }) => !isPending);
  return { isWaiting: failed.length < unread.length, isNothing: failed.length === reads.length, failed };
}
