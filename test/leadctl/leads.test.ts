import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeLeadId } from '../../lambdas/model/lead-item.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const stack = openTestStack();
const folder = temporaryFolder('leadctl-export');

const DAY = Date.parse('2026-03-01T00:00:00Z');
/** More than the store returns in a page. */
const COUNT = 130;
const timeOf = (minute: number) => DAY + minute * 60_000;

const { workspaceId, formId } = await stack.newForm();
/** The lead of each minute. */
const ids = Array.from({ length: COUNT }, (_, minute) => makeLeadId(timeOf(minute), randomBytes(10)));

await stack.putLeads({ workspaceId, formId }, ids.map(leadOf));

function leadOf(leadId: string, minute: number) {
  const receivedAt = new Date(timeOf(minute)).toISOString();
  const body = `{"n":${minute},"text":"=1+1, \\"quoted\\""}`;
  const signals = [{ name: 'email_plausible', weight: 50 }] as const;
  return { leadId, receivedAt, body, signals, score: minute % 101, grade: 'D' } as const;
}

interface Listed {
  leads: { submissionId: string; score: number; clean: boolean }[];
  cursor?: string;
}

test('show has the body, the fields that were made of it, the score with its reasons, and a test', async () => {
  const { formId: other } = await stack.newForm();
  const fields = '{"name":"Ada Byron"}';
  const leadId = makeLeadId(DAY, randomBytes(10));
  await stack.putLeads({ workspaceId, formId: other }, [{ ...leadOf(leadId, 60), fields, test: true }]);
  const { stdout } = await onTestStack(['leads', 'show', leadId]);
  expect(stdout).toMatch(
    /Score 60 \(grade D\), not clean:\n +SIGNAL .*\n +email_plausible +\+50 +Valid email address/,
  );
  expect(stdout).toContain('Enrichment: skipped');
  expect(stdout).toContain(`Test: sent in the provider’s test mode\nFields:\n${fields}\nBody:\n{"n":60,`);
  const shown = { submissionId: leadId, score: 60, state: 'skipped', fields, test: true };
  expect(await resultOf(['leads', 'show', leadId])).toMatchObject(shown);
});

test('list has the newest first, page by page, and continues with its cursor', async () => {
  const list = ['leads', 'list', '--form', formId];
  const first = await resultOf<Listed>([...list, '--limit', '120']);
  expect(first.leads).toHaveLength(120);
  expect(first.leads[0]).toMatchObject({ submissionId: ids.at(-1), clean: false });
  const rest = await resultOf<Listed>([...list, '--cursor', first.cursor as string]);
  expect(rest.leads.map(({ submissionId }) => submissionId)).toEqual(ids.slice(0, 10).reverse());
  expect(rest.cursor).toBeUndefined();

  const { stdout } = await onTestStack([...list, '--limit', '2']);
  expect(stdout).toMatch(/^SUBMISSION ID +RECEIVED +SURFACE +SCORE +GRADE +CLEAN +ENRICHMENT\n/);
  // None of the submitted values.
  expect(stdout).not.toContain('quoted');
  expect(stdout).toMatch(/There may be more. To continue, add:\n {2}--cursor \S+\n$/);
});

test('list of a form, and of a workspace once leads are indexed, filters by time, clean and score', async () => {
  const filters = [
    ...['--since', '2026-03-01T00:10Z', '--until', '2026-03-01T00:20Z'],
    ...['--not-clean', '--min-score', '12', '--max-score', '14'],
  ];
  const scores = ({ leads }: Listed) => leads.map(({ score }) => score);
  const inForm = await resultOf<Listed>(['leads', 'list', '--form', formId, ...filters]);
  expect(scores(inForm)).toEqual([14, 13, 12]);
  const clean = await onTestStack(['leads', 'list', '--form', formId, '--clean']);
  expect(clean).toMatchObject({ exitCode: 0, stdout: 'No leads found.\n' });

  const list = ['leads', 'list', '--workspace', workspaceId];
  const indexed = await until(
    () => resultOf<Listed>([...list, ...filters]),
    ({ leads }) => leads.length === 3,
  );
  expect(scores(indexed)).toEqual([14, 13, 12]);
  expect(indexed.leads[0]).toMatchObject({ submissionId: ids[14], formId, enrichment: 'skipped' });
  const { stdout } = await onTestStack(list);
  expect(stdout).toMatch(/^SUBMISSION ID +RECEIVED +FORM +SURFACE +SCORE/);
});

test('export writes all leads to standard output as valid NDJSON', async () => {
  const run = await onTestStack(['leads', 'export', '--form', formId, '--format', 'ndjson']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const lines = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ body }) => body.n)).toEqual(Array.from({ length: COUNT }, (_, n) => COUNT - 1 - n));
});

test('export writes CSV to a private file, and asks before it overwrites one', async () => {
  const file = join(folder, 'leads.csv');
  const args = ['leads', 'export', '--form', formId, '--format', 'csv', '--out', file];
  const made = await resultOf<{ leads: number; bytes: number }>(args);
  const text = readFileSync(file, 'utf8');
  expect(made).toEqual({ leads: COUNT, bytes: Buffer.byteLength(text), file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [header, first] = text.split('\r\n');
  expect(header).toMatch(
    /^\ufeffsubmission_id,received_at,surface,score,grade,clean,scored_clean,review,reviewed_at,handling,handled_at,handling_note,enrichment,/,
  );
  expect(header).toMatch(
    /,enrichment_company_website,enrichment_language,enrichment_low_confidence,enrichment_other,n,text,other$/,
  );
  expect(first).toMatch(/,129,"'=1\+1, ""quoted""",$/);
  const again = await onTestStack(args);
  expect(again).toMatchObject({ exitCode: 2, stdout: '' });
  expect(again.stderr).toContain('Add --yes to overwrite');
});

test('export writes the chosen columns in their order', async () => {
  const args = ['leads', 'export', '--form', formId, '--format', 'csv', '--columns'];
  const run = await onTestStack([...args, 'n,score,enrichment_company']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatch(/^\ufeff?n,score,enrichment_company\r\n129,28,\r\n128,27,\r\n/);
});

test('export leaves nothing behind if it cannot write', async () => {
  const out = join(folder, 'nowhere', 'leads.csv');
  const run = await onTestStack(['leads', 'export', '--form', formId, '--format', 'csv', '--out', out]);
  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toMatch(/^leadctl: Cannot write .*leads\.csv: no such file or folder \(ENOENT\)\.\n$/);
});
