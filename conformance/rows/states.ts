import {
  FORM_INACTIVE,
  FORM_REMOVED,
  FORM_UNKNOWN,
  NO_SECRET,
  rowOf,
  SLUG_AMBIGUOUS,
  SUSPENDED,
} from '../checks/causes.ts';
import { BOTH, type Section } from '../row.ts';
import { checkNotEnriched, checkScored } from './service.ts';

export const STATES: Section = {
  title: 'States and transitions',
  rows: [
    rowOf(SUSPENDED, 'Workspace suspended: every submission is rejected'),
    rowOf(FORM_UNKNOWN, 'Form not found: rejected'),
    rowOf(FORM_REMOVED, 'Form of the token not found: rejected'),
    rowOf(FORM_INACTIVE, 'Form inactive: rejected'),
    rowOf(SLUG_AMBIGUOUS, 'Form with an ambiguous slug: rejected'),
    rowOf(NO_SECRET, 'Form without a webhook secret: every submission is rejected'),
    { rule: 'Lead scored: before the 202 is returned', surfaces: BOTH, check: checkScored },
    { rule: 'Lead enriched: only where the submission is clean', surfaces: BOTH, check: checkNotEnriched },
  ],
};
