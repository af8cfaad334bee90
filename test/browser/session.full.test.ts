import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  CONSOLE_URL,
  enterPassword,
  goTo,
  openAs,
  seriousFindings,
  settled,
  shows,
  signOut,
} from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { newOwnerWithForm } from './seed-items.ts';
import { browserForTests, PHONE } from './shared-browser.ts';

const owners = openOwners();
const browser = browserForTests();
let page: Page;
let owner: TestOwner;

/** Another tab of the same browser. */
async function openTab(path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(CONSOLE_URL + path);
  return tab;
}
const heading = (name: string, of = page) => of.getByRole('heading', { level: 1, name });
const signInForm = (of = page) => of.getByLabel('Email address');

/** Each step continues from the one before. */
describe('a session', () => {
  beforeAll(async () => {
    ({ owner } = await newOwnerWithForm());
    page = await browser.newPage();
    await openAs(page, owner, '/diagnostics?by=minute');
  });

  test('survives a reload, on the same page', async () => {
    await heading('Diagnostics').waitFor();
    await page.reload();
    await heading('Diagnostics').waitFor();
    expect(page.url()).toBe(`${CONSOLE_URL}/diagnostics?by=minute`);
  });

  test('is in a cookie that no script can read, for this host only', async () => {
    const cookies = await page.context().cookies();
    expect(cookies).toEqual([
      expect.objectContaining({
        name: '__Host-session',
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
        path: '/',
        domain: new URL(CONSOLE_URL).hostname,
      }),
    ]);
    const days = ((cookies[0]?.expires ?? 0) - Date.now() / 1_000) / 86_400;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThanOrEqual(30);
    const readable = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(readable).not.toMatch(/eyJ|__Host/);
  });

  test('is not given to pages of other origins, nor to requests without the console’s header', async () => {
    const statusOf = (init: string) =>
      page.evaluate(`fetch('/session', ${init}).then(({ status }) => status)`);
    expect(await statusOf(`{ method: 'POST' }`)).toBe(403);
    expect(await statusOf(`{ method: 'POST', headers: { 'x-lead-ingest-console': '1' } }`)).toBe(200);
    const other = await browser.newUnwatchedPage();
    await other.goto(CONSOLE_URL.replace('127.0.0.1', 'localhost'));
    const crossing = `fetch('${CONSOLE_URL}/session', { method: 'POST', credentials: 'include', mode: 'no-cors' })`;
    // Blocked by the page's own policy before it is sent.
    expect(await other.evaluate(`${crossing}.then(() => 'sent', () => 'blocked')`)).toBe('blocked');
  });

  test('that cannot be asked for is not taken as signed out', async () => {
    await page.route('**/session', (route) => route.fulfill({ status: 503, json: {} }));
    await page.reload();
    await heading('Can’t reach the service').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.unroute('**/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading('Diagnostics').waitFor();
  });

  test('whose sign-out failed says so, and can be ended again', async () => {
    await page.route('**/session', (route) => route.abort());
    await signOut(page);
    await shows(page, 'this browser may still be signed in');
    await page.unroute('**/session');
    await page.getByRole('button', { name: 'Sign out again' }).click();
    await page.getByText('may still be signed in').waitFor({ state: 'detached' });
    await page.reload();
    await signInForm().waitFor();
  });

  test('begins in all tabs when the owner signs in in one', async () => {
    const tab = await openTab('/forms');
    await enterPassword(tab, owner);
    await heading('Forms', tab).waitFor();
    await heading('Diagnostics').waitFor();
    await tab.close();
  });

  test('of another owner replaces the pages in all tabs, and nothing of the first is left', async () => {
    await goTo(page, '/forms');
    await shows(page, 'Contact us');
    const tab = await openTab('/forms');
    await shows(tab, 'Contact us');
    await signOut(tab);
    await enterPassword(tab, await owners.newOwner('Difference Engines'));
    for (const each of [tab, page]) {
      await shows(each, 'Difference Engines');
      await settled(each);
      expect(await each.getByText('Contact us').count()).toBe(0);
    }
  });

  test('ends in all tabs and at Cognito when the owner signs out', async () => {
    const tab = await openTab('/tokens');
    await heading('Ingest tokens', tab).waitFor();
    const [cookie] = await page.context().cookies();
    await signOut(tab);
    await signInForm().waitFor();
    await page.reload();
    await signInForm().waitFor();
    // The old cookie does not help: its token is revoked.
    await page.context().addCookies([cookie as NonNullable<typeof cookie>]);
    await page.reload();
    await signInForm().waitFor();
  });
});

describe('after hours, a session', () => {
  beforeAll(async () => {
    ({ owner } = await newOwnerWithForm());
    page = await browser.newPage(PHONE);
    await page.clock.install();
    await openAs(page, owner, '/tokens');
  });

  /** As if Cognito had revoked it: the next renewal fails. */
  async function expire() {
    await page.route('**/session', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 401, json: {} }) : route.continue(),
    );
    await page.clock.fastForward('02:00:00');
  }
  const dialog = () => page.getByRole('dialog').filter({ hasText: 'Your session has expired' });

  async function signInAgain() {
    await dialog().getByLabel('Password', { exact: true }).fill(owner.password);
    await dialog().getByRole('button', { name: 'Sign in' }).click();
    await dialog().waitFor({ state: 'detached' });
    await page.unroute('**/session');
  }

  test('is renewed while the cookie is valid', async () => {
    await settled(page);
    const renewed = page.waitForRequest(`${CONSOLE_URL}/session`);
    await page.clock.fastForward('02:00:00');
    await goTo(page, '/forms');
    expect((await renewed).method()).toBe('POST');
    await heading('Forms').waitFor();
    await goTo(page, '/tokens?create=1');
  });

  test('that has expired keeps what was typed, and saves it after signing in again', async () => {
    const form = page.getByRole('dialog').filter({ hasText: 'Create server token' });
    await form.getByLabel('Name').fill('Typed before it expired');
    await expire();
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog().waitFor();
    expect(await dialog().getByLabel('Email address').inputValue()).toBe(owner.email);
    await page.locator('input[type=password]:focus').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await signInAgain();
    await shows(page, 'Server token “Typed before it expired” created');
  });

  test('that has expired keeps a token that is shown once', async () => {
    const shown = page.getByTestId('shown-once');
    const token = (await shown.innerText()).trim();
    await expire();
    await goTo(page, '/forms');
    await dialog().waitFor();
    await signInAgain();
    await heading('Forms').waitFor();
    await page.goBack();
    await shown.waitFor();
    expect((await shown.innerText()).trim()).toBe(token);
  });

  test('that has expired can be left by signing out', async () => {
    await expire();
    await goTo(page, '/forms');
    await dialog().getByRole('button', { name: 'Sign out instead' }).click();
    await page.getByRole('heading', { level: 2, name: 'Sign in' }).waitFor();
    expect(await page.locator('#top-bar').count()).toBe(0);
  });
});
