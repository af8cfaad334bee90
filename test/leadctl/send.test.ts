import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeSending, summarize } from '../../bin/leadctl/send.ts';
import { generateLead } from '../../bin/leadctl/send-input.ts';
import { printedCommand } from '../../bin/operator/terminal.ts';
import { scoreLead } from '../../lambdas/scoring/score-lead.ts';
import { PROVIDER_NAMES } from '../../lambdas/sources/providers.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { onTestStack, openTestStack, resultOf } from './run-leadctl.ts';

const stack = openTestStack();
const folder = temporaryFolder('leadctl-send');

interface Summary {
  accepted: number;
  rejected: number;
  failed: number;
  leads: number;
  submissionIds: string[];
  rejectedRequestIds: string[];
}

const tenant = await stack.newTenant();

/** White space and key order that no serialiser would write: only the bytes as they are can match. */
const BODY = '{ "b":1,\r\n "a" : "é" }\n';

function fileOf(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

describe('surface 1b', () => {
  test('signs the bytes of a file with the form’s secret', async () => {
    const file = fileOf('odd.json', BODY);
    const form = ['--surface', '1b', '--form', tenant.formId, '--use-form-secret'];
    const sent = await resultOf<Summary>(['send', ...form, '--file', file]);
    expect(sent).toMatchObject({ accepted: 1, rejected: 0, failed: 0, leads: 1 });
    const show = ['leads', 'show', sent.submissionIds[0] as string];
    const shown = await resultOf<{ body: string; formId: string }>(show);
    expect(shown).toMatchObject({ body: BODY, formId: tenant.formId, surface: '1b' });
  });
});

describe('surface 1c', () => {
  test.each(PROVIDER_NAMES)('signs and sends what %s would, with the secret of the form', async (name) => {
    const { formId } = await stack.newForm();
    const provider = ['form', 'provider', formId, name];
    const set = await onTestStack([...provider, '--secret-stdin'], {
      stdin: `whsec_${'c2VjcmV0'.repeat(4)}`,
    });
    expect(set).toMatchObject({ exitCode: 0, stderr: '' });
    const from = ['--surface', '1c', '--provider', name, '--form', formId, '--use-form-secret'];
    const sent = await resultOf<Summary>(['send', ...from, '--count', '2']);
    expect(sent).toMatchObject({ accepted: 2, rejected: 0, failed: 0, leads: 2 });
    const lead = await resultOf<{ surface: string; body: string; fields?: string }>([
      'leads',
      'show',
      sent.submissionIds[0] as string,
    ]);
    expect(lead.surface).toBe('1c');
    expect(JSON.parse(lead.fields ?? lead.body)).toMatchObject({ email: expect.stringMatching(/@/) });
  });

  test('is rejected with a wrong secret, and what makes no lead is ignored', async () => {
    const { formId } = await stack.newForm();
    await resultOf(['form', 'provider', formId, 'tally', '--generate-secret']);
    const from = ['send', '--surface', '1c', '--provider', 'tally', '--form', formId, '--json'];
    const wrong = await onTestStack([...from, '--secret-stdin'], { stdin: 'some other secret' });
    expect(JSON.parse(wrong.stdout)).toMatchObject({ accepted: 0, rejected: 1 });
    const file = fileOf('other.json', '{"eventType":"SOMETHING_ELSE"}');
    const ignored = await onTestStack([...from, '--use-form-secret', '--file', file]);
    expect(ignored.exitCode).toBe(1);
    expect(JSON.parse(ignored.stdout)).toMatchObject({ failed: 1, problems: { ignored: 1 } });
  });

  test('takes a server token without a provider', async () => {
    const sent = await resultOf<Summary>(['send', '--surface', '1c', '--token-stdin'], {
      stdin: tenant.token,
    });
    expect(sent).toMatchObject({ accepted: 1, leads: 1 });
  });
});

describe('surface 1a', () => {
  test('makes one lead from many submissions with one key', async () => {
    const sent = await resultOf<Summary>(
      ['send', '--surface', '1a', '--token-stdin', '--key', 'once', '--count', '5', '--concurrency', '2'],
      { stdin: tenant.token },
    );
    expect(sent).toMatchObject({ accepted: 5, leads: 1 });
  });

  test('makes as many leads as keys, and prints them for people', async () => {
    const run = await onTestStack(['send', '--surface', '1a', '--count', '7', '--key-each'], {
      environment: { LEADCTL_TOKEN: tenant.token },
    });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/^7 accepted, 0 rejected, 0 failed\.\nResponse time: p50 [\d.]+ ms/);
    expect(run.stdout).toContain('… and 2 more (--json lists all)');
    expect(run.stdout).not.toContain(tenant.token);
  });
});

