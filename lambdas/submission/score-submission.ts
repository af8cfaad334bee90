import type { Request } from '@middy/core';
import { scoreLead } from '../scoring/score-lead.ts';
import type { Telemetry } from './report-outcome.ts';
import type { ParsedSubmission, ScoredSubmission, Step } from './submission.ts';

interface Options {
  readonly telemetry: Pick<Telemetry, 'defect'>;
}

/**
 * A body must never cost a lead: if scoring failed, the lead is stored with score 0 and a signal that says so, and the
 * operator finds the defect in the log.
 */
export function scoreSubmission(
  { telemetry }: Options,
  score: typeof scoreLead = scoreLead,
): Step<ScoredSubmission> {
  return {
    before: function scoreSubmissionBefore({ event: submission }: Request<ParsedSubmission>) {
      try {
        submission.score = score(submission.parsed.fields, submission.credential.form.fields);
      } catch (error) {
        telemetry.defect(error, submission);
        submission.score = {
          score: 0,
          grade: 'D',
          clean: false,
          signals: [{ name: 'scoring_failed', weight: 0 }],
        };
      }
    },
  };
}
