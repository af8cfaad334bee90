import { OPAQUE_REJECTION } from '#contract';
import type { SubmissionRecord } from '../service/records.ts';
import { isExcused } from './excuse.ts';
import type { Observed } from './observed.ts';

const ACCEPTANCE = /^\{"submission_id":"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"\}$/;
const MOST_MS = 5_000;

/** Invariant 4: whatever happens, the sender gets `202` or the opaque `200`, within five seconds. */
export function twoAnswersInTime({ world: { submissions } }: Observed): string[] {
  return submissions.flatMap((submission) => [
    ...shape(submission),
    ...time(submission),
    ...surprise(submission),
  ]);
}

function shape({ name, died, answer }: SubmissionRecord): string[] {
  if (died) return [];
  if (!answer) return [`${name} got no answer`];
  const headersAreUsual = JSON.stringify(answer.headers) === '{"Content-Type":"application/json"}';
  const isRejection = answer.statusCode === 200 && answer.body === OPAQUE_REJECTION.body;
  const isAcceptance = answer.statusCode === 202 && ACCEPTANCE.test(answer.body);
  return headersAreUsual && (isRejection || isAcceptance)
    ? []
    : [`${name} was answered ${answer.statusCode} ${answer.body}`];
}

function time({ name, started, answered }: SubmissionRecord): string[] {
  const took = (answered?.at ?? started.at) - started.at;
  return took > MOST_MS ? [`${name} was answered after ${took} ms`] : [];
}

/** Not a promise to senders, but ours: no error that nobody expected, unless stores failed more than once. */
function surprise(submission: SubmissionRecord): string[] {
  const { name, defect } = submission;
  return defect !== undefined && !isExcused(submission) ? [`${name} met an unexpected error: ${defect}`] : [];
}