test('generates leads that differ, are clean, and belong to nobody', () => {
  const leads = Array.from({ length: 200 }, () => generateLead());
  expect(new Set(leads.map(({ email }) => email)).size).toBe(200);
  expect(new Set(leads.map((lead) => Object.keys(lead).join())).size).toBeGreaterThan(3);
  for (const lead of leads) {
    expect(lead.email).toMatch(/^[a-z]+\.[a-z]+@[a-z]+-[a-z]+-[a-z]{6}\.com$/);
    if (lead.phone) expect(lead.phone).toMatch(/^\+44 20 7946 0\d{3}$|^\+1 212 555 01\d\d$/);
  }
  const clean = leads.filter((lead) => scoreLead(lead).clean);
  expect(clean.length).toBeGreaterThan(150);
});

test('sums up the outcomes', () => {
  const summary = summarize(
    [
      ...Array.from({ length: 99 }, (_, index) => ({
        outcome: 'accepted' as const,
        milliseconds: index + 1,
        submissionId: `id-${index}`,
      })),
      { outcome: 'failed', milliseconds: 500, problem: 'ECONNREFUSED' },
    ],
    120,
  );
  expect(summary).toMatchObject({ accepted: 99, failed: 1, milliseconds: { p50: 50, p99: 99 } });
  const lines = describeSending(summary, printedCommand);
  expect(lines[0]).toBe('99 accepted, 0 rejected, 1 failed; 20 not sent.');
  expect(lines).toContain('  ECONNREFUSED: 1');
});

describe('explain', () => {
  const BODY = '{"email":"ada@example.com"}';
  const now = () => String(Math.floor(Date.now() / 1000));
  const sign = (secret: string, timestamp: string, body: string) =>
    createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');

  async function explain(timestamp: string, signature: string, more: string[] = []) {
    const headers = ['--timestamp', timestamp, '--signature', signature];
    const args = ['explain', '--form', tenant.formId, ...headers, '--body-file', '-', ...more];
    const run = await onTestStack(args, { stdin: BODY });
    expect(run.stderr).toBe('');
    // Neither the secret nor the correct signature.
    expect(run.stdout).not.toContain(tenant.secret);
    if (run.exitCode !== 0) expect(run.stdout).not.toContain(sign(tenant.secret, timestamp, BODY));
    return run;
  }

  test.each<[what: string, signed: string, secondsAgo: number, exitCode: number, says: RegExp]>([
    ['a correct signature', BODY, 0, 0, /^Accepted\.\nThe 38 signed bytes begin with:\n {2}\d+\.\{"email":/],
    [
      'a trailing newline',
      `${BODY}\n`,
      0,
      1,
      /^Rejected: signature_mismatch\.\nThe signature doesn't match. Here's why:\n {2}body_newline_added: /,
    ],
    ['an old request', BODY, 4_000, 1, /^Rejected: timestamp_out_of_window\./],
  ])('recognises %s', async (_what, signed, secondsAgo, exitCode, says) => {
    const timestamp = String(Number(now()) - secondsAgo);
    const signature = sign(tenant.secret, timestamp, signed);
    const run = await explain(timestamp, signature);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stdout).toMatch(says);
    if (secondsAgo === 0) return;
    const { skewSeconds, ...told } = JSON.parse((await explain(timestamp, signature, ['--json'])).stdout);
    expect(told).toMatchObject({ accepted: false, signature: 'right' });
    expect(skewSeconds).toBeGreaterThanOrEqual(secondsAgo);
  });

  test('recognises the secret of another form of the workspace', async () => {
    const other = await stack.administration.createForm({ workspaceId: tenant.workspaceId, name: 'Other' });
    const { secret } = await stack.administration.setSecret({ formId: other.formId });
    const timestamp = now();
    const run = await explain(timestamp, sign(secret, timestamp, BODY));
    expect(run.stdout).toContain('secret_of_another_form');
    expect(run.stdout).toContain(`It belongs to the form “Other”. (${other.formId})`);
    expect(run.stdout).not.toContain(secret);
  });

  test('says that an inactive form accepts nothing, even with a correct signature', async () => {
    await stack.administration.setFormActive({ formId: tenant.formId, active: false });
    const timestamp = now();
    const run = await explain(timestamp, sign(tenant.secret, timestamp, BODY));
    await stack.administration.setFormActive({ formId: tenant.formId, active: true });
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(/^Rejected: form_inactive\.\nThe form is inactive/);
    expect(run.stdout).toContain('The signature matches.');
  });
});
