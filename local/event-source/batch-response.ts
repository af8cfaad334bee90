/** What came of a batch: all is done, nothing is, or all but some items. */
export type Outcome = 'done' | 'failed' | ReadonlySet<string>;

/**
 * Reads what a function says that reports failures item by item, as Lambda does: an answer that cannot be right, or
 * names an item that was not in the batch, fails the whole batch.
 */
export function readBatchResponse(payload: string, itemIds: ReadonlySet<string>): Outcome {
  const response = JSON.parse(payload) as { readonly batchItemFailures?: unknown } | null;
  const failures = response?.batchItemFailures;
  if (failures === undefined || failures === null) {
    // Nothing, or an object without the key: that is success. Text or a number is not an answer.
    return response === null || typeof response === 'object' ? 'done' : 'failed';
  }
  if (!Array.isArray(failures)) return 'failed';
  const ids = failures.map((failure) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  if (!ids.every((id): id is string => typeof id === 'string' && itemIds.has(id))) return 'failed';
  return ids.length === 0 ? 'done' : new Set(ids);
}

/** For the engineer's eyes: nothing in the function's own log would tell. */
export function complaintOf(mapping: string): string {
  return `${mapping}: the function's answer is not one for this batch, so the whole batch counts as failed`;
}
