import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { seriousFindings } from './axe.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, settled, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';

const SCRIPT = '<script>window.broken = true</script><img src=x onerror="window.broken = true">';
const LONG = 'x'.repeat(10_000);
const RIGHT_TO_LEFT = 'שלום \u202e gnp.exe';
const EMOJI = '👩🏽‍🚀🏴󠁧󠁢󠁳󠁣󠁴󠁿';
const FORMULA = '=HYPERLINK("http://evil.example","click")';

const BODY = JSON.stringify({
  name: SCRIPT,
  [SCRIPT]: 'as a key',
  long: LONG,
  rtl: RIGHT_TO_LEFT,
  emoji: EMOJI,
  formula: FORMULA,
  nested: { deep: [SCRIPT, { deeper: LONG }] },
});

let browser: TestBrowser;
let page: Page;
let errors: string[];
let form: Tenant;
let leadId: string;

beforeAll(async () => {
  const owners = openOwners();
  const owner = await owners.newOwner(SCRIPT.slice(0, 90));
  const { workspaceId } = owner;
  const { formId, slug } = await owners.administration.createForm({ workspaceId, name: SCRIPT.slice(0, 90) });
  const { secret } = await owners.administration.setSecret({ formId });
  const { token, tokenId } = await owners.administration.createToken({ formId, name: SCRIPT.slice(0, 90) });
  form = { workspaceId, formId, slug, secret, token, tokenId };
  leadId = submissionId(await submit('1b', form, { body: BODY }));
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner);
});
afterAll(() => browser.close());

test.each([
  ['the table', () => `/forms/${form.formId}/leads`],
  ['the lead', () => `/forms/${form.formId}/leads/${leadId}`],
  ['the overview', () => '/'],
  ['the forms', () => '/forms'],
  ['the tokens', () => '/tokens'],
])('%s shows it as text within its container', async (_, path) => {
  await goTo(page, path());
  await settled(page);
  await page.getByText('<script>').first().waitFor({ state: 'attached' });
  expect(await page.evaluate('window.broken')).toBeUndefined();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
  expect(await seriousFindings(page)).toEqual([]);
});

test('the lead shows every value whole', async () => {
  await goTo(page, `/forms/${form.formId}/leads/${leadId}`);
  await settled(page);
  const text = await page.locator('body').innerText();
  for (const value of [SCRIPT, EMOJI, FORMULA, 'שלום']) expect(text).toContain(value);
});

test('the export makes the formula harmless', async () => {
  await goTo(page, `/forms/${form.formId}/leads`);
  await settled(page);
  // Without a picker, as in browsers that have none, the file is downloaded.
  await page.evaluate('delete window.showSaveFilePicker');
  await page.getByRole('button', { name: /Export/ }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /CSV/ }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const csv = Buffer.concat(chunks).toString('utf8');
  expect(csv).toContain(LONG);
  expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"",""click"")"`);
});

test('nothing went wrong in the page', () => {
  expect(errors).toEqual([]);
});
