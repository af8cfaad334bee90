import { parseJsonObject } from '#model/lead-body.ts';
import { rateWindowsAt } from '#model/limits.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { type SubmissionRecord, windowOf } from '../service/sender.ts';
import { isExcused, type Observed, type StoredLead, submissionIdOf } from './observed.ts';
import { mayBeStopped } from './owner-changes-hold.ts';

/**
 * Invariant 2, as it holds under faults. For the submissions of one key:
 *
 * a. Any two of their leads were received at least 24 hours apart, those of a provider's delivery 7 days.
 * b. Submissions after a `202` that get a response within the 24 hours get the same status and body; or, if stores failed
 *    more than once or the owner has stopped the sender, the opaque rejection; never another `202`.
 * c. Overlapping submissions get the same response, unless stores failed more than once. This is checked only if all of
 *    the key's submissions have the same rate windows: a rejection is not an original, so a duplicate in the next
 *    minute or on the other surface may be accepted while a rejected one is still under way.
 */
export function oneKeyOneLead(observed: Observed): string[] {
  const keys = new Set(observed.world.submissions.flatMap(({ key }) => (key === undefined ? [] : [key])));
  return [...keys].flatMap((key) => [
    ...leadsApart(observed, key),
    ...sameAfterAcceptance(observed, key),
    ...concurrentResponsesAgree(observed, key),
  ]);
}

function leadsApart({ leads }: Observed, key: string): string[] {
  const ofKey = leads.filter(({ madeBy }) => madeBy?.key === key);
  const window = Math.min(...ofKey.flatMap(({ madeBy }) => (madeBy ? windowOf(madeBy) : [])));
  const times = ofKey.map(({ lead }) => Date.parse(lead.receivedAt)).sort((a, b) => a - b);
  const tooClose = times.some((at, index) => index > 0 && at - (times[index - 1] as number) < window);
  return tooClose ? [`the key ${key} made ${times.length} leads, two of them within its window`] : [];
}

function sameAfterAcceptance(observed: Observed, key: string): string[] {
  const { world, leads } = observed;
  const ofKey = world.submissions.filter((each) => each.key === key && each.response);
  const problems: string[] = [];
  for (const original of ofKey) {
    const lead = leads.find((each) => each.lead.leadId === submissionIdOf(original));
    if (!lead || !original.responded) continue;
    const endsAt = Date.parse(lead.lead.receivedAt) + windowOf(original);
    for (const repeat of ofKey) {
      const isLater = repeat.started.index >= original.responded.index;
      if (!isLater || (repeat.responded?.at ?? 0) >= endsAt) continue;
      if (repeat.response?.body === original.response?.body) continue;
      const mayBeRejected = isExcused(repeat) || mayBeStopped(world, repeat);
      if (submissionIdOf(repeat) !== undefined || !mayBeRejected) {
        problems.push(`${repeat.name} came after ${original.name} but got a different answer`);
      }
    }
  }
  return problems;
}

function concurrentResponsesAgree({ world }: Observed, key: string): string[] {
  const all = world.submissions.filter((each) => each.key === key);
  const windows = new Set(
    all.map(({ surface, started }) => rateWindowsAt(surface, started.at).minuteCounter),
  );
  if (windows.size > 1) return [];
  const unaffected = all.filter((each) => !isExcused(each) && !mayBeStopped(world, each));
  return unaffected.flatMap((one, at) =>
    unaffected
      .slice(at + 1)
      .filter((other) => overlap(one, other) && one.response?.body !== other.response?.body)
      .map((other) => `${one.name} and ${other.name} overlapped but got different answers`),
  );
}

function overlap(a: SubmissionRecord, b: SubmissionRecord): boolean {
  if (!a.responded || !b.responded) return false;
  return a.started.index < b.responded.index && b.started.index < a.responded.index;
}

/**
 * Invariant 1: a `202` means that the lead is stored exactly as sent, and scored. Conversely, a rejection means that
 * nothing was stored, unless stores failed more than once.
 */
export function storedAsSent({ world, leads }: Observed): string[] {
  const problems: string[] = [];
  for (const submission of world.submissions) {
    const id = submissionIdOf(submission);
    const lead = id === undefined ? undefined : leads.find((each) => each.lead.leadId === id);
    // These leads are reviewed and erased.
    if (world.erasure && submission.body.includes(world.erasure.person)) continue;
    if (id !== undefined && !lead) problems.push(`${submission.name} got 202, but there is no lead`);
    if (lead && !isOf(lead, submission))
      problems.push(`${submission.name} got the lead of another submission`);
    const own = leads.filter(({ madeBy }) => madeBy === submission);
    if (own.length > 0 && id === undefined && !isExcused(submission)) {
      problems.push(`${submission.name} was rejected, but its lead is stored`);
    }
    if (own.length > 1) problems.push(`${submission.name} made ${own.length} leads`);
  }
  return [
    ...problems,
    ...leads.flatMap((stored) => (isIntact(stored) ? [] : ['a lead is not as it was sent'])),
  ];
}

/** The submission's own lead, or that of another with the same key. */
function isOf({ madeBy }: StoredLead, { name, key }: { name: string; key: string | undefined }): boolean {
  return madeBy?.name === name || (key !== undefined && madeBy?.key === key);
}

function isIntact({ lead, madeBy }: StoredLead): boolean {
  if (!madeBy || lead.body !== madeBy.body) return false;
  const { score, clean, signals } = scoreLead(parseJsonObject(Buffer.from(lead.body)).fields, undefined);
  return (
    lead.score === score &&
    // A review may have changed what scoring said.
    (lead.scoredClean ?? lead.clean) === clean &&
    JSON.stringify(lead.signals) === JSON.stringify(signals) &&
    lead.surface === madeBy.surface &&
    lead.receivedAt === new Date(madeBy.started.at).toISOString()
  );
}
