import { beforeAll, expect, test } from '@jest/globals';
import type { Dialog, Page, Route } from 'playwright-core';
import { enterPassword, goTo, seriousFindings, settled, shows } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

/** Each step continues from the one before. */
let page: Page;
let owner: TestOwner;
let delivery: string;

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  owner = await newOwner();
  const { workspaceId } = owner;
  const { formId } = await administration.createForm({ workspaceId, name: 'Contact us' });
  delivery = `/forms/${formId}/delivery`;
  page = await browser.openAs(owner, delivery);
});

const shown = () => page.getByTestId('shown-once');
const shownSecret = async () => (await shown().innerText()).trim();
const saved = () => page.getByRole('button', { name: 'I’ve saved it' });
const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const visit = (name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click();
/** The text of the alert that has the focus. */
const focusedAlert = async () =>
  (await page.evaluate(`document.activeElement.closest('[role=group]')?.textContent ?? ''`)) as string;

/** Whether the browser asks before closing the tab, which then stays open. */
async function asksBeforeClosing(): Promise<boolean> {
  const asked = new Promise<Dialog>((resolve) => page.once('dialog', resolve));
  const closed = new Promise<undefined>((resolve) => page.once('close', () => resolve(undefined)));
  await page.close({ runBeforeUnload: true });
  const dialog = await Promise.race([asked, closed]);
  await dialog?.dismiss();
  return dialog?.type() === 'beforeunload';
}

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
  expect(await shownSecret()).toContain(secret);
  await saved().click();
});

test('a new secret takes the focus, is announced, and is in the export line', async () => {
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await inDialog('Rotate').click();
  await shown().waitFor();
  const secret = await shownSecret();
  expect(await focusedAlert()).toContain(secret);
  await page
    .locator('[aria-live]')
    .getByText('Webhook secret created')
    .first()
    .waitFor({ state: 'attached' });
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Copy webhook secret');

  await page.getByRole('button', { name: 'Copy export line' }).click();
  const copied = await page.evaluate('navigator.clipboard.readText()');
  expect(copied).toBe(`export LEAD_INGEST_SECRET='${secret}'`);
  expect(await seriousFindings(page)).toEqual([]);
});

test('stays while navigating, in memory only, until the owner confirms saving it', async () => {
  const secret = await shownSecret();
  await visit('Forms');
  await shown().waitFor({ state: 'detached' });
  expect(await asksBeforeClosing()).toBe(true);
  await page.goBack();
  expect(await shownSecret()).toBe(secret);
  // The focus moves only when the secret is new.
  expect(await focusedAlert()).toBe('');
  const storage = 'JSON.stringify([localStorage, sessionStorage, history.state])';
  expect(await page.evaluate(storage)).not.toContain(secret);
  await saved().click();
  await shows(page, "export LEAD_INGEST_SECRET='YOUR_WEBHOOK_SECRET'");
  expect(await page.content()).not.toContain(secret);
});

async function createToken(name: string) {
  // An empty table has a second one.
  await page.getByRole('button', { name: 'Create server token' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await inDialog('Create').click();
  await shows(page, `Server token “${name}” created`);
  // Until then the page moves: the new token takes the focus, and the list is read again.
  await settled(page);
}

test('a second token does not replace the first, and a revoked one is hidden', async () => {
  await visit('Ingest tokens');
  await createToken('First');
  await createToken('Second');
  expect(await shown().count()).toBe(2);
  await page
    .getByRole('row', { name: /Second/ })
    .getByRole('button', { name: /Revoke/ })
    .click();
  await inDialog('Revoke').click();
  await shows(page, 'Server token “Second” revoked.');
  expect(await shown().count()).toBe(1);
});

test('signing out asks for confirmation, and removes what was shown', async () => {
  const signOut = async () => {
    await page.getByRole('button', { name: owner.email }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
  };
  await signOut();
  await shows(page.getByRole('dialog'), 'You won’t be able to see it again');
  await inDialog('Cancel').last().click();
  await saved().waitFor();
  await signOut();
  await inDialog('Sign out').click();
  await enterPassword(page, owner);
  await goTo(page, '/tokens');
  await page.getByRole('row', { name: /First/ }).waitFor();
  expect(await shown().count()).toBe(0);
  expect(await asksBeforeClosing()).toBe(false);
});
