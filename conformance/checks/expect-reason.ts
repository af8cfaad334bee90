import { setTimeout as sleep } from 'node:timers/promises';
import type { Reason } from '../../lambdas/core/reasons.ts';
import { Mismatch } from '../report/mismatch.ts';
import type { Trial } from '../row.ts';
import type { HttpAnswer } from '../world/http.ts';
import type { Submission } from '../world/submission.ts';
import { expectRejected } from './expectations.ts';

/** Who finds the reason: the owner under the form, the owner under no form, or the operator where nobody owns it. */
export type SeenBy = 'owner' | 'owner, of no form' | 'operator';

/** Recording is given up after 300 ms, and indexes follow late: it may take a second rejection. */
const ATTEMPTS = 8;
const PAUSE_MS = 250;

/** Outside the opaque rejection, and inside, in Diagnostics, the reason. */
export async function expectReason(
  trial: Trial,
  submission: Submission,
  { reason, seenBy }: { readonly reason: Reason; readonly seenBy: SeenBy },
): Promise<void> {
  const others = new Set<string>();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(PAUSE_MS, undefined, { signal: trial.world.signal });
    const answer = await trial.submit(submission);
    expectRejected(answer);
    for (const found of await reasonsOf(trial, answer, seenBy)) {
      if (found === reason) return;
      others.add(found);
    }
  }
  throw new Mismatch(`the ${seenBy} to read ${reason}`, [...others].join(', ') || 'nothing in Diagnostics');
}

async function reasonsOf({ world, sender, surface }: Trial, answer: HttpAnswer, seenBy: SeenBy) {
  if (seenBy === 'operator') {
    const requestId = String(answer.headers['x-amzn-requestid']);
    const event = await world.unattributed.event(requestId, world.signal);
    return event?.surface === surface ? [event.reason] : [];
  }
  const { rejected } = await world.ownerOf(sender).rejections();
  const formId = seenBy === 'owner' ? sender.formId : undefined;
  return rejected.counts
    .filter((each) => each.surface === surface && each.formId === formId)
    .map((each) => each.reason);
}
