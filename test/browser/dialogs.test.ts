import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { openAs, shows, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';

let browser: TestBrowser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, await openOwners().newOwner(), '/forms?create=true');
});
afterAll(() => browser.close());

const dialog = () => page.getByRole('dialog');
const button = (name: string) => dialog().getByRole('button', { name, exact: true });

test('Enter submits, and a running request cannot be dismissed', async () => {
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
  expect(await button('Cancel').last().isDisabled()).toBe(true);
  expect(await dialog().isVisible()).toBe(true);

  await request.fulfill({ status: 500, json: { title: 'Out of order' } });
  await shows(dialog(), 'Out of order');
  await page.unroute('**/settings/forms');
  await button('Create').click();
  await shows(page, 'Form “Contact us” created.');
});

test('Escape closes an idle dialog', async () => {
  await page.getByRole('button', { name: 'Generate secret' }).waitFor();
  await page.getByRole('link', { name: 'Contact us', exact: true }).click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await dialog().waitFor();
  await page.keyboard.press('Escape');
  await dialog().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await button('Deactivate').click();
  await shows(page, 'Form “Contact us” deactivated.');
  expect(errors).toEqual([]);
});
