import { scoreLead } from '../core/score/score-lead.ts';
import { found, type Step } from './submission.ts';

/** A body must never cost a lead: if scoring failed, the lead is stored with score 0 and a signal that says so. */
export function scoreSubmission(): Step {
  return {
    before: function scoreSubmissionBefore({ event: submission }) {
      const { fields } = found(submission.parsed, 'parseBody');
      const { form } = found(submission.authenticated, 'authenticate').credential;
      try {
        submission.score = scoreLead(fields, form.fields);
      } catch {
        submission.score = { score: 0, clean: false, signals: [{ name: 'scoring_failed', weight: 0 }] };
      }
    },
  };
}
