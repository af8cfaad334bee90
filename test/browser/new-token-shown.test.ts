import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { openAs } from './console.ts';
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
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();

test('a new token takes the focus, and stays until its owner says that it is stored', async () => {
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await shown().waitFor();
  const token = (await shown().innerText()).trim();
  expect(await page.evaluate(`document.activeElement.closest('[role=group]')?.textContent`)).toContain(token);
  await visit('Forms');
  await shown().waitFor({ state: 'detached' });
  await visit('Ingest tokens');
  expect((await shown().innerText()).trim()).toBe(token);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await shown().waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(token);
});
