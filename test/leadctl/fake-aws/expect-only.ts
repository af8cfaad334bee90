import { expect } from '@jest/globals';
import { type CheckResult, lineOf } from '#leadctl/doctor/check.ts';
import type { Status } from '#leadctl/doctor/explain-error.ts';
import type { Answers } from './fake-aws.ts';
import { PERSON } from './stack-answers.ts';

/** What AWS answers otherwise than in a good state, and what one check makes of it. */
export type Row = [check: string, when: string, answers: Answers, status: Status, says: RegExp];

/** The check says so, all others are fine, and nobody is named. */
export function expectOnly(
  results: readonly CheckResult[],
  check: string,
  status: Status,
  says: RegExp,
): void {
  const result = results.find(({ name }) => name === check) as CheckResult;
  expect(result.status).toBe(status);
  expect(lineOf(result)).toMatch(says);
  expect(results.filter((each) => each !== result && each.status !== 'ok')).toEqual([]);
  expect(JSON.stringify(results)).not.toContain(PERSON);
}
