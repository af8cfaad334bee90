import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { seriousFindings } from './axe.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, settled, shows, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';

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
