import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { shows } from './console.ts';
import { openOwners } from './owners.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

/** Runs a snippet of the console as it is. */
const run = (code: string, env: Record<string, string>) =>
  promisify(execFile)('bash', ['-c', code], { env: { ...process.env, ...env } });
const expectAccepted = async (...of: Parameters<typeof run>) =>
  expect((await run(...of)).stdout).toContain('submission_id');
const expectRejected = (...of: Parameters<typeof run>) =>
  expect(run(...of)).rejects.toMatchObject({ stdout: expect.stringContaining('rejected') });
const owners = openOwners();

let page: Page;

beforeAll(async () => {
  page = await browser.openAs(await owners.newOwner());
});

const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const visit = (name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click();
async function copy(what: string): Promise<string> {
  await page.getByRole('button', { name: `Copy ${what}`, exact: true }).click();
  return (await page.evaluate('navigator.clipboard.readText()')) as string;
}

/** What an owner does after the first sign-in. Each step continues from the one before. */
let code: string;
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
  code = await copy('code for curl');
  expect(code).toContain(await copy('webhook URL'));
  await expectAccepted(code, { LEAD_INGEST_SECRET: firstSecret });
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

test('the previous secret is expired after a rotation', async () => {
  await visit('Forms');
  await page.getByRole('link', { name: 'Delivery settings of Contact us' }).click();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  expect(await copy('webhook secret')).not.toBe(firstSecret);
  await page.getByRole('button', { name: 'Expire now' }).click();
  await shows(page, 'You can’t undo this.');
  expect(await page.getByRole('dialog').innerText()).not.toContain('before then');
  await page.getByRole('dialog').getByRole('button', { name: 'Expire now' }).click();
  await shows(page, 'Previous webhook secret expired.');
  await expectRejected(code, { LEAD_INGEST_SECRET: firstSecret });
});

test('the rejection shows in Diagnostics with its reason', async () => {
  await visit('Diagnostics');
  await shows(page, /signature/i);
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
  await expectAccepted(command, { LEAD_INGEST_TOKEN: token });

  await page.getByRole('button', { name: /^Revoke/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await shows(page, / revoked\./);
  await expectRejected(command, { LEAD_INGEST_TOKEN: token });
});
