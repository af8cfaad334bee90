import type { SubmissionRecord } from '../service/records.ts';

/**
 * One failure of a store is absorbed: the call is tried again, and the submission ends as if nothing had happened. So a
 * single fault excuses nothing, a second one may. Recording a rejection, or the last use of a token, changes no
 * answer, so that faults there are no excuse at all.
 */
export function isExcused({ died, strikes }: SubmissionRecord): boolean {
  return died || strikes.filter(({ table }) => table !== 'diagnostics').length > 1;
}
