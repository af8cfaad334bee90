import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openContract, submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { CONSOLE_URL, goTo, seriousFindings, settled, shows } from './console.ts';
import { newForm, newOwnerWithForm, untilListed } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

/** Each step continues from the one before. */
let page: Page;
let form: Tenant;
let contactId: string;
let leadId: string;

beforeAll(async () => {
  const created = await newOwnerWithForm('Spring fair');
  ({ form } = created);
  ({ formId: contactId } = await newForm(form.workspaceId, 'Contact us'));
  leadId = submissionId(await submit('1b', form, {}));
  await untilListed(form, 1);
  page = await browser.openAs(created.owner, '/forms');
});

const section = () => page.getByRole('button', { name: /^Archived forms/ });
const archivedTable = () => page.getByRole('table', { name: 'Archived forms' });
const leadLink = () => page.locator(`a[href*="${leadId}"]`);

test('archiving moves a form to the archived list, where its leads stay available', async () => {
  await page.getByRole('button', { name: 'More actions for Spring fair' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
  await shows(page, 'Form “Spring fair” archived.');
  expect(await archivedTable().count()).toBe(0);
  await section().click();
  await archivedTable().getByRole('link', { name: 'Leads of Spring fair' }).waitFor();
  expect(await page.getByRole('button', { name: 'More actions for Spring fair' }).count()).toBe(0);
  await page.reload();
  await archivedTable().getByRole('link', { name: 'Leads of Spring fair' }).click();
  await shows(page, 'This form is archived');
  await leadLink().waitFor();
});

test('unavailable actions are not offered', async () => {
  const main = page.getByRole('main');
  const dead = main.getByText(/^(Form settings|Delivery settings|Send test|Archive form)$/);
  expect(await dead.count()).toBe(0);
  await leadLink().click();
  await page.getByRole('heading', { name: 'Score' }).waitFor();
  await settled(page);
  expect(await page.getByText('Next steps').count()).toBe(0);
  await goTo(page, `/forms/${form.formId}`);
  await shows(page, 'This form is archived');
  await main.getByRole('link', { name: 'Leads', exact: true }).waitFor();
  expect(await dead.count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'View archived forms' }).click();
  await archivedTable().waitFor();
});

test('it is reachable from the leads of other forms, and its token shows its name', async () => {
  await goTo(page, '/leads');
  await page.getByRole('row').filter({ hasText: 'Spring fair (archived)' }).waitFor();
  await goTo(page, '/forms');
  await page.getByRole('link', { name: 'Leads of Contact us' }).click();
  await shows(page, 'No leads yet');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('button', { name: /^Form / }).click();
  await page.getByRole('option', { name: 'Spring fair (archived)' }).click();
  await leadLink().waitFor();
  await goTo(page, '/tokens');
  await page.getByRole('link', { name: 'Spring fair (archived)' }).waitFor();
});

test('if all forms are archived, pages do not say that there never were any', async () => {
  await openContract().administration.archiveForm(contactId);
  await page.goto(CONSOLE_URL);
  await shows(page, 'All your forms are archived');
  expect(await page.getByText('to get started').count()).toBe(0);
  await page.getByRole('link', { name: 'Archived forms' }).click();
  await archivedTable().waitFor();
  for (const path of ['/forms', '/send-test']) {
    await goTo(page, path);
    await shows(page, 'No forms', { exact: true });
    await settled(page);
    const never = page.getByRole('main').getByText(/yet|first/);
    expect(await never.count()).toBe(0);
  }
});
