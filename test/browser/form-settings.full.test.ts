import { beforeAll, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import type { Tenant } from '../contract/tenant.ts';
import { goTo, seriousFindings, shows } from './console.ts';
import { newOwnerWithForm, sendLead } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();
let page: Page;
let form: Tenant;

beforeAll(async () => {
  const created = await newOwnerWithForm('Newsletter');
  ({ form } = created);
  page = await browser.openAs(created.owner, '/forms?create=true');
});

const dialog = () => page.getByRole('dialog');
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true });

test('Enter submits a dialog, and a running request cannot be dismissed', async () => {
  const asked = Promise.withResolvers<Route>();
  await page.route('**/settings/forms', (route) =>
    route.request().method() === 'POST' ? asked.resolve(route) : route.continue(),
  );
  const name = dialog().getByLabel('Name');
  await name.press('Enter');
  await shows(dialog(), 'Enter a name.');

  await name.fill('Contact us');
  await name.press('Enter');
  const request = await asked.promise;
  await page.keyboard.press('Escape');
  expect(await inDialog('Cancel').last().isDisabled()).toBe(true);
  expect(await dialog().isVisible()).toBe(true);

  await request.fulfill({ status: 500, json: { title: 'Out of order' } });
  await shows(dialog(), 'Out of order');
  await page.unroute('**/settings/forms');
  await inDialog('Create').click();
  await shows(page, 'Form “Contact us” created.');
});

test('going back after creating a form does not reopen the dialog', async () => {
  await page.goBack();
  await page.getByRole('link', { name: 'Leads of Contact us' }).waitFor();
  expect(await dialog().count()).toBe(0);
});

test('setting retention gives new leads a deletion date', async () => {
  await goTo(page, `/forms/${form.formId}`);
  const days = page.getByLabel('Delete leads after');
  const save = page.getByRole('button', { name: 'Save retention' });
  await days.fill('0');
  await shows(page, 'Enter a whole number from 1 to 3,650, or leave empty.');
  expect(await save.isDisabled()).toBe(true);
  await days.fill('30');
  await save.click();
  await shows(page, 'New leads are deleted after 30 days.');
  expect(await seriousFindings(page)).toEqual([]);
  await goTo(page, `/forms/${form.formId}/leads/${await sendLead(form, { name: 'Ada Byron' })}`);
  await shows(page, 'Deleted on', { exact: true });
});
