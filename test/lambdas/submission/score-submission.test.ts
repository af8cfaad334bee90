import { expect, test } from '@jest/globals';
import { makeTelemetry } from '#submission/report-outcome.ts';
import { scoreSubmission } from '#submission/score-submission.ts';
import type { ScoredSubmission, Submission } from '#submission/submission.ts';

const lines: string[] = [];
const telemetry = makeTelemetry(Date.now, (line) => void lines.push(line));

const submission = () =>
  ({
    requestId: 'request-1',
    surface: '1a',
    signal: new AbortController().signal,
    parsed: { text: '{}', fields: { email: 'ada@analytical-engines.co.uk' } },
    credential: { form: { fields: [{ key: 'email', role: 'email' }] } },
  }) as unknown as ScoredSubmission;

async function run(step: ReturnType<typeof scoreSubmission>): Promise<Submission> {
  const event = submission();
  await step.before?.({ event } as Parameters<NonNullable<typeof step.before>>[0]);
  return event;
}

test('a lead is scored by the fields of its form', async () => {
  expect((await run(scoreSubmission({ telemetry }))).score).toMatchObject({ clean: true, grade: 'B' });
});

test('a lead whose scoring fails is kept, and says so; the log has the defect and not its message', async () => {
  const failing = scoreSubmission({ telemetry }, function failingScore() {
    throw new RangeError('a message may quote the body');
  });
  expect((await run(failing)).score).toEqual({
    score: 0,
    grade: 'D',
    clean: false,
    signals: [{ name: 'scoring_failed', weight: 0 }],
  });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'ERROR',
      code: 'submission.defect',
      requestId: 'request-1',
      surface: '1a',
      error: 'RangeError',
      stack: expect.arrayContaining([expect.stringContaining('failingScore')]),
    }),
  ]);
  expect(lines.join()).not.toContain('quote');
});
