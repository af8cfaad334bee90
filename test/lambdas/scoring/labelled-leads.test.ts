import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import type { LeadFields } from '#scoring/read-lead.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import type { FieldConfiguration } from '#submission/configuration.ts';

const FOLDER = resolve(import.meta.dirname, '../../fixtures/leads');
const read = (part: string) => readFileSync(resolve(FOLDER, `${part}.ndjson`), 'utf8');

interface LabelledLead {
  readonly clean: boolean;
  readonly body: LeadFields;
  readonly fields?: readonly FieldConfiguration[];
}

/** Only sums leave this function: which held-out lead went wrong stays unknown, or it would be held out no longer. */
function measure(part: string) {
  const leads = read(part)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LabelledLead);
  const verdicts = leads.map(({ body, fields, clean }) => ({
    said: scoreLead(body, fields).clean,
    labelled: clean,
  }));
  const right = verdicts.filter(({ said, labelled }) => said && labelled).length;
  return {
    leads: leads.length,
    precision: right / verdicts.filter(({ said }) => said).length,
    recall: right / verdicts.filter(({ labelled }) => labelled).length,
  };
}

test('clean is right on leads that no rule was made from', () => {
  const parts = { development: measure('development'), 'held-out': measure('held-out') };
  const rows = Object.entries(parts).map(
    ([part, { leads, precision, recall }]) =>
      `${part.padEnd(12)} ${String(leads).padStart(5)}  ${precision.toFixed(3)}      ${recall.toFixed(3)}`,
  );
  process.stdout.write(`\nclean        leads  precision  recall\n${rows.join('\n')}\n\n`);
  expect(parts['held-out'].precision).toBeGreaterThanOrEqual(0.95);
  expect(parts['held-out'].recall).toBeGreaterThanOrEqual(0.95);
});

test('the held-out leads are the ones that were held out', () => {
  expect(createHash('sha256').update(read('held-out')).digest('hex')).toBe(
    '886a8deb29a0660e831051f1600dbb98a409b573e5b1dd1e36292e0dcda9a028',
  );
});
