import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';

describe('dialogs', () => {
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
});

describe('retention', () => {
  let browser: TestBrowser;
  let page: Page;
  let errors: string[];
  let form: Tenant;

  beforeAll(async () => {
    const { administration, newOwner } = openOwners();
    const owner = await newOwner();
    const { workspaceId } = owner;
    const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact us' });
    const { secret } = await administration.setSecret({ formId });
    const { token, tokenId } = await administration.createToken({ formId });
    form = { workspaceId, formId, slug, secret, token, tokenId };
    browser = await openBrowser();
    page = await browser.newPage();
    errors = watchForErrors(page);
    await openAs(page, owner, `/forms/${formId}`);
  });
  afterAll(() => browser.close());

  test('setting retention gives new leads a deletion date', async () => {
    const days = page.getByLabel('Delete leads after');
    const save = page.getByRole('button', { name: 'Save retention' });
    await days.fill('0');
    await shows(page, 'Enter a whole number from 1 to 3,650, or leave empty.');
    expect(await save.isDisabled()).toBe(true);

    const before = submissionId(await submit('1b', form, {}));
    await days.fill('30');
    await save.click();
    await shows(page, 'New leads are deleted after 30 days.');
    const after = submissionId(await submit('1b', form, {}));
    expect(await seriousFindings(page)).toEqual([]);

    await goTo(page, `/forms/${form.formId}/leads/${after}`);
    await shows(page, 'Deleted on', { exact: true });
    await goTo(page, `/forms/${form.formId}/leads/${before}`);
    await shows(page, before);
    await settled(page);
    expect(await page.getByText('Deleted on', { exact: true }).count()).toBe(0);
    expect(errors).toEqual([]);
  });
});
