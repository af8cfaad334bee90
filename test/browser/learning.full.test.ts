import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Tenant } from '../contract/tenant.ts';
import { goTo, settled, shows } from './console.ts';
import { newForm, newOwnerWithForm, seedLearned, sendLead } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

const LEAD = {
  name: 'Ada Byron',
  email: 'ada@analytical-engines.co.uk',
  message: 'We would like a quote for 40 seats, starting in March.',
};

let page: Page;
let form: Tenant;

const toggle = () => page.getByRole('checkbox', { name: 'Learn from verdicts' });
const table = (name: string) => page.getByRole('grid', { name });

beforeAll(async () => {
  const created = await newOwnerWithForm();
  ({ form } = created);
  const other = await newForm(form.workspaceId, 'Newsletter');
  await seedLearned(form.workspaceId, other.formId);
  page = await browser.openAs(created.owner, '/senders', { viewport: { width: 1440, height: 900 } });
});

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

test('a lead names the words, and leads to what was learned', async () => {
  const id = await sendLead(form, LEAD);
  await goTo(page, `/forms/${form.formId}/leads/${id}`);
  const row = page.getByRole('listitem').filter({ hasText: 'Learned from your verdicts: quote, seats' });
  await shows(row, /^\+\d+ = \d+$/);
  await row.getByRole('link', { name: 'What was learned' }).click();
  await page.getByRole('heading', { level: 1, name: 'Learned from your verdicts' }).waitFor();
});

test('it is turned off by keyboard, which keeps the focus', async () => {
  await toggle().focus();
  await page.keyboard.press('Space');
  await shows(page, 'Learning is off. New leads are scored without your verdicts.');
  await shows(page, 'Your verdicts change only the leads that you mark, and the list of senders.');
  expect(await table('Raises the score').count()).toBe(0);
  expect(await toggle().isChecked()).toBe(false);
  expect(await page.evaluate('document.activeElement.type')).toBe('checkbox');
});
