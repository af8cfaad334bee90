import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Dialog, Page, Route } from 'playwright-core';
import { seriousFindings } from './axe.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { enterPassword, goTo, openAs, shows, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';

let browser: TestBrowser;
let page: Page;
let errors: string[];
let owner: TestOwner;
let delivery: string;

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  owner = await newOwner();
  const { formId } = await administration.createForm({ workspaceId: owner.workspaceId, name: 'Contact us' });
  delivery = `/forms/${formId}/delivery`;
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner, delivery);
});
afterAll(() => browser.close());

const shown = () => page.getByTestId('shown-once');
const stored = () => page.getByRole('button', { name: 'I’ve saved it' });
const visit = (name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click();
/** What has the focus, of all that belongs to an alert. */
const focusedAlert = async () =>
  (await page.evaluate(`document.activeElement.closest('[role=group]')?.textContent ?? ''`)) as string;

/** Whether the browser asks before the tab is closed. It stays open where it does. */
async function asksBeforeClosing(): Promise<boolean> {
  const asked = new Promise<Dialog>((resolve) => page.once('dialog', resolve));
  const closed = new Promise<undefined>((resolve) => page.once('close', () => resolve(undefined)));
  await page.close({ runBeforeUnload: true });
  const dialog = await Promise.race([asked, closed]);
  await dialog?.dismiss();
  return dialog?.type() === 'beforeunload';
}

test('the tab has the name of the form', async () => {
  await page.getByRole('heading', { level: 1, name: 'Delivery settings: Contact us' }).waitFor();
  expect(await page.title()).toBe('Delivery settings: Contact us · Lead ingest');
});

test('a secret created after the owner left the page is shown on return', async () => {
  const asked = Promise.withResolvers<Route>();
  await page.route('**/delivery/secret', (route) => asked.resolve(route));
  await page.getByRole('button', { name: 'Generate secret' }).click();
  const route = await asked.promise;
  await visit('Forms');
  await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
  const [answer] = await Promise.all([page.waitForResponse('**/delivery/secret'), route.continue()]);
  const { secret } = (await answer.json()) as { secret: string };
  await page.unroute('**/delivery/secret');
  await page.goBack();
  await shown().waitFor();
  expect(await shown().innerText()).toContain(secret);
  await stored().click();
});

test('a new secret takes the focus, is announced, and is in the export line', async () => {
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  await shown().waitFor();
  const secret = (await shown().innerText()).trim();
  expect(await focusedAlert()).toContain(secret);
  await page
    .locator('[aria-live]')
    .getByText('Webhook secret created')
    .first()
    .waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Copy webhook secret');

  await page.getByRole('button', { name: 'Copy export line' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`export LEAD_INGEST_SECRET='${secret}'`);
  expect(await seriousFindings(page)).toEqual([]);
});

test('stays while navigating, in memory only', async () => {
  const secret = (await shown().innerText()).trim();
  await visit('Forms');
  await shown().waitFor({ state: 'detached' });
  expect(await asksBeforeClosing()).toBe(true);
  await page.goBack();
  expect((await shown().innerText()).trim()).toBe(secret);
  // Whoever comes back has not asked for it just now.
  expect(await focusedAlert()).toBe('');
  const storage = 'JSON.stringify([localStorage, sessionStorage, history.state])';
  expect(await page.evaluate(storage)).not.toContain(secret);
});

test('is removed once the owner confirms saving it', async () => {
  const secret = (await shown().innerText()).trim();
  await stored().click();
  await shows(page, "export LEAD_INGEST_SECRET='YOUR_WEBHOOK_SECRET'");
  expect(await page.content()).not.toContain(secret);
});

test('is removed when the session ends', async () => {
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
  await shown().waitFor();
  await page.getByRole('button', { name: owner.email }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
  await enterPassword(page, owner);
  await goTo(page, delivery);
  await shows(page, 'Last used');
  expect(await shown().count()).toBe(0);
  expect(errors).toEqual([]);
  expect(await asksBeforeClosing()).toBe(false);
});
