import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { AdministrationError } from './context.ts';

/** More than people who change one thing at the same time ever need. */
const MOST_TRIES = 5;

/** Counts the changes of an item. One without it has never been changed. */
export interface Revised {
  readonly revision?: number;
}

/** The parts of an update by which it holds for the item as it was read, and for no other. */
export function sinceRead(seen: Revised | undefined) {
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
 * A write that was given up may still arrive, seconds after its repetition, or after the opposite was asked for, has
 * been answered. Without the condition it would undo what the owner was told is done.
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
      if (tries === MOST_TRIES) throw changedMeanwhile();
    }
  }
}

export function changedMeanwhile(): AdministrationError {
  return new AdministrationError(
    'conflict',
    'Somebody else changed this at the same time: look at what it is now, then try again.',
  );
}
