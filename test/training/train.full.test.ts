import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readList } from '#scoring/lists.ts';
import { type RuleName, WEIGHTS } from '#scoring/weights.ts';
import { readVerdicts } from '../../training/labelled-leads.ts';
import { trainingLeads, trainScoring } from '../../training/train.ts';

test('the model and the points in the repository are what the training makes of its leads', () => {
  const { model, points } = trainScoring(trainingLeads());
  const written = Object.fromEntries(Object.keys(points).map((name) => [name, WEIGHTS[name as RuleName][0]]));
  // If not: npm run score:train, and commit what it changes.
  expect(written).toEqual(points);
  expect(Buffer.compare(readList('textModel'), model)).toBe(0);
}, 600_000);

test('every rule is trained or fixed', () => {
  const { points } = trainScoring(trainingLeads().slice(0, 200));
  const others = Object.keys(WEIGHTS).filter((name) => !(name in points));
  expect(others).toEqual([
    'reads_like_request',
    'reads_like_offer',
    'learned',
    'scoring_failed',
    'mapping_failed',
  ]);
});

test("an owner's verdicts are leads to train from", () => {
  const folder = mkdtempSync(join(tmpdir(), 'verdicts-'));
  try {
    const file = join(folder, 'reviewed-leads.ndjson');
    const body = { email: 'ada@analytical-engines.co.uk', message: 'Do you repair looms?' };
    const lines = ['good', 'spam'].map((verdict) => JSON.stringify({ body, review: { verdict } }));
    writeFileSync(file, `${lines.join('\n')}\n`);
    expect(readVerdicts(file)).toMatchObject([
      { label: 'good', body },
      { label: 'bad', body },
    ]);
    const mapped = { body: { payload: body }, fields: body, review: { verdict: 'good' } };
    writeFileSync(file, JSON.stringify(mapped));
    expect(readVerdicts(file)).toMatchObject([{ label: 'good', body }]);
    writeFileSync(file, `${lines[0]}\n{"body":{}}\n`);
    expect(() => readVerdicts(file)).toThrow(`${file}, line 2: not a line of the export of reviewed leads`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
