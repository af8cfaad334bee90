import { LIMITS, rateWindowsAt } from '#submission/limits.ts';
import type { SubmissionRecord } from '../service/records.ts';
import { isExcused } from './excuse.ts';
import { type Observed, submissionIdOf } from './observed.ts';
import { mayBeStopped } from './owner-changes-hold.ts';

const WINDOW_MS = LIMITS.idempotencySeconds * 1_000;

/**
 * Invariant 2, in the words that hold under faults. For the submissions of one key:
 *
 * a. Of the leads that they made, any two were received at least 24 hours apart.
 * b. Who sends after a `202` was given, and is answered within the 24 hours, gets the same status and body; or, where
 *    stores failed more than once or the owner has stopped the sender, the opaque rejection; never another `202`.
 * c. Those that overlap get one answer, unless stores failed them more than once. This is said only where all of the
 *    key's submissions have the same rate windows: a rejection is no original, so that a duplicate in the next minute,
 *    or on the other surface, may be accepted while one that was refused is still on its way out.
 */
export function oneKeyOneLead(observed: Observed): string[] {
  const keys = new Set(observed.world.submissions.flatMap(({ key }) => (key === undefined ? [] : [key])));
  return [...keys].flatMap((key) => [
    ...leadsApart(observed, key),
    ...sameAfterAcceptance(observed, key),
    ...concurrentOnesAgree(observed, key),
  ]);
}

function leadsApart({ leads }: Observed, key: string): string[] {
  const times = leads
    .filter(({ madeBy }) => madeBy?.key === key)
    .map(({ lead }) => Date.parse(lead.receivedAt))
    .sort((a, b) => a - b);
  const tooClose = times.some((at, index) => index > 0 && at - (times[index - 1] as number) < WINDOW_MS);
  return tooClose ? [`the key ${key} made ${times.length} leads, two of them within 24 hours`] : [];
}

function sameAfterAcceptance(observed: Observed, key: string): string[] {
  const { world, leads } = observed;
  const ofKey = world.submissions.filter((each) => each.key === key && each.answer);
  const problems: string[] = [];
  for (const original of ofKey) {
    const lead = leads.find((each) => each.lead.leadId === submissionIdOf(original));
    if (!lead || !original.answered) continue;
    const endsAt = Date.parse(lead.lead.receivedAt) + WINDOW_MS;
    for (const repeat of ofKey) {
      const isLater = repeat.started.index >= original.answered.index;
      if (!isLater || (repeat.answered?.at ?? 0) >= endsAt) continue;
      if (repeat.answer?.body === original.answer?.body) continue;
      const mayBeRejected = isExcused(repeat) || mayBeStopped(world, repeat);
      if (repeat.answer?.statusCode === 202 || !mayBeRejected) {
        problems.push(`${repeat.name} came after ${original.name} and was answered otherwise`);
      }
    }
  }
  return problems;
}

function concurrentOnesAgree({ world }: Observed, key: string): string[] {
  const all = world.submissions.filter((each) => each.key === key);
  const windows = new Set(
    all.map(({ surface, started }) => rateWindowsAt(surface, started.at).minuteCounter),
  );
  if (windows.size > 1) return [];
  const unharmed = all.filter((each) => !isExcused(each) && !mayBeStopped(world, each));
  return unharmed.flatMap((one, at) =>
    unharmed
      .slice(at + 1)
      .filter((other) => overlap(one, other) && one.answer?.body !== other.answer?.body)
      .map((other) => `${one.name} and ${other.name} met, and were answered differently`),
  );
}

function overlap(a: SubmissionRecord, b: SubmissionRecord): boolean {
  if (!a.answered || !b.answered) return false;
  return a.started.index < b.answered.index && b.started.index < a.answered.index;
}
