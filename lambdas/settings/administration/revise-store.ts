import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { AdministrationError } from './context.ts';

/** More than simultaneous changes by people ever need. */
const MAX_TRIES = 5;

/** Counts the changes of an item. One without it has never been changed. */
export interface Revised {
  readonly revision?: number;
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

/**
 * Reads, then writes on the condition that nothing has changed in between.
 *
 * A write that timed out may still arrive seconds later, after its retry or even after the opposite change was
 * answered. Without the condition it would undo a change that was reported as done.
 */
export async function revise<Seen, Result>(
  read: () => Promise<Seen>,
  write: (seen: Seen) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    const seen = await read();
    try {
      return await write(seen);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      if (tries === MAX_TRIES) throw concurrentChange();
    }
  }
}

export function concurrentChange(): AdministrationError {
  return new AdministrationError(
    'conflict',
    'Someone else changed this at the same time. Check the current state and try again.',
  );
}
