import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
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
import { newPassword, openOwners, type TestOwner } from './owners.ts';

const owners = openOwners();
let browser: TestBrowser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(async () => {
  expect(errors).toEqual([]);
  await page.context().close();
});

async function open(owner: TestOwner, width = 1280) {
  page = await browser.newPage({ viewport: { width, height: 900 } });
  errors = watchForErrors(page);
  await openAs(page, owner, '/security');
}

/** Another browser, in which the owner is signed in. */
async function signInElsewhere(owner: TestOwner): Promise<Page> {
  const other = await browser.newPage();
  await openAs(other, owner, '/forms');
  return other;
}

/** After a reload, the page has nothing but the cookie. */
async function expectSignedOut(elsewhere: Page) {
  await elsewhere.reload();
  await elsewhere.getByRole('heading', { level: 2, name: 'Sign in' }).waitFor();
  await elsewhere.context().close();
}

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = () => page.getByRole('heading', { level: 1, name: 'Sign-in security' });

async function enterNewPassword(password: string) {
  await field('New password').fill(password);
  await field('Confirm new password').fill(password);
}

describe.each([390, 1280])('changing the password, %i pixels wide', (width) => {
  test('asks for the current one, and ends all sessions but this one', async () => {
    const owner = await owners.newOwner();
    const next = newPassword();
    await open(owner, width);
    const elsewhere = await signInElsewhere(owner);
    await button('Change password').click();
    await button('Save password').click();
    await shows(page, 'Enter your current password.');
    await field('Current password').fill(`${owner.password}x`);
    await enterNewPassword(next);
    await button('Save password').click();
    await shows(page, 'Incorrect password.');
    expect(await seriousFindings(page)).toEqual([]);
    await field('Current password').fill(owner.password);
    await page.keyboard.press('Enter');
    await shows(page, 'Password changed. All other sessions were signed out.');

    await expectSignedOut(elsewhere);
    await page.reload();
    await heading().waitFor();
    await page.context().clearCookies();
    await page.reload();
    await enterPassword(page, owner);
    await shows(page, 'Incorrect email address or password.');
    await enterPassword(page, { ...owner, password: next });
    await heading().waitFor();
  });
});

test('resetting a forgotten password ends all sessions', async () => {
  const owner = await owners.newOwner();
  await open(owner);
  const elsewhere = await signInElsewhere(owner);
  await signOut(page);
  await button('Forgot your password?').click();
  await field('Email address').fill(owner.email);
  await button('Send code').click();
  await field('Verification code').waitFor();
  await field('Verification code').fill(owners.mailedCode(owner.email));
  const password = newPassword();
  await enterNewPassword(password);
  await button('Set password').click();
  await shows(page, 'Password changed. All sessions were signed out.');
  await expectSignedOut(elsewhere);
  await enterPassword(page, { ...owner, password });
  await heading().waitFor();
});

describe('a second factor', () => {
  let owner: TestOwner;
  let key: string;

  /** Asks for the password first, like everything else here. */
  async function setUp() {
    owner = await owners.newOwner();
    await open(owner);
    await button('Set up').click();
    await field('Confirm your password').fill('wrong');
    await button('Continue').click();
    await shows(page, 'Incorrect password.');
    expect(await seriousFindings(page)).toEqual([]);
    await field('Confirm your password').fill(owner.password);
    await button('Continue').click();
    await button('Copy key').click();
    key = (await page.evaluate('navigator.clipboard.readText()')) as string;
    await page.getByLabel('Enter the code from the app').fill(oneTimeCode(key));
    await button('Turn on').click();
    await shows(page, 'Two-factor authentication is on.');
  }

  test('is asked for when signing in and when the password changes, and keeps the session', async () => {
    await setUp();
    await signOut(page);
    await enterPassword(page, owner);
    await field('Code').fill('12345');
    await button('Sign in').click();
    await shows(page, 'Enter the 6-digit code.');
    await field('Code').fill(oneTimeCode(key));
    await button('Sign in').click();
    await heading().waitFor();
    const next = newPassword();
    await button('Change password').click();
    await field('Current password').fill(owner.password);
    await enterNewPassword(next);
    await field('Code from your authenticator app').fill(oneTimeCode(key));
    await button('Save password').click();
    await shows(page, 'Password changed. All other sessions were signed out.');
    await page.reload();
    await heading().waitFor();
  });

  test('that does not fit leaves the new password, and asks to sign in again', async () => {
    await setUp();
    const next = newPassword();
    await button('Change password').click();
    await field('Current password').fill(owner.password);
    await enterNewPassword(next);
    await field('Code from your authenticator app').fill('000000');
    await button('Save password').click();
    const dialog = page.getByRole('dialog').filter({ hasText: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(next);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByLabel('Code', { exact: true }).fill(oneTimeCode(key));
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await settled(page);
  });

  test('is turned off with the password and a code', async () => {
    await setUp();
    await button('Turn off').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill('wrong');
    await dialog.getByLabel('Code from your authenticator app').fill(oneTimeCode(key));
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await shows(dialog, 'Incorrect password.');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByLabel('Password').fill(owner.password);
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await shows(page, 'Two-factor authentication is off.');
    await button('Set up').waitFor();
    await page.goto(CONSOLE_URL);
    await signOut(page);
    await enterPassword(page, owner);
    await page.locator('#top-bar').waitFor();
  });
});

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows for a key (RFC 6238). */
function oneTimeCode(key: string, atMilliseconds = Date.now()): string {
  const bits = [...key.replace(/=+$/, '')].map((letter) =>
    BASE32.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMilliseconds / 30_000)));
  const digest = createHmac('sha1', Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))))
    .update(counter)
    .digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
