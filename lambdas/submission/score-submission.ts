import type { Request } from '@middy/core';
import { scoreLead } from '../scoring/score-lead.ts';
import type { Telemetry } from './report-outcome.ts';
import type { ParsedSubmission, ScoredSubmission, Step } from './submission.ts';

interface Options {
  readonly telemetry: Pick<Telemetry, 'defect'>;
}

/**
 * Scoring must never lose a lead: if it fails, the lead is stored with score 0 and a signal that says so, and the log
 * has the defect.
 */
export function scoreSubmission(
  { telemetry }: Options,
  score: typeof scoreLead = scoreLead,
): Step<ScoredSubmission> {
  return {
    before: function scoreSubmissionBefore({ event: submission }: Request<ParsedSubmission>) {
      const { fields } = submission.parsed;
      const { form } = submission.credential;
      try {
        submission.score = score(fields, form.fields);
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
