import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { localStack } from '../local-stack.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { CONSOLE_URL, enterPassword, openAs, settled, shows, signOut, watchForErrors } from './console.ts';
import { newPassword, openOwners } from './owners.ts';

const owners = openOwners();
const COGNITO = localStack().output(OUTPUTS.localCognitoEndpoint);

let browser: TestBrowser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

async function open(path = '/') {
  page = await browser.newPage();
  errors = watchForErrors(page);
  await page.goto(CONSOLE_URL + path);
}
afterEach(async () => {
  expect(errors).toEqual([]);
  await page.context().close();
});

/** Visible texts only: screen readers get a second copy. */
const says = (text: string) => shows(page, text);
const heading = (name: string) => page.getByRole('heading', { level: 1, name });

describe('signing in', () => {
  test('opens the requested URL', async () => {
    const owner = await owners.newOwner();
    await open('/diagnostics?by=minute');
    await enterPassword(page, owner);
    await heading('Diagnostics').waitFor();
    expect(page.url()).toBe(`${CONSOLE_URL}/diagnostics?by=minute`);
  });

  test.each([
    ['a wrong password', async () => ({ ...(await owners.newOwner()), password: newPassword() })],
    ['an unknown address', async () => ({ email: 'nobody@example.com', password: newPassword() })],
  ])('%s has the same content', async (_, credentials) => {
    await open();
    await enterPassword(page, await credentials());
    await says('Incorrect email address or password.');
  });

  test('empty fields are reported before sending', async () => {
    await open();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await says('Enter your email address.');
    await says('Enter your password.');
  });

  test('a temporary password is replaced first, and no longer works', async () => {
    const { workspaceId } = await owners.newOwner();
    const invited = await owners.inviteOwner(workspaceId);
    const password = newPassword();
    await open();
    await enterPassword(page, invited);
    await page.getByLabel('New password', { exact: true }).fill(password);
    await page.getByLabel('Confirm new password').fill(`${password}?`);
    await page.getByRole('button', { name: 'Set password' }).click();
    await says('Passwords don’t match.');
    await page.getByLabel('Confirm new password').fill(password);
    await page.getByRole('button', { name: 'Set password' }).click();
    await heading('Overview').waitFor();

    await signOut(page);
    await enterPassword(page, invited);
    await says('Incorrect email address or password.');
    await enterPassword(page, { ...invited, password });
    await heading('Overview').waitFor();
  });

  test('says if the sign-in service is unreachable', async () => {
    await open();
    await page.route(`${COGNITO}/**`, (route) => route.abort());
    await enterPassword(page, { email: 'ada@example.com', password: newPassword() });
    await says('Can’t reach the sign-in service.');
    errors.length = 0;
  });
});

test('a forgotten password is reset with an emailed code', async () => {
  const owner = await owners.newOwner();
  const password = newPassword();
  await open();
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email address').fill(owner.email);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByLabel('Verification code').fill('000000');
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(password);
  await page.getByRole('button', { name: 'Set password' }).click();
  await says('Incorrect code');
  await page.getByLabel('Verification code').fill(owners.mailedCode(owner.email));
  await page.getByRole('button', { name: 'Set password' }).click();
  await says('Password changed.');
  await enterPassword(page, { ...owner, password });
  await heading('Overview').waitFor();
});

describe('tokens', () => {
  test('are not in any storage and are dropped on sign-out', async () => {
    const owner = await owners.newOwner();
    page = await browser.newPage();
    errors = watchForErrors(page);
    await openAs(page, owner);
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toMatch(/eyJ/);

    await signOut(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goBack();
    await page.goForward();
    await page.getByLabel('Email address').waitFor();
    expect(asked.filter((url) => url.includes('/settings/'))).toEqual([]);
  });

  test('are renewed after they have expired', async () => {
    const owner = await owners.newOwner();
    page = await browser.newPage();
    errors = watchForErrors(page);
    await page.clock.install();
    await openAs(page, owner, '/forms');
    await heading('Forms').waitFor();
    await settled(page);
    const renewed = page.waitForRequest(`${CONSOLE_URL}/session`);
    await page.clock.fastForward('02:00:00');
    await page.getByRole('link', { name: 'Ingest tokens' }).click();
    expect((await renewed).method()).toBe('POST');
    await heading('Ingest tokens').waitFor();
  });
});
