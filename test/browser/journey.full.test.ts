import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { shows } from './console.ts';
import { openOwners } from './owners.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

const run = promisify(execFile);
const owners = openOwners();

let page: Page;

beforeAll(async () => {
  page = await browser.openAs(await owners.newOwner());
});

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const visit = (name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click();
const clipboard = async () => (await page.evaluate('navigator.clipboard.readText()')) as string;

async function copy(what: string): Promise<string> {
  await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
  return clipboard();
}

/** What an owner does after the first sign-in. Each step continues from the one before. */
let url: string;
let firstSecret: string;

test('an empty workspace leads to the first form', async () => {
  await heading('Overview').waitFor();
  await page
    .getByRole('link', { name: /Create your first form/ })
    .or(page.getByRole('button', { name: /Create your first form/ }))
    .click();
  await page.getByRole('dialog').getByLabel('Name').fill('Contact us');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await shows(page, 'No webhook secret');
});

test('the form gets its secret, shown once', async () => {
  await page.getByRole('button', { name: 'Generate secret' }).click();
  firstSecret = await copy('webhook secret');
  expect(firstSecret).toMatch(/^whsec_[A-Za-z0-9]+$/);
  await page.getByRole('button', { name: 'hide the webhook secret' }).click();
  expect(await page.content()).not.toContain(firstSecret);
});

test('the shell snippet runs unchanged', async () => {
  const code = await copy('code for curl');
  url = await copy('webhook URL');
  expect(code).toContain(url);
  const { stdout } = await run('bash', ['-c', code], {
    env: { ...process.env, LEAD_INGEST_SECRET: firstSecret },
  });
  expect(stdout).toContain('submission_id');
});

test('the lead is in the table, and opens with its score explained', async () => {
  await visit('Leads');
  const table = page.getByRole('table', { name: 'Leads' });
  await table.getByRole('row').nth(1).waitFor();
  expect(await table.getByRole('row').count()).toBe(2);
  await table.getByRole('row').nth(1).getByRole('link').click();
  await page.getByRole('heading', { name: 'Score' }).waitFor();
  await page.getByRole('tab', { name: 'Body' }).click();
  await shows(page, 'ada.byron@example.com');
});

test('the debugger explains a wrong signature and shows the difference', async () => {
  await visit('Forms');
  await page.getByRole('link', { name: 'Delivery settings of Contact us' }).click();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = '{"name": "Ada Byron"}';
  const signature = createHmac('sha256', firstSecret)
    .update(`${timestamp}.{"name":"Ada Byron"}`)
    .digest('hex');
  await page.getByRole('button', { name: 'curl command' }).click();
  await page
    .getByRole('textbox', { name: 'curl command' })
    .fill(
      `curl '${url}' -H 'X-SVC-Timestamp: ${timestamp}' -H 'X-SVC-Signature: ${signature}' --data-raw '${body}'`,
    );
  await page.getByRole('button', { name: 'Check signature' }).click();
  await page
    .getByText(/serialized again|different spacing/i)
    .first()
    .waitFor();
});

test('the previous secret is expired after a rotation', async () => {
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  expect(await copy('webhook secret')).not.toBe(firstSecret);
  await page.getByRole('button', { name: 'Expire now' }).click();
  await shows(page, 'You can’t undo this.');
  expect(await page.getByRole('dialog').innerText()).not.toContain('before then');
  await page.getByRole('dialog').getByRole('button', { name: 'Expire now' }).click();
  await shows(page, 'Previous webhook secret expired.');
  expect(await statusOf(firstSecret)).toBe(200);
});

test('the rejection shows in Diagnostics with its reason', async () => {
  await visit('Diagnostics');
  await page
    .getByText(/signature/i)
    .first()
    .waitFor();
});

test('a test submission becomes a lead that is marked', async () => {
  await visit('Send test');
  await page.getByRole('button', { name: /^Send/ }).click();
  await shows(page, 'Test lead accepted');
  await page
    .getByRole('link', { name: 'View lead' })
    .or(page.getByRole('button', { name: 'View lead' }))
    .click();
  await shows(page, /test/i);
});

test('a token is shown once, works, and is revoked at once', async () => {
  await visit('Ingest tokens');
  await page.getByRole('button', { name: 'Create server token' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  const token = await copy('token');
  expect(token).toMatch(/^ingt_srv_/);
  const command = await copy('code for curl');
  const env = { ...process.env, LEAD_INGEST_TOKEN: token };
  const { stdout } = await run('bash', ['-c', command], { env });
  expect(stdout).toContain('submission_id');

  await page.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await shows(page, / revoked\./);
  await expect(run('bash', ['-c', command], { env })).rejects.toMatchObject({
    stdout: expect.stringContaining('rejected'),
  });
});

async function statusOf(secret: string): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const body = '{"name":"Ada Byron","email":"ada@analytical-engines.co.uk"}';
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-svc-timestamp': timestamp,
      'x-svc-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
    },
    body,
  });
  return response.status;
}
