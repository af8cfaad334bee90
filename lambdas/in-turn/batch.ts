/** What a function is given at once. */
export interface Batch {
  readonly event: object;
  /** By which the function names what it could not do. */
  readonly ids: readonly string[];
  /** Takes note of what the function has done. The rest comes again. */
  settle(outcome: Outcome): Promise<void>;
}

/** The outcome of a batch: everything succeeded, everything failed, or these items failed. */
export type Outcome = 'done' | 'failed' | ReadonlySet<string>;

/**
 * Reads a partial batch response as Lambda does: an invalid one, or one that names an item that was not in the batch,
 * fails the whole batch.
 */
export function readBatchResponse(payload: string, itemIds: ReadonlySet<string>): Outcome {
  const response = JSON.parse(payload) as { readonly batchItemFailures?: unknown } | null;
  const failures = response?.batchItemFailures;
  if (failures === undefined || failures === null) {
    // No response, or an object without the key, means success. A string or number is invalid.
    return response === null || typeof response === 'object' ? 'done' : 'failed';
  }
  if (!Array.isArray(failures)) return 'failed';
  const ids = failures.map((failure) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  if (!ids.every((id): id is string => typeof id === 'string' && itemIds.has(id))) return 'failed';
  return ids.length === 0 ? 'done' : new Set(ids);
}
