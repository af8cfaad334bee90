import type { Request } from '@middy/core';
import type { Telemetry } from '../telemetry/submission-telemetry.ts';
import type { Submission } from './submission.ts';

interface Options {
  readonly telemetry: Telemetry;
  readonly now: () => number;
}

/** Runs after the answer is settled, whichever step settled it: early answers skip Middy's `after` phase. */
export function reportOutcome({ telemetry, now }: Options) {
  return function reportOutcomeAtEnd(request: Request) {
    const submission = request.event as Submission;
    telemetry.submission(submission, now() - submission.receivedAtMilliseconds);
  };
}
