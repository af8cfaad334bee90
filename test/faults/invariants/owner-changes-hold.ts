import { type ChangeKind, type ChangeRecord, isDelivery, type SubmissionRecord } from '../service/sender.ts';
import type { World } from '../service/world.ts';
import { type Observed, submissionIdOf } from './observed.ts';

const LIFTED_BY: Readonly<Partial<Record<ChangeKind, ChangeKind>>> = {
  suspend: 'resume',
  deactivate: 'activate',
};

export const GRACE_MS = 3_600_000;

/** Invariant 7: an acknowledged change by the owner applies to every submission that starts after it. */
export function ownerChangesHold({ world, leads }: Observed): string[] {
  return world.submissions
    .filter((submission) => isStopped(world, submission))
    .flatMap((submission) => [
      ...(submissionIdOf(submission) === undefined
        ? []
        : [`${submission.name} was accepted after it was stopped`]),
      ...(leads.some(({ madeBy }) => madeBy === submission)
        ? [`${submission.name} made a lead after it was stopped`]
        : []),
    ]);
}

/** Whether the owner's stop was acknowledged before the submission started, and not lifted before it ended. */
export function isStopped(world: World, submission: SubmissionRecord): boolean {
  return stops(world, submission).some(({ change, lift, from }) => {
    if (!change.responded || change.responded.index > submission.started.index) return false;
    if (from !== undefined && submission.started.at < change.responded.at + from) return false;
    return !lift || (submission.responded !== undefined && lift.started.index > submission.responded.index);
  });
}

/** Whether a change that started before the submission ended may have stopped it. */
export function mayBeStopped(world: World, submission: SubmissionRecord): boolean {
  return stops(world, submission).some(({ change, lift, from }) => {
    if (submission.responded && change.started.index > submission.responded.index) return false;
    // A retried rotation keeps the secret of the unacknowledged first attempt as the previous one. If that attempt
    // had succeeded, the older secret stops working.
    const isFirstTry = change.tries === 1;
    if (isFirstTry && from !== undefined && (submission.responded?.at ?? 0) < change.started.at + from)
      return false;
    return !lift?.responded || lift.responded.index > submission.started.index;
  });
}

interface Stop {
  readonly change: ChangeRecord;
  readonly lift: ChangeRecord | undefined;
  /** How long after the change the sender is stopped, if not at once. */
  readonly from: number | undefined;
}

function stops({ changes, sender }: World, submission: SubmissionRecord): Stop[] {
  const hasOldSecret = submission.surface === '1b' && submission.sender.secret === sender.secret;
  const concerns: Readonly<Partial<Record<ChangeKind, boolean>>> = {
    suspend: true,
    deactivate: true,
    revoke: submission.surface === '1a' || (submission.surface === '1c' && !isDelivery(submission)),
    rotate: hasOldSecret,
    'rotate with grace': hasOldSecret,
  };
  return changes
    .filter(({ kind }) => concerns[kind])
    .map((change) => ({
      change,
      lift: changes.find(({ kind }) => kind === LIFTED_BY[change.kind]),
      from: change.kind === 'rotate with grace' ? GRACE_MS : undefined,
    }));
}
