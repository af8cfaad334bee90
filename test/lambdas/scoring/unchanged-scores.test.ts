import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { scoreLead } from '#scoring/score-lead.ts';

const LEADS = resolve(import.meta.dirname, '../../fixtures/leads/development.ndjson');

/** Speed and size are worked on without touching a score. Where a rule is meant to change: `npm run test:unit -- -u`. */
test('each development lead scores as it did, by the same signals', () => {
  const scores = readFileSync(LEADS, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const { id, body, fields } = JSON.parse(line);
      const { score, grade, signals } = scoreLead(body, fields);
      return `${id} ${score} ${grade} ${signals.map(({ name, weight }) => `${name} ${weight}`).join(', ')}`;
    });
  expect(scores.length).toBeGreaterThan(200);
  expect(scores.join('\n')).toMatchSnapshot();
});
