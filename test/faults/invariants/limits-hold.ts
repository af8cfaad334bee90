import { LIMITS, rateWindowsAt } from '#model/limits.ts';
import type { SubmissionRecord } from '../service/sender.ts';
import { isExcused, type Observed, submissionIdOf } from './observed.ts';
import { mayBeStopped } from './owner-changes-hold.ts';

/**
 * Invariant 3: a window never accepts more than its limit, nor counts less than it accepted. Below the limit nobody is
 * rejected unless stores failed more than once, or a duplicate with the same key was rejected.
 */
export function limitsHold(observed: Observed): string[] {
  return [
    ...withinLimit(observed),
    ...observed.world.submissions.flatMap((each) => notRejectedEarly(observed, each)),
  ];
}

const LIMIT_OF = { m: LIMITS.submissionsPerMinute, d: LIMITS.submissionsPerDay } as const;
const COUNTER = /^n(?:1a|1b|1c|2)([md])\d+$/;

function withinLimit({ world, leads, workspace }: Observed): string[] {
  return Object.entries(workspace).flatMap(([name, counted]) => {
    const window = COUNTER.exec(name)?.[1] as 'm' | 'd' | undefined;
    if (!window) return [];
    const taken = leads.filter(({ lead }) => {
      const { minuteCounter, dayCounter } = rateWindowsAt(lead.surface, Date.parse(lead.receivedAt));
      return name === (window === 'm' ? minuteCounter : dayCounter);
    }).length;
    const before = world.countedBefore.get(name) ?? 0;
    const problems: string[] = [];
    if (Number(counted) > LIMIT_OF[window]) problems.push(`${name} is ${counted}, over the limit`);
    if (before + taken > Number(counted)) {
      problems.push(`${name} is ${counted}, but took ${taken} after ${before}`);
    }
    return problems;
  });
}

function notRejectedEarly(observed: Observed, submission: SubmissionRecord): string[] {
  const { name, reason } = submission;
  const mayBeRefused =
    submissionIdOf(submission) !== undefined ||
    submission.flawed ||
    isExcused(submission) ||
    mayBeStopped(observed.world, submission) ||
    isFull(observed, submission) ||
    mustAgreeWithDenial(observed, submission);
  return mayBeRefused ? [] : [`${name} was rejected without a valid reason: ${reason}`];
}

function isFull({ workspace }: Observed, { surface, started }: SubmissionRecord): boolean {
  const { minuteCounter, dayCounter } = rateWindowsAt(surface, started.at);
  return (
    Number(workspace[minuteCounter] ?? 0) >= LIMIT_OF.m || Number(workspace[dayCounter] ?? 0) >= LIMIT_OF.d
  );
}

/** A concurrent duplicate on the same surface was denied after this submission had read the key. */
function mustAgreeWithDenial(observed: Observed, submission: SubmissionRecord): boolean {
  const { key, surface, reason, responded } = submission;
  if (key === undefined || !reason?.startsWith('rate_limited')) return false;
  return observed.world.submissions.some(
    (other) =>
      other !== submission &&
      other.key === key &&
      other.surface === surface &&
      other.started.index < (responded?.index ?? 0) &&
      isFull(observed, other),
  );
}
