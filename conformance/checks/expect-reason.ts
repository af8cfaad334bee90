import { setTimeout as sleep } from 'node:timers/promises';
import type { Reason } from '../../lambdas/rejections/reasons.ts';
import { Mismatch } from '../report/mismatch.ts';
import type { Trial } from '../row.ts';
import type { HttpAnswer } from '../world/http.ts';
import type { Submission } from '../world/submission.ts';
import { expectRejected } from './expectations.ts';

/** Who finds the reason: the owner under the form, the owner under no form, or the operator where nobody owns it. */
export type SeenBy = 'owner' | 'owner, of no form' | 'operator';

/** A record may be dropped when the table is busy: the sender does not wait for it. */
const ATTEMPTS = 4;
/** Counts follow off a stream, after a cold start on AWS. */
const COUNTED_WITHIN_MS = 30_000;
const PAUSE_MS = 250;

/** Outside the opaque rejection, and inside, in Diagnostics, the reason: by request id at once, then in the counts. */
export async function expectReason(
  trial: Trial,
  submission: Submission,
  expected: { readonly reason: Reason; readonly seenBy: SeenBy },
): Promise<void> {
  const { reason, seenBy } = expected;
  const others = new Set<string>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(PAUSE_MS, undefined, { signal: trial.world.signal });
    const answer = await trial.submit(submission);
    expectRejected(answer);
    const found = await lookUp(trial, answer, seenBy);
    if (found === reason) return seenBy === 'operator' ? undefined : expectCounted(trial, expected);
    if (found !== undefined) others.add(found);
  }
  throw new Mismatch(`the ${seenBy} to read ${reason}`, [...others].join(', ') || 'nothing in Diagnostics');
}

async function lookUp({ world, sender, surface }: Trial, answer: HttpAnswer, seenBy: SeenBy) {
  const requestId = String(answer.headers['x-amzn-requestid']);
  const [event] =
    seenBy === 'operator'
      ? await world.unattributed.lookUp(requestId, world.signal)
      : await world.ownerOf(sender).rejectionsWithId(requestId);
  return event?.surface === surface ? event.reason : undefined;
}

async function expectCounted(
  { world, sender, surface }: Trial,
  { reason, seenBy }: { readonly reason: Reason; readonly seenBy: SeenBy },
): Promise<void> {
  const formId = seenBy === 'owner' ? sender.formId : undefined;
  const until = Date.now() + COUNTED_WITHIN_MS;
  for (;;) {
    const { rejected } = await world.ownerOf(sender).rejections();
    const counted = rejected.counts.filter((each) => each.surface === surface && each.formId === formId);
    if (counted.some((each) => each.reason === reason)) return;
    if (Date.now() > until) {
      const reasons = counted.map((each) => each.reason).join(', ');
      throw new Mismatch(`the owner to find ${reason} in the counts`, reasons || 'no counts');
    }
    await sleep(PAUSE_MS, undefined, { signal: world.signal });
  }
}
