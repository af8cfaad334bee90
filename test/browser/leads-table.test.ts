import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submit, type Tenant } from '../contract/tenant.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';

let browser: TestBrowser;
let owner: TestOwner;
let page: Page;
let errors: string[];
let form: Tenant;

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  owner = await newOwner();
  const { workspaceId } = owner;
  const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact us' });
  const { secret } = await administration.setSecret({ formId });
  const { token, tokenId } = await administration.createToken({ formId });
  form = { workspaceId, formId, slug, secret, token, tokenId };
  const send = (body: object) => submit('1b', form, { body: JSON.stringify(body) });
  for (const name of ['Ada Byron', 'Grace Hopper', 'Hedy Lamarr']) {
    await send({ name, email: 'someone@analytical-engines.co.uk', '': 'nameless' });
  }
  await send(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`answer ${n}`, `${n}`])));
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner, `/forms/${formId}/leads`);
  await settled(page);
});
afterAll(() => browser.close());

const rows = (at: Page) => at.getByRole('table', { name: 'Leads' }).locator('tbody tr');

test('the column choice lists the most used keys first and says if some are missing', async () => {
  await page.getByRole('button', { name: 'Columns' }).click();
  const dialog = page.getByRole('dialog');
  await shows(dialog, 'aren’t listed');
  const listed = await dialog.getByRole('listitem').allInnerTexts();
  expect(listed.slice(0, 6).map((text) => text.trim())).toEqual([
    'Received',
    'Score',
    'name',
    'email',
    '(no name)',
    'answer 0',
  ]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('the export says where nested values are', async () => {
  await page.getByRole('button', { name: 'Export' }).click();
  await shows(page, 'nested values as JSON in the last column');
  await page.keyboard.press('Escape');
});

test('the export of the columns shown has them in the order of the list', async () => {
  const heads = await page.getByRole('columnheader').allInnerTexts();
  // Browsers without a file picker download the file.
  await page.evaluate('delete window.showSaveFilePicker');
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^CSV, columns shown/ }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const [header = ''] = Buffer.concat(chunks).toString('utf8').slice(1).split('\r\n');
  const shown = heads.map((head) => head.trim()).filter((head) => head !== '');
  expect(shown.slice(0, 4)).toEqual(['Received', 'Score', 'name', 'email']);
  expect(header.split(',').slice(0, 5)).toEqual(['received_at', 'score', 'grade', 'name', 'email']);
  expect(header).toMatch(/,clean,enrichment,surface$/);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
});

test('a wrong score range is shown below its field without moving the table', async () => {
  const head = page.getByRole('columnheader', { name: 'Received', exact: true });
  const before = await head.boundingBox();
  await page.getByLabel('Minimum score').fill('80');
  await page.getByLabel('Maximum score', { exact: true }).fill('20');
  await shows(page, 'Must be at least the minimum.');
  await shows(page, 'No leads match');
  expect((await head.boundingBox())?.y).toBe(before?.y);
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByLabel('Maximum score', { exact: true }).fill('1000');
  await shows(page, 'Enter 0 to 100.');
  expect((await head.boundingBox())?.y).toBe(before?.y);
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await rows(page).nth(3).waitFor();
});

test('deleting leads is announced and moves the focus to the heading', async () => {
  const boxes = page.getByRole('checkbox', { name: /^Select lead received/ });
  await boxes.nth(0).check({ force: true });
  await boxes.nth(1).check({ force: true });
  await page.getByRole('main').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page
    .locator('[aria-live]')
    .filter({ hasText: /^2 leads deleted\.$/ })
    .first()
    .waitFor({ state: 'attached' });
  expect(await page.evaluate('document.activeElement?.textContent')).toBe('Leads');
  expect(await rows(page).count()).toBe(2);
});

test("the only form's breadcrumb goes to the forms", async () => {
  const above = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').first();
  expect(await above.getAttribute('href')).toBe('/forms');
});

test('retrying a lead also retries its form', async () => {
  const address = (await rows(page).first().getByRole('link').getAttribute('href')) as string;
  const broken = /\/settings\/(leads|forms)\//;
  await page.route(broken, (route) => route.fulfill({ status: 400, json: { title: 'Broken' } }));
  await openAs(page, owner, address);
  await shows(page, 'Couldn’t load the lead');
  await settled(page);
  await page.unroute(broken);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Contact us' }).waitFor();
});

test('a phone shows the time, score and first field without scrolling sideways', async () => {
  const phone = await browser.newPage({
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
  });
  const phoneErrors = watchForErrors(phone);
  await openAs(phone, owner, `/forms/${form.formId}/leads`);
  await settled(phone);
  const row = rows(phone).last();
  expect(await row.locator('time').getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  for (const seen of [row.locator('time'), row.getByText(/^Score/), row.getByText('Ada Byron')]) {
    const { x = 0, width = 999 } = (await seen.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(351);
  }
  expect(await seriousFindings(phone)).toEqual([]);
  await goTo(phone, '/forms');
  const link = await phone.getByRole('link', { name: 'Delivery settings of Contact us' }).boundingBox();
  expect((link?.x ?? 0) + (link?.width ?? 999)).toBeLessThanOrEqual(351);
  expect([...errors, ...phoneErrors]).toEqual([]);
});
