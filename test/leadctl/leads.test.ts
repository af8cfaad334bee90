import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStack } from '../../bin/operator/open-stack.ts';
import { type Lead, makeLeadId, toLeadItem } from '../../lambdas/model/lead-item.ts';
import { until } from '../until.ts';
import { onTestStack, openTestStack, resultOf, testOutputsFile } from './run-leadctl.ts';

const { client, tables } = openStack(testOutputsFile());

const BODY = '{"email":"ada@analytical-engines.co.uk"}';

/** An unprocessed lead: the stream does not pick it up if clean is false. */
async function putLead(
  clean: boolean,
  receivedAt = '2031-05-05T05:05:05.000Z',
  leadId: string = randomUUID(),
  more: Partial<Lead> = {},
): Promise<string> {
  await client.send(
    new PutCommand({
      TableName: tables.leads,
      Item: toLeadItem({
        leadId,
        workspaceId: 'ws_leadctl',
        formId: 'form_leadctl',
        surface: '1a',
        receivedAt,
        body: BODY,
        score: 60,
        grade: 'B',
        clean,
        signals: [{ name: 'email_plausible', weight: 50 }],
        ...more,
      }),
    }),
  );
  return leadId;
}

describe('leads show', () => {
  test('shows body, score with its reasons, and the state of enrichment', async () => {
    const id = await putLead(false);
    const human = await onTestStack(['leads', 'show', id]);
    expect(human.exitCode).toBe(0);
    expect(human.stdout).toMatch(/Score 60 \(grade B\), not clean:/);
    expect(human.stdout).toMatch(/email_plausible +\+50 +Valid email address/);
    expect(human.stdout).toContain('Enrichment: skipped');
    expect(human.stdout).toContain(BODY);

    const json = await onTestStack(['--json', 'leads', 'show', id]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      submissionId: id,
      body: BODY,
      score: 60,
      state: 'skipped',
    });
  });

  test('shows the fields that were made of a payload, and a test', async () => {
    const fields = '{"name":"Ada Byron"}';
    const id = await putLead(false, undefined, undefined, { fields, test: true });
    const { stdout } = await onTestStack(['leads', 'show', id]);
    expect(stdout).toContain(`Test: sent in the provider’s test mode\nFields:\n${fields}\nBody:\n${BODY}`);
    const json = await onTestStack(['--json', 'leads', 'show', id]);
    expect(JSON.parse(json.stdout)).toMatchObject({ body: BODY, fields, test: true });
  });

  test('says if the lead is not found', async () => {
    const run = await onTestStack(['leads', 'show', randomUUID()]);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/not found/);
  });
});

describe('leads requeue', () => {
  test('counts what it requeued, and finds nothing if nothing is pending', async () => {
    const run = await onTestStack(['leads', 'requeue', '--pending', '--since', '2099-01-01', '--json']);
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual({ requeued: 0, since: '2099-01-01T00:00:00.000Z' });
  });

  test.each([
    [['leads', 'requeue', '--since', '36h'], /Pass --pending/],
    [['leads', 'requeue', '--pending'], /--since/],
    [['leads', 'requeue', '--pending', '--since', 'yesterday'], /Use a date/],
  ])('refuses %j', async (args, sentence) => {
    const run = await onTestStack(args);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(sentence);
  });
});

