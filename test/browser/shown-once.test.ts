import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Dialog, Page, Route } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { enterPassword, goTo, openAs, seriousFindings, shows, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';

describe('a webhook secret', () => {
  let browser: TestBrowser;
  let page: Page;
  let errors: string[];
  let owner: TestOwner;
  let delivery: string;

  beforeAll(async () => {
    const { administration, newOwner } = openOwners();
    owner = await newOwner();
    const { formId } = await administration.createForm({
      workspaceId: owner.workspaceId,
      name: 'Contact us',
    });
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
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `export LEAD_INGEST_SECRET='${secret}'`,
    );
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('stays while navigating, in memory only', async () => {
    const secret = (await shown().innerText()).trim();
    await visit('Forms');
    await shown().waitFor({ state: 'detached' });
    expect(await asksBeforeClosing()).toBe(true);
    await page.goBack();
    expect((await shown().innerText()).trim()).toBe(secret);
    // The focus moves only when the secret is new.
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
});

describe('a server token', () => {
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
    expect(await page.evaluate(`document.activeElement.closest('[role=group]')?.textContent`)).toContain(
      token,
    );
    await visit('Forms');
    await shown().waitFor({ state: 'detached' });
    await visit('Ingest tokens');
    expect((await shown().innerText()).trim()).toBe(token);
    await page.getByRole('button', { name: 'I’ve saved it' }).click();
    await shown().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);
  });

  const create = async (name: string) => {
    // An empty table has a second one.
    await page.getByRole('button', { name: 'Create server token' }).first().click();
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
    // Both were created before this page was opened, so neither takes the focus.
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
});
