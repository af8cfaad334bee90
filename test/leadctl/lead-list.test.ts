import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Lead } from '../../lambdas/submission/lead-item.ts';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const stack = openTestStack();
const folder = mkdtempSync(join(tmpdir(), 'leadctl-export-'));
afterAll(() => {
  stack.close();
  rmSync(folder, { recursive: true });
});

const DAY = Date.parse('2026-03-01T00:00:00Z');
const COUNT = 130;

/** A UUIDv7 of a minute of that day. */
function idAt(minute: number): string {
  const time = (DAY + minute * 60_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(minute).padStart(12, '0')}`;
}

let formId: string;
beforeAll(async () => {
  const form = await stack.newForm();
  formId = form.formId;
  const leads = Array.from({ length: COUNT }, (_, minute): Lead => {
    const receivedAt = new Date(DAY + minute * 60_000).toISOString();
    const of = { leadId: idAt(minute), workspaceId: form.workspaceId, formId, receivedAt };
    const body = `{"n":${minute},"text":"=1+1, \\"quoted\\""}`;
    return { ...of, surface: '1a', body, score: minute % 101, grade: 'D', clean: false, signals: [] };
  });
  await stack.putLeads(leads);
});

interface Listed {
  leads: { submissionId: string; score: number; clean: boolean }[];
  cursor?: string;
}

describe('leads list', () => {
  test('lists newest first, over pages, and goes on by its cursor', async () => {
    const first = await resultOf<Listed>(['leads', 'list', '--form', formId, '--limit', '120']);
    expect(first.leads).toHaveLength(120);
    expect(first.leads[0]).toMatchObject({ submissionId: idAt(COUNT - 1), clean: false });
    const cursor = first.cursor as string;
    const rest = await resultOf<Listed>(['leads', 'list', '--form', formId, '--cursor', cursor]);
    expect(rest.leads.map(({ submissionId }) => submissionId)).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map(idAt),
    );
    expect(rest.cursor).toBeUndefined();
  });

  test('filters by time, clean and score', async () => {
    const time = ['--since', '2026-03-01T00:10Z', '--until', '2026-03-01T00:20Z'];
    const listed = await resultOf<Listed>([
      ...[
        'leads',
        'list',
        '--form',
        formId,
        ...time,
        '--not-clean',
        '--min-score',
        '12',
        '--max-score',
        '14',
      ],
    ]);
    expect(listed.leads.map(({ score }) => score)).toEqual([14, 13, 12]);
    const human = await onTestStack(['leads', 'list', '--form', formId, '--clean']);
    expect(human).toMatchObject({ exitCode: 0, stdout: 'No leads found.\n' });
  });

  test('shows a person a table, without what was sent', async () => {
    const { stdout } = await onTestStack(['leads', 'list', '--form', formId, '--limit', '2']);
    expect(stdout).toMatch(/^SUBMISSION ID +RECEIVED +SURFACE +SCORE +GRADE +CLEAN +ENRICHMENT\n/);
    expect(stdout).not.toContain('quoted');
    expect(stdout).toMatch(/There may be more. To continue, add:\n {2}--cursor \S+\n$/);
  });

  test.concurrent.each([
    [['list', '--form', 'form_nobody'], 1, 'Form form_nobody not found.'],
    [['list', '--form', 'form_x', '--clean', '--not-clean'], 2, 'Pass --clean or --not-clean'],
    [['list', '--form', 'form_x', '--limit', '5000'], 2, 'a whole number from 1 to 1,000'],
    [['export', '--form', 'form_x', '--format', 'csv', '--json'], 2, '--out'],
    [['export', '--form', 'form_x', '--format', 'xlsx'], 2, 'Allowed choices are csv, ndjson'],
  ])('refuses %j', async (args, exitCode, sentence) => {
    const run = await onTestStack(['leads', ...args]);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(sentence);
  });

  test('refuses a cursor that is none', async () => {
    const run = await onTestStack(['leads', 'list', '--form', formId, '--cursor', 'nonsense']);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('Start again without one');
  });
});

describe('leads export', () => {
  test('writes all leads to standard output, as NDJSON that reads back', async () => {
    const run = await onTestStack(['leads', 'export', '--form', formId, '--format', 'ndjson']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ body }) => body.n)).toEqual(Array.from({ length: COUNT }, (_, n) => COUNT - 1 - n));
  });

  test('writes CSV to a file of one’s own, and asks before it replaces one', async () => {
    const file = join(folder, 'leads.csv');
    const args = ['leads', 'export', '--form', formId, '--format', 'csv', '--out', file];
    const made = await resultOf<{ leads: number; bytes: number }>(args);
    const text = readFileSync(file, 'utf8');
    expect(made).toEqual({ leads: COUNT, bytes: Buffer.byteLength(text), file });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [header, first] = text.split('\r\n');
    expect(header).toBe('\ufeffsubmission_id,received_at,surface,score,grade,clean,enrichment,n,text,other');
    expect(first).toMatch(/,129,"'=1\+1, ""quoted""",$/);
    const again = await onTestStack(args);
    expect(again).toMatchObject({ exitCode: 2, stdout: '' });
    expect(again.stderr).toContain('Add --yes to overwrite');
  });

  test('leaves nothing behind where it cannot write', async () => {
    const out = join(folder, 'nowhere', 'leads.csv');
    const run = await onTestStack(['leads', 'export', '--form', formId, '--format', 'csv', '--out', out]);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(/^leadctl: Cannot write .*leads\.csv: no such file or folder \(ENOENT\)\.\n$/);
  });
});