describe('leads erase', () => {
  test('asks first, erases lead and enrichment, and says if there is nothing to erase', async () => {
    const id = await putLead(false, '2031-05-05T05:05:06.000Z', makeLeadId(Date.now(), randomBytes(10)));
    await client.send(
      new PutCommand({
        TableName: tables.leads,
        Item: { leadId: id, part: 'enrichment', state: 'enriched' },
      }),
    );
    const asked = await onTestStack(['leads', 'erase', id]);
    expect(asked.exitCode).toBe(2);
    expect(asked.stderr).toContain(`Add --yes to erase lead ${id}`);

    const erased = await onTestStack(['leads', 'erase', id, '--yes', '--json']);
    expect(erased).toMatchObject({ exitCode: 0, stderr: '' });
    expect(JSON.parse(erased.stdout)).toEqual({ submissionId: id, erased: true });
    for (const part of ['lead', 'enrichment']) {
      const { Item } = await client.send(
        new GetCommand({ TableName: tables.leads, Key: { leadId: id, part } }),
      );
      expect(Item).toBeUndefined();
    }
    const again = await onTestStack(['leads', 'erase', id, '--yes']);
    expect(again).toMatchObject({ exitCode: 1, stdout: '', stderr: `leadctl: Lead ${id} not found.\n` });
  });
});

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
  test('lists newest first, page by page, and continues with its cursor', async () => {
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
    const quality = ['--not-clean', '--min-score', '12', '--max-score', '14'];
    const listed = await resultOf<Listed>(['leads', 'list', '--form', formId, ...time, ...quality]);
    expect(listed.leads.map(({ score }) => score)).toEqual([14, 13, 12]);
    const human = await onTestStack(['leads', 'list', '--form', formId, '--clean']);
    expect(human).toMatchObject({ exitCode: 0, stdout: 'No leads found.\n' });
  });

  test('lists the leads of a whole workspace once they are indexed, with the same pages and filters', async () => {
    const { workspaceId, formId: one } = await stack.newForm();
    const { formId: other } = await stack.administration.createForm({ workspaceId, name: 'Other' });
    const lead = { workspaceId, surface: '1a', body: BODY, score: 60, grade: 'B', clean: false } as const;
    const ids = [1, 2, 3].map((minute) => makeLeadId(Date.UTC(2026, 3, 1, 0, minute), randomBytes(10)));
    await stack.putLeads(
      ids.map((leadId, index) => ({
        ...lead,
        leadId,
        formId: index === 1 ? other : one,
        receivedAt: new Date(Date.UTC(2026, 3, 1, 0, index + 1)).toISOString(),
        score: 60 + index,
        signals: [],
      })),
    );
    const list = (...more: string[]) =>
      resultOf<Listed>(['leads', 'list', '--workspace', workspaceId, ...more]);
    const all = await until(list, ({ leads }) => leads.length === 3);
    expect(all.leads).toMatchObject([
      { submissionId: ids[2], formId: one, score: 62, enrichment: 'skipped' },
      { submissionId: ids[1], formId: other, receivedAt: '2026-04-01T00:02:00.000Z' },
      { submissionId: ids[0], formId: one },
    ]);
    const first = await list('--limit', '2');
    expect(first.leads).toHaveLength(2);
    const rest = await list('--cursor', first.cursor as string);
    expect(rest.leads.map(({ submissionId }) => submissionId)).toEqual([ids[0]]);
    expect(await list('--min-score', '61', '--until', '2026-04-01T00:03Z')).toMatchObject({
      leads: [{ submissionId: ids[1] }],
    });
    const human = await onTestStack(['leads', 'list', '--workspace', workspaceId]);
    expect(human.stdout).toMatch(/^SUBMISSION ID +RECEIVED +FORM +SURFACE +SCORE/);
  });

  test('shows people a table, without the submitted values', async () => {
    const { stdout } = await onTestStack(['leads', 'list', '--form', formId, '--limit', '2']);
    expect(stdout).toMatch(/^SUBMISSION ID +RECEIVED +SURFACE +SCORE +GRADE +CLEAN +ENRICHMENT\n/);
    expect(stdout).not.toContain('quoted');
    expect(stdout).toMatch(/There may be more. To continue, add:\n {2}--cursor \S+\n$/);
  });

  test.concurrent.each([
    [['list', '--form', 'form_nobody'], 1, 'Form form_nobody not found.'],
    [['list', '--workspace', 'ws_nobody'], 1, 'Workspace ws_nobody not found.'],
    [['list'], 2, 'Pass --form ID or --workspace ID.'],
    [['list', '--form', 'form_x', '--workspace', 'ws_x'], 2, 'Pass --form ID or --workspace ID.'],
    [['list', '--form', 'form_x', '--clean', '--not-clean'], 2, 'Pass --clean or --not-clean'],
    [['list', '--form', 'form_x', '--limit', '5000'], 2, 'a whole number from 1 to 1,000'],
    [['export', '--form', 'form_x', '--format', 'csv', '--json'], 2, '--out'],
    [['export', '--form', 'form_x', '--format', 'ndjson', '--columns', 'n'], 2, '--format csv'],
    [['export', '--form', 'form_x', '--format', 'xlsx'], 2, 'Allowed choices are csv, ndjson'],
  ])('refuses %j', async (args, exitCode, sentence) => {
    const run = await onTestStack(['leads', ...args]);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(sentence);
  });

  test('refuses an invalid cursor', async () => {
    const run = await onTestStack(['leads', 'list', '--form', formId, '--cursor', 'nonsense']);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('Start again without one');
  });
});

describe('leads export', () => {
  test('writes all leads to standard output as valid NDJSON', async () => {
    const run = await onTestStack(['leads', 'export', '--form', formId, '--format', 'ndjson']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ body }) => body.n)).toEqual(Array.from({ length: COUNT }, (_, n) => COUNT - 1 - n));
  });

  test('writes CSV to a private file, and asks before it overwrites one', async () => {
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

  test('writes the chosen columns in their order, and refuses unknown ones', async () => {
    const args = ['leads', 'export', '--form', formId, '--format', 'csv', '--columns'];
    const run = await onTestStack([...args, 'n,score,enrichment_company']);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/^\ufeff?n,score,enrichment_company\r\n129,28,\r\n128,27,\r\n/);
    const unknown = await onTestStack([...args, 'n,scoer']);
    expect(unknown).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unknown.stderr).toContain('Unknown columns: scoer.');
  });

  test('leaves nothing behind if it cannot write', async () => {
    const out = join(folder, 'nowhere', 'leads.csv');
    const run = await onTestStack(['leads', 'export', '--form', formId, '--format', 'csv', '--out', out]);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(/^leadctl: Cannot write .*leads\.csv: no such file or folder \(ENOENT\)\.\n$/);
  });
});
