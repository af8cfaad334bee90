import { scoreLead } from '../core/score/score-lead.ts';
import { found, type Step } from './submission.ts';

/** A body must never cost a lead: if scoring failed, the lead is stored with score 0 and a signal that says so. */
export function scoreSubmission(score: typeof scoreLead = scoreLead): Step {
  return {
    before: function scoreSubmissionBefore({ event: submission }) {
      const { fields } = found(submission.parsed, 'parseBody');
      const { form } = found(submission.authenticated, 'authenticate').credential;
      try {
        submission.score = score(fields, form.fields);
      } catch {
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
