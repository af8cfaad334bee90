import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import {
  CONSOLE_URL,
  enterPassword,
  openAs,
  seriousFindings,
  settled,
  shows,
  signOut,
  watchForErrors,
} from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';

const owners = openOwners();

let browser: TestBrowser;
let page: Page;
let owner: TestOwner;
const errors: string[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(async () => {
  expect(errors.splice(0)).toEqual([]);
  await page.context().close();
});

const watch = (opened: Page) => {
  const found = watchForErrors(opened);
  opened.on('close', () => errors.push(...found));
};

async function signIn(path = '/', options: BrowserContextOptions = {}) {
  owner = await owners.newOwner();
  await owners.administration.createForm({ workspaceId: owner.workspaceId, name: 'Contact us' });
  page = await browser.newPage(options);
  watch(page);
  await openAs(page, owner, path);
}
/** Another tab of the same browser. */
async function openTab(path = '/'): Promise<Page> {
  const tab = await page.context().newPage();
  watch(tab);
  await tab.goto(CONSOLE_URL + path);
  return tab;
}
const heading = (name: string, of = page) => of.getByRole('heading', { level: 1, name });

describe('a session', () => {
  test('survives a reload, on the same page', async () => {
    await signIn('/diagnostics?by=minute');
    await heading('Diagnostics').waitFor();
    await page.reload();
    await heading('Diagnostics').waitFor();
    expect(page.url()).toBe(`${CONSOLE_URL}/diagnostics?by=minute`);
  });

  test('is there in a new tab, and signing out ends it in all tabs and at Cognito', async () => {
    await signIn('/forms');
    const tab = await openTab('/tokens');
    await heading('Ingest tokens', tab).waitFor();
    const [cookie] = await page.context().cookies();
    await signOut(tab);
    await page.getByLabel('Email address').waitFor();
    await page.reload();
    await page.getByLabel('Email address').waitFor();
    // The old cookie does not help: its token is revoked.
    await page.context().addCookies([cookie as NonNullable<typeof cookie>]);
    await page.reload();
    await page.getByLabel('Email address').waitFor();
  });

  test('begins in a tab that asks for the password when the owner signs in in another', async () => {
    owner = await owners.newOwner();
    page = await browser.newPage();
    watch(page);
    await page.goto(`${CONSOLE_URL}/forms`);
    await page.getByLabel('Email address').waitFor();
    const tab = await openTab('/tokens');
    await enterPassword(tab, owner);
    await heading('Forms').waitFor();
  });

  test('of another owner replaces the page, and nothing of the first is left', async () => {
    await signIn('/forms');
    await shows(page, 'Contact us');
    const tab = await openTab('/forms');
    await signOut(tab);
    await enterPassword(tab, await owners.newOwner('Difference Engines'));
    await shows(page, 'Difference Engines');
    await settled(page);
    expect(await page.getByText('Contact us').count()).toBe(0);
  });

  test('is in a cookie that no script can read, for this host only', async () => {
    await signIn();
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
    await signIn();
    const statusOf = (init: string) =>
      page.evaluate(`fetch('/session', ${init}).then(({ status }) => status)`);
    expect(await statusOf(`{ method: 'POST' }`)).toBe(403);
    expect(await statusOf(`{ method: 'POST', headers: { 'x-lead-ingest-console': '1' } }`)).toBe(200);
    const other = await browser.newPage();
    await other.goto(CONSOLE_URL.replace('127.0.0.1', 'localhost'));
    const crossing = `fetch('${CONSOLE_URL}/session', { method: 'POST', credentials: 'include', mode: 'no-cors' })`;
    // Blocked by the page's own policy before it is sent.
    expect(await other.evaluate(`${crossing}.then(() => 'sent', () => 'blocked')`)).toBe('blocked');
    await other.context().close();
  });

  test('that cannot be asked for is not taken as signed out', async () => {
    await signIn('/forms');
    await page.route('**/session', (route) => route.fulfill({ status: 503, json: {} }));
    await page.reload();
    await heading('Can’t reach the service').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.unroute('**/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading('Forms').waitFor();
  });

  test('whose sign-out failed says so, and can be ended again', async () => {
    await signIn();
    await page.route('**/session', (route) => route.abort());
    await signOut(page);
    await shows(page, 'this browser may still be signed in');
    await page.unroute('**/session');
    await page.getByRole('button', { name: 'Sign out again' }).click();
    await page.getByText('may still be signed in').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByLabel('Email address').waitFor();
  });
});

describe.each([390, 1280])('an expired session, %i pixels wide', (width) => {
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

  test('keeps what was typed, and saves it after signing in again', async () => {
    owner = await owners.newOwner();
    await owners.administration.createForm({ workspaceId: owner.workspaceId, name: 'Contact us' });
    page = await browser.newPage({ viewport: { width, height: 900 } });
    watch(page);
    await page.clock.install();
    await openAs(page, owner, '/tokens?create=1');
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

    // A token that is shown once also stays.
    const token = (await page.getByTestId('shown-once').innerText()).trim();
    await expire();
    await page.evaluate(`history.pushState(null, '', '/forms')`);
    await dialog().waitFor();
    await signInAgain();
    await heading('Forms').waitFor();
    await page.goBack();
    await page.getByTestId('shown-once').waitFor();
    expect((await page.getByTestId('shown-once').innerText()).trim()).toBe(token);
  });

  test('can be left by signing out', async () => {
    owner = await owners.newOwner();
    page = await browser.newPage({ viewport: { width, height: 900 } });
    watch(page);
    await page.clock.install();
    await openAs(page, owner, '/forms');
    await heading('Forms').waitFor();
    await expire();
    await page.evaluate(`history.pushState(null, '', '/tokens')`);
    await dialog().getByRole('button', { name: 'Sign out instead' }).click();
    await page.getByRole('heading', { level: 2, name: 'Sign in' }).waitFor();
    expect(await page.locator('#top-bar').count()).toBe(0);
  });
});
