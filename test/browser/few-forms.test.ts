import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousFindings } from './axe.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, settled, shows, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';

const { administration, newOwner } = openOwners();

let browser: TestBrowser;
let owner: TestOwner;
let page: Page;
let errors: string[];

beforeAll(async () => {
  owner = await newOwner();
  const { workspaceId } = owner;
  const { formId } = await administration.createForm({ workspaceId, name: 'Spring fair' });
  await administration.createToken({ formId, name: 'Stand 12' });
  await administration.archiveForm(formId);
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner, '/leads');
});
afterAll(() => browser.close());

test('where only archived forms are left, nobody is told that there were none', async () => {
  await page.getByRole('link', { name: 'View leads of archived forms' }).waitFor();
  for (const path of ['/leads', '/forms', '/send-test']) {
    await goTo(page, path);
    await shows(page, 'No forms', { exact: true });
    await settled(page);
    expect(
      await page
        .getByRole('main')
        .getByText(/yet|first/)
        .count(),
    ).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
  }
});

test('the address for tokens is on their page, whether or not a token was just made', async () => {
  await goTo(page, '/tokens');
  await page.getByRole('button', { name: 'Copy URL' }).click();
  const address = (await page.evaluate('navigator.clipboard.readText()')) as string;
  expect(address).toMatch(/^http.*\/api\/v1\/ingest$/);
  await page.getByRole('button', { name: 'Copy command' }).click();
  const command = await page.evaluate('navigator.clipboard.readText()');
  expect(command).toContain(`curl -i '${address}'`);
  expect(command).toContain('Bearer YOUR_TOKEN');
  expect(await seriousFindings(page)).toEqual([]);
});

test('going back after creating a form does not reopen the dialog', async () => {
  await goTo(page, '/forms?create=true');
  await page.getByRole('dialog').getByLabel('Name').fill('Contact us');
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await shows(page, 'No webhook secret');
  await page.goBack();
  await page.getByRole('link', { name: 'Leads of Contact us' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('a test result shows whether the lead is clean and its score breakdown', async () => {
  await page.getByRole('link', { name: 'Delivery settings of Contact us' }).click();
  await page.getByRole('button', { name: 'Generate secret' }).click();
  await page.getByRole('button', { name: 'hide the webhook secret' }).click();
  await goTo(page, '/send-test');
  await page.getByRole('textbox', { name: 'Body' }).waitFor();
  const font = await page.evaluate('getComputedStyle(document.querySelector("textarea")).fontFamily');
  expect(font).toMatch(/mono/i);
  await page.getByRole('button', { name: 'Send test' }).click();
  await shows(page, 'Not clean', { exact: true });
  await shows(page, 'Score breakdown');
  await page
    .getByText(/^−60: .*makes the lead not clean/)
    .first()
    .waitFor();
  expect(await seriousFindings(page)).toEqual([]);
});

test('what makes a lead not clean is on its own line', async () => {
  await page.getByRole('link', { name: 'View lead' }).click();
  const finding = page.getByRole('row').filter({ hasText: 'test_address' });
  const [name, mark] = await Promise.all([
    finding.getByText('test_address').boundingBox(),
    finding.getByText('Makes the lead not clean').boundingBox(),
  ]);
  expect(mark?.y).toBeGreaterThanOrEqual((name?.y ?? Number.NaN) + (name?.height ?? Number.NaN));
});

test('the forms list shows until when a previous secret works', async () => {
  await goTo(page, '/forms');
  await page.getByRole('link', { name: 'Delivery settings of Contact us' }).click();
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('button', { name: 'hide the webhook secret' }).click();
  await goTo(page, '/forms');
  await page.getByRole('cell', { name: /The previous secret works until \d/ }).waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});
