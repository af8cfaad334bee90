import { expect, test } from '@jest/globals';
import { scoreSubmission } from '../../../../lambdas/middleware/score-submission.ts';
import type { Submission } from '../../../../lambdas/middleware/submission.ts';

const submission = () =>
  ({
    parsed: { text: '{}', fields: { email: 'ada@analytical-engines.co.uk' } },
    authenticated: { credential: { form: { fields: [{ key: 'email', role: 'email' }] } } },
  }) as unknown as Submission;

async function run(step: ReturnType<typeof scoreSubmission>): Promise<Submission> {
  const event = submission();
  await step.before?.({ event } as Parameters<NonNullable<typeof step.before>>[0]);
  return event;
}

test('a lead is scored by the fields of its form', async () => {
  expect((await run(scoreSubmission())).score).toMatchObject({ clean: true, grade: 'B' });
});

test('a lead whose scoring fails is kept, and says so', async () => {
  const failing = scoreSubmission(() => {
    throw new Error('no body may cost a lead');
  });
  expect((await run(failing)).score).toEqual({
    score: 0,
    grade: 'D',
    clean: false,
    signals: [{ name: 'scoring_failed', weight: 0 }],
  });
});
