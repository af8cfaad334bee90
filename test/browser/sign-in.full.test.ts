import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { localStack } from '../local-stack.ts';
import { CONSOLE_URL, enterPassword, seriousFindings, shows, signOut } from './console.ts';
import { newPassword, openOwners } from './owners.ts';
import { browserForTests } from './shared-browser.ts';

const owners = openOwners();
const browser = browserForTests();
let page: Page;

async function open(path = '/') {
  page = await browser.newPage();
  await page.goto(CONSOLE_URL + path);
}

/** Visible texts only: screen readers get a second copy. */
const says = (text: string) => shows(page, text);
const heading = (name: string) => page.getByRole('heading', { level: 1, name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const field = (name: string) => page.getByLabel(name, { exact: true });
/** The description that a screen reader announces for a field. */
const describedAs = (name: string) =>
  field(name).evaluate((input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id: string) => input.ownerDocument.getElementById(id)?.textContent)
      .join(' '),
  );

describe('signing in', () => {
  test('says what is wrong alike for an unknown address and a wrong password, then opens the requested URL', async () => {
    const owner = await owners.newOwner();
    await open('/diagnostics?by=minute');
    await button('Sign in').click();
    await says('Enter your email address.');
    await says('Enter your password.');
    for (const email of ['nobody@example.com', owner.email]) {
      await enterPassword(page, { email, password: newPassword() });
      await says('Incorrect email address or password.');
    }
    await enterPassword(page, owner);
    await heading('Diagnostics').waitFor();
    expect(page.url()).toBe(`${CONSOLE_URL}/diagnostics?by=minute`);
  });

  test('a temporary password is replaced first, with what is wrong at each field, and no longer works', async () => {
    const { workspaceId } = await owners.newOwner();
    const invited = await owners.inviteOwner(workspaceId);
    const password = newPassword();
    await open();
    await enterPassword(page, invited);
    await field('New password').fill('Short-1a');
    await field('Confirm new password').fill('Other-1a');
    expect(await page.getByText('The password needs').count()).toBe(0);
    await button('Set password').click();
    await says('Passwords don’t match.');
    expect(await describedAs('New password')).toContain('The password needs at least 12 characters.');
    expect(await describedAs('Confirm new password')).toContain('Passwords don’t match.');
    expect(await seriousFindings(page)).toEqual([]);
    for (const name of ['New password', 'Confirm new password']) await field(name).fill(password);
    await button('Set password').click();
    await heading('Overview').waitFor();

    await signOut(page);
    await enterPassword(page, invited);
    await says('Incorrect email address or password.');
    await enterPassword(page, { ...invited, password });
    await heading('Overview').waitFor();
  });

  test('says if the sign-in service is unreachable', async () => {
    page = await browser.newUnwatchedPage();
    await page.goto(CONSOLE_URL);
    await page.route(`${localStack().output(OUTPUTS.localCognitoEndpoint)}/**`, (route) => route.abort());
    await enterPassword(page, { email: 'ada@example.com', password: newPassword() });
    await says('Can’t reach the sign-in service.');
  });
});

test('nothing is asked of the API after signing out', async () => {
  page = await browser.openAs(await owners.newOwner());
  await signOut(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goBack();
  await page.goForward();
  await page.getByLabel('Email address').waitFor();
  expect(asked.filter((url) => url.includes('/settings/'))).toEqual([]);
});
