import { randomBytes, randomUUID } from 'node:crypto';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { readMoment } from '../../bin/leadctl/command-line.ts';
import { openStack } from '../../bin/operator/open-stack.ts';
import { makeLeadId, toLeadItem } from '../../lambdas/submission/lead-item.ts';
import { onTestStack, testOutputsFile } from './run-leadctl.ts';

const { client, tables } = openStack(testOutputsFile());

const BODY = '{"email":"ada@analytical-engines.co.uk"}';

/** A lead that nothing has looked at: not on the stream's way, since the test puts it there by hand and clean is false. */
async function putLead(
  clean: boolean,
  receivedAt = '2031-05-05T05:05:05.000Z',
  leadId: string = randomUUID(),
): Promise<string> {
  await client.send(
    new PutCommand({
      TableName: tables.leads,
      Item: toLeadItem({
        ...{
          leadId,
          workspaceId: 'ws_leadctl',
          formId: 'form_leadctl',
          surface: '1a',
          receivedAt,
          body: BODY,
        },
        ...{ score: 60, grade: 'B', clean, signals: [{ name: 'email_plausible', weight: 50 }] },
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

  test('says when there is no such lead', async () => {
    const run = await onTestStack(['leads', 'show', randomUUID()]);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/not found/);
  });
});

describe('leads requeue', () => {
  test('counts what it put back, and finds nothing where nothing is pending', async () => {
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

describe('a moment', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');

  test.each([
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T08:00Z', '2026-11-15T08:00:00.000Z'],
    ['2026-11-15T08:00:30+02:00', '2026-11-15T06:00:30.000Z'],
    ['36h', '2026-11-14T00:00:00.000Z'],
    ['7d', '2026-11-08T12:00:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(readMoment(text, undefined, now)).toBe(moment);
  });

  test('is no day or hour that the calendar lacks', () => {
    expect(() => readMoment('2026-02-31T25:00Z', undefined, now)).toThrow('Use a date');
  });
});

describe('leads erase', () => {
  test('asks first, erases lead and enrichment, and says when there is nothing to erase', async () => {
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
