import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openContract, submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';
import { newForm, seedLearned } from './seed-items.ts';

const LEAD = {
  name: 'Ada Byron',
  email: 'ada@analytical-engines.co.uk',
  message: 'We would like a quote for 40 seats, starting in March.',
};

const contract = openContract();
let browser: TestBrowser;
let page: Page;
let errors: string[];
let form: Tenant;

const send = async () => submissionId(await submit('1b', form, { body: JSON.stringify(LEAD) }));
const pointsLearned = async (id: string) =>
  (await contract.lead(id))?.signals.find(({ name }) => name === 'learned')?.weight;
const toggle = () => page.getByRole('checkbox', { name: 'Learn from verdicts' });
const table = (name: string) => page.getByRole('grid', { name });

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  const owner = await newOwner();
  form = await newForm(administration, owner.workspaceId, 'Contact us');
  const other = await newForm(administration, owner.workspaceId, 'Newsletter');
  await seedLearned(owner.workspaceId, other.formId);
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  errors = watchForErrors(page);
  await openAs(page, owner, '/senders');
});
afterAll(() => browser.close());

test('what was learned is reached from the senders, apart by what it does, with the forms’ names', async () => {
  await page.getByRole('link', { name: 'Learned from your verdicts' }).click();
  await page.getByRole('heading', { level: 1, name: 'Learned from your verdicts' }).waitFor();
  await settled(page);
  await shows(page, '14 leads from 11 senders');
  await shows(page, '9 leads from 8 senders');
  const raises = table('Raises the score');
  await raises.getByRole('row', { name: /“seats”\s*Only Newsletter \+7/ }).waitFor();
  await raises.getByRole('row', { name: /“demo”\s*All forms except Newsletter \+3/ }).waitFor();
  await raises.getByRole('row', { name: /Company given\s*All forms \+3/ }).waitFor();
  await table('Lowers the score')
    .getByRole('row', { name: /“guaranteed”\s*All forms −7/ })
    .waitFor();
});

test('a long list shows the strongest first, and all on demand, by the same button', async () => {
  const PATH = '**/settings/learning';
  await page.route(PATH, async (route) => {
    const response = await route.fetch();
    const words = Array.from({ length: 40 }, (_, n) => ({ word: `w${n}`, points: 1, formId: null }));
    await route.fulfill({ response, json: { ...(await response.json()), words } });
  });
  await page.reload();
  const rows = table('Raises the score').getByRole('row');
  const more = page.getByRole('button', { name: 'Show all 41' });
  await more.waitFor();
  expect(await rows.count()).toBe(1 + 15);
  await more.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show the first 15' }).waitFor();
  expect(await rows.count()).toBe(1 + 41);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Show the first 15');
  await page.unroute(PATH);
});

test('a lead names the words, and leads to what was learned', async () => {
  const id = await send();
  expect(await pointsLearned(id)).toBe(11);
  await goTo(page, `/forms/${form.formId}/leads/${id}`);
  const row = page.getByRole('listitem').filter({ hasText: 'Learned from your verdicts: quote, seats' });
  await shows(row, /^\+\d+ = \d+$/);
  await row.getByRole('link', { name: 'What was learned' }).click();
  await page.getByRole('heading', { level: 1, name: 'Learned from your verdicts' }).waitFor();
});

test('it is turned off by keyboard, which keeps the focus, and the next lead is scored without it', async () => {
  await toggle().focus();
  await page.keyboard.press('Space');
  await shows(page, 'Learning is off. New leads are scored without your verdicts.');
  await shows(page, 'Your verdicts change only the leads that you mark, and the list of senders.');
  expect(await table('Raises the score').count()).toBe(0);
  expect(await toggle().isChecked()).toBe(false);
  expect(await page.evaluate('document.activeElement.type')).toBe('checkbox');
  expect(await seriousFindings(page)).toEqual([]);
  expect(await pointsLearned(await send())).toBeUndefined();
});

test('a refusal is shown, and the switch stays as it was', async () => {
  const PATH = '**/settings/learning';
  await page.route(PATH, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 500, json: { title: 'Broken' } })
      : route.fallback(),
  );
  await toggle().click();
  await shows(page, /Couldn’t turn learning on\./);
  expect(await toggle().isChecked()).toBe(false);
  await page.unroute(PATH);
  await toggle().click();
  await shows(page, 'Learning is on. What your verdicts teach appears here in about a minute.');
  expect(await toggle().isChecked()).toBe(true);
  expect(errors).toEqual([]);
});
