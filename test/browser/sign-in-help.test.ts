import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { generate } from 'lean-qr';
import type { Page } from 'playwright-core';
import { qrPath } from '../../console/src/pages/security/qr-path.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { CONSOLE_URL, enterPassword, openAs, seriousFindings, shows, watchForErrors } from './console.ts';
import { newPassword, openOwners } from './owners.ts';

const owners = openOwners();

let browser: TestBrowser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

beforeEach(async () => {
  page = await browser.newPage();
  errors = watchForErrors(page);
});
afterEach(async () => {
  expect(errors).toEqual([]);
  await page.context().close();
});

/** Visible texts only: screen readers get a second copy. */
const says = (text: string) => shows(page, text);
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

test('a wrong emailed code has its own message, and a new code can be sent', async () => {
  const owner = await owners.newOwner();
  const password = newPassword();
  await page.goto(CONSOLE_URL);
  await button('Forgot your password?').click();
  await field('Email address').fill(owner.email);
  await button('Send code').click();
  await field('Verification code').fill('000000');
  await field('New password').fill(password);
  await field('Confirm new password').fill(password);
  await button('Set password').click();
  await says('Incorrect code. Check the latest email');
  expect(await page.getByText('30 seconds').count()).toBe(0);

  const first = owners.mailedCode(owner.email);
  await button('Send a new code').click();
  await says('New code sent.');
  expect(await seriousFindings(page)).toEqual([]);
  const second = owners.mailedCode(owner.email);
  expect(second).not.toBe(first);
  await field('Verification code').fill(second);
  await button('Set password').click();
  await says('Password changed.');
});

test('shows an error if a new code cannot be sent', async () => {
  const owner = await owners.newOwner();
  await page.goto(CONSOLE_URL);
  await button('Forgot your password?').click();
  await field('Email address').fill(owner.email);
  await button('Send code').click();
  await field('Verification code').waitFor();
  await page.route(/^(?!.*\/assets\/)/, (route) => route.abort());
  await button('Send a new code').click();
  await says('Can’t reach the sign-in service.');
  errors.length = 0;
});

test('each field shows what is wrong with a new password', async () => {
  const { workspaceId } = await owners.newOwner();
  await page.goto(CONSOLE_URL);
  await enterPassword(page, await owners.inviteOwner(workspaceId));
  await field('New password').fill('Short-1a');
  await field('Confirm new password').fill('Other-1a');
  expect(await page.getByText('The password needs').count()).toBe(0);
  await button('Set password').click();
  await says('Passwords don’t match.');
  expect(await describedAs('New password')).toContain('The password needs at least 12 characters.');
  expect(await describedAs('Confirm new password')).toContain('Passwords don’t match.');
  expect(await seriousFindings(page)).toEqual([]);
});

test.each(['light', 'dark'] as const)(
  'the key of a second factor can be scanned in %s mode',
  async (mode) => {
    await page.emulateMedia({ colorScheme: mode });
    const owner = await owners.newOwner();
    await openAs(page, owner, '/security');
    await button('Set up').click();
    await field('Confirm your password').fill(owner.password);
    await button('Continue').click();
    await button('Copy key').click();
    const key = (await page.evaluate('navigator.clipboard.readText()')) as string;
    const address = (await page
      .getByRole('link', { name: 'open it in an app' })
      .getAttribute('href')) as string;
    expect(new URL(address).searchParams.get('secret')).toBe(key);

    const code = page.getByRole('img', { name: /^QR code/ });
    const bitmap = generate(address);
    expect(await code.locator('path').getAttribute('d')).toBe(qrPath(bitmap));
    expect(await code.getAttribute('viewBox')).toBe(`-4 -4 ${bitmap.size + 8} ${bitmap.size + 8}`);
    const fills = await code.evaluate((svg) =>
      [...svg.children].map((part) => part.ownerDocument.defaultView?.getComputedStyle(part).fill),
    );
    expect(fills).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
    expect(await seriousFindings(page)).toEqual([]);
  },
);

test('setting up two-factor authentication can be canceled and restarted', async () => {
  const owner = await owners.newOwner();
  await openAs(page, owner, '/security');
  for (const attempt of [1, 2]) {
    await button('Set up').click();
    await field('Confirm your password').fill(owner.password);
    await button('Continue').click();
    await button('Copy key').waitFor();
    if (attempt === 1) await button('Cancel').click();
  }
});
