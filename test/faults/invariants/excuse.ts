import { isGateWrite } from '../machine/outcome.ts';
import { PATIENCE } from '../service/patience.ts';
import type { SubmissionRecord } from '../service/records.ts';

const RECORDING_TABLES = new Set(['diagnostics', 'rejections', 'unauthenticatedRejections']);

/**
 * One failure of a store is absorbed: the call is tried again, and the submission ends as if nothing had happened. So a
 * single fault excuses nothing, a second one may. Recording a rejection, or the last use of a token, changes no
 * answer, so that faults there are no excuse at all. Nor is a gate that is throttled, and suffers nothing else, until
 * the deadline has passed.
 */
export function isExcused({ died, strikes, started, answered }: SubmissionRecord): boolean {
  const late = answered !== undefined && answered.at - started.at >= PATIENCE.deadlineMilliseconds;
  const counted = strikes.filter(({ table }) => !RECORDING_TABLES.has(table));
  const onlyThrottledGate = counted.every((each) => each.outcome === 'throttled' && isGateWrite(each));
  return died || (counted.length > 1 && (late || !onlyThrottledGate));
}
