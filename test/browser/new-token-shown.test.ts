import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, shows } from './console.ts';
import { openOwners } from './owners.ts';

let browser: TestBrowser;
let page: Page;

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  const owner = await newOwner();
  await administration.createForm({ workspaceId: owner.workspaceId, name: 'Contact us' });
  browser = await openBrowser();
  page = await browser.newPage();
  await openAs(page, owner, '/tokens?create=1');
});
afterAll(() => browser.close());

const shown = () => page.getByTestId('shown-once');
const visit = (name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click();

test('a new token takes the focus and stays until the owner confirms saving it', async () => {
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await shown().waitFor();
  const token = (await shown().innerText()).trim();
  expect(await page.evaluate(`document.activeElement.closest('[role=group]')?.textContent`)).toContain(token);
  await visit('Forms');
  await shown().waitFor({ state: 'detached' });
  await visit('Ingest tokens');
  expect((await shown().innerText()).trim()).toBe(token);
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await shown().waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(token);
});

const create = async (name: string) => {
  await page.getByRole('button', { name: 'Create server token' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
};

test('a second token does not replace the first, and a revoked one is hidden', async () => {
  await create('First');
  await shows(page, 'Server token “First” created');
  await create('Second');
  await shows(page, 'Server token “Second” created');
  expect(await shown().count()).toBe(2);
  await page
    .getByRole('row', { name: /Second/ })
    .getByRole('button', { name: /Revoke/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
  await shows(page, 'Server token “Second” revoked.');
  expect(await shown().count()).toBe(1);
});

test('a token created while the owner left the page is shown on return', async () => {
  await page.route('**/settings/tokens', async (route) => {
    if (route.request().method() === 'POST') await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await create('Third');
  await goTo(page, '/forms');
  await page.getByRole('heading', { name: 'Forms', level: 1 }).waitFor();
  await page.waitForResponse((response) => response.request().method() === 'POST');
  await visit('Ingest tokens');
  await shows(page, 'Server token “Third” created');
  expect(new URL(page.url()).search).toBe('');
  // It came before this page was opened, and so did the other: neither calls for attention.
  await page.getByRole('button', { name: 'I’ve saved it' }).first().click();
  await page.getByText('Server token “Third” created').first().waitFor({ state: 'detached' });
  expect(await shown().count()).toBe(1);
  expect(await page.evaluate(`document.activeElement.closest('[role=group]')`)).toBeNull();
});

test('signing out asks for confirmation while a secret is unconfirmed', async () => {
  await page.getByRole('button', { name: /@/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const dialog = page.getByRole('dialog');
  await shows(dialog, 'You won’t be able to see it again');
  await dialog.getByRole('button', { name: 'Cancel' }).last().click();
  for (const each of await page.getByRole('button', { name: 'I’ve saved it' }).all()) {
    expect(await each.isVisible()).toBe(true);
  }
  await page.getByRole('button', { name: /@/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Email address').waitFor();
});
