import { AdministrationError } from './errors.ts';

/** More than simultaneous changes by people ever need. */
const MAX_TRIES = 5;

/** Counts the changes of an item. One without it has never been changed. */
export interface Revised {
  readonly revision?: number | undefined;
}

/** The parts of an update that make it fail unless the item is unchanged since it was read. */
export function ifUnchanged(seen: Revised | undefined) {
  const revision = seen?.revision;
  return {
    next: (revision ?? 0) + 1,
    condition: revision === undefined ? 'attribute_not_exists(revision)' : 'revision = :seenRevision',
    values: revision === undefined ? {} : { ':seenRevision': revision },
  };
}

/** Returned by a write if somebody else changed the item since it was read. */
export const CHANGED = Symbol('changed since it was read');

/**
 * Reads, then writes on the condition that nothing has changed in between: a write that finds a change returns
 * `CHANGED` or fails with DynamoDB's error.
 *
 * A write that timed out may still arrive seconds later, after its retry or even after the opposite change was
 * answered. Without the condition it would undo a change that was reported as done.
 */
export async function revise<Seen, Result>(
  read: () => Promise<Seen>,
  write: (seen: Seen) => Promise<Result | typeof CHANGED>,
): Promise<Result> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const result = await write(await read()).catch(changedIfConditionFailed);
    if (result !== CHANGED) return result;
  }
  throw concurrentChange();
}

/** By name: rules use this too, and they do not load the SDK. */
function changedIfConditionFailed(error: Error): typeof CHANGED {
  if (error.name === 'ConditionalCheckFailedException') return CHANGED;
  throw error;
}

export function concurrentChange(): AdministrationError {
  return new AdministrationError(
    'conflict',
    'Someone else changed this at the same time. Check the current state and try again.',
  );
}
