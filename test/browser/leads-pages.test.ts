import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submit, type Tenant } from '../contract/tenant.ts';
import { until } from '../until.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';

const PAGE = 50;
const LEADS = 60;
const WIDTHS = [390, 1280];

let browser: TestBrowser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  const owner = await newOwner();
  const { workspaceId } = owner;
  const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact us' });
  const { secret } = await administration.setSecret({ formId });
  const { token, tokenId } = await administration.createToken({ formId });
  const form: Tenant = { workspaceId, formId, slug, secret, token, tokenId };
  const send = (body: object) => submit('1b', form, { body: JSON.stringify(body) });
  for (let index = 1; index < LEADS; index += 1) {
    await send({ name: `Lead ${index}`, email: `lead${index}@analytical-engines.co.uk` });
  }
  await send({ name: 'Ada Byron', email: 'ada.byron@example.com', _test: true });
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner, `/forms/${formId}/leads`);
  await settled(page);
});
afterAll(() => browser.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const rows = () => page.getByRole('table', { name: 'Leads' }).locator('tbody tr');
const rowsBecome = (expected: number) =>
  until(
    () => rows().count(),
    (count) => count === expected,
  );

test('a test lead is listed as a test, without a score and without a warning', async () => {
  const row = rows().first();
  await row.getByText('Ada Byron').waitFor();
  expect(await row.getByText('Test', { exact: true }).count()).toBe(2);
  expect(await row.getByText('Not clean').count()).toBe(0);
  expect(await row.getByText('D', { exact: true }).count()).toBe(0);
});

test('leads are listed 50 to a page, newest first', async () => {
  expect(await rowsBecome(PAGE)).toBe(PAGE);
  expect(await button('Newer leads').isDisabled()).toBe(true);
  await button('Older leads').click();
  expect(await rowsBecome(LEADS - PAGE)).toBe(LEADS - PAGE);
  await shows(page, '(page 2)');
  await rows().last().getByText('Lead 1', { exact: true }).waitFor();
  expect(await button('Older leads').isDisabled()).toBe(true);
});

test('the page is still there after a lead was opened', async () => {
  await rows().last().getByRole('link').click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await rows().last().waitFor({ state: 'detached' });
  await page.goBack();
  expect(await rowsBecome(LEADS - PAGE)).toBe(LEADS - PAGE);
  await button('Newer leads').click();
  expect(await rowsBecome(PAGE)).toBe(PAGE);
});

test('a filter starts on its first page', async () => {
  await button('Older leads').click();
  await rowsBecome(LEADS - PAGE);
  await page.getByLabel('Minimum score').fill('1');
  expect(await rowsBecome(PAGE)).toBe(PAGE);
  await button('Older leads').click();
  expect(await rowsBecome(LEADS - PAGE - 1)).toBe(LEADS - PAGE - 1);
  await page.getByLabel('Minimum score').fill('');
  expect(await rowsBecome(PAGE)).toBe(PAGE);
  expect(await button('Newer leads').isDisabled()).toBe(true);
});

test('a page that cannot be loaded says so, and the previous one is a click away', async () => {
  const broken = /\/leads\?.*cursor=/;
  await page.route(broken, (route) => route.fulfill({ status: 400, json: { title: 'Broken' } }));
  await page.getByLabel('Minimum score').fill('2');
  await page.waitForURL(/minScore=2/);
  await settled(page);
  await button('Older leads').click();
  await shows(page, 'Couldn’t load the leads');
  await button('Newer leads').click();
  expect(await rowsBecome(PAGE)).toBe(PAGE);
  await page.unroute(broken);
});

test.each(WIDTHS)('the list fits %d pixels and has no serious finding', async (width) => {
  await page.setViewportSize({ width, height: 900 });
  await settled(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await button('Older leads').scrollIntoViewIfNeeded();
  expect(await seriousFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});
