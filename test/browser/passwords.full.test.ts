import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { generate } from 'lean-qr';
import type { Page } from 'playwright-core';
import { qrPath } from '../../console/src/pages/security/qr-path.ts';
import { enterPassword, seriousFindings, shows, signOut } from './console.ts';
import { newPassword, openOwners, type TestOwner } from './owners.ts';
import { browserForTests, PHONE } from './shared-browser.ts';

const owners = openOwners();
const browser = browserForTests();
let page: Page;

async function open(owner: TestOwner) {
  page = await browser.openAs(owner, '/security', { ...PHONE, colorScheme: 'dark' });
}

/** Another browser, in which the owner is signed in. */
const signInElsewhere = (owner: TestOwner) => browser.openAs(owner, '/forms');

/** After a reload, the page has nothing but the cookie. */
async function expectSignedOut(elsewhere: Page) {
  await elsewhere.reload();
  await elsewhere.getByRole('heading', { level: 2, name: 'Sign in' }).waitFor();
}

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = () => page.getByRole('heading', { level: 1, name: 'Sign-in security' });

async function enterNewPassword(password: string) {
  await field('New password').fill(password);
  await field('Confirm new password').fill(password);
}

test('changing the password asks for the current one, and ends all sessions but this one', async () => {
  const owner = await owners.newOwner();
  const next = newPassword();
  await open(owner);
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

test('a forgotten password is reset with an emailed code, which ends all sessions', async () => {
  const owner = await owners.newOwner();
  const password = newPassword();
  await open(owner);
  const elsewhere = await signInElsewhere(owner);
  await signOut(page);
  await button('Forgot your password?').click();
  await field('Email address').fill(owner.email);
  await button('Send code').click();
  await field('Verification code').fill('000000');
  await enterNewPassword(password);
  await button('Set password').click();
  await shows(page, 'Incorrect code. Check the latest email');
  expect(await page.getByText('30 seconds').count()).toBe(0);

  const first = owners.mailedCode(owner.email);
  await button('Send a new code').click();
  await shows(page, 'New code sent.');
  expect(await seriousFindings(page)).toEqual([]);
  const second = owners.mailedCode(owner.email);
  expect(second).not.toBe(first);
  await field('Verification code').fill(second);
  await button('Set password').click();
  await shows(page, 'Password changed. All sessions were signed out.');
  await expectSignedOut(elsewhere);
  await enterPassword(page, { ...owner, password });
  await heading().waitFor();
});

/** Each step continues from the one before. */
describe('a second factor', () => {
  let owner: TestOwner;
  let key: string;

  test('is set up with the password and a key that can be scanned, also after it was canceled', async () => {
    owner = await owners.newOwner();
    await open(owner);
    await button('Set up').click();
    await field('Confirm your password').fill('wrong');
    await button('Continue').click();
    await shows(page, 'Incorrect password.');
    expect(await seriousFindings(page)).toEqual([]);
    await field('Confirm your password').fill(owner.password);
    await button('Continue').click();
    await button('Copy key').waitFor();
    await button('Cancel').click();

    await button('Set up').click();
    await field('Confirm your password').fill(owner.password);
    await button('Continue').click();
    await button('Copy key').click();
    key = (await page.evaluate('navigator.clipboard.readText()')) as string;
    await expectQrCodeOf(key);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByLabel('Enter the code from the app').fill(oneTimeCode(key));
    await button('Turn on').click();
    await shows(page, 'Two-factor authentication is on.');
  });

  /** Readable by a camera, also in dark mode. */
  async function expectQrCodeOf(secret: string) {
    const link = page.getByRole('link', { name: 'open it in an app' });
    const address = (await link.getAttribute('href')) as string;
    expect(new URL(address).searchParams.get('secret')).toBe(secret);
    const code = page.getByRole('img', { name: /^QR code/ });
    const bitmap = generate(address);
    expect(await code.locator('path').getAttribute('d')).toBe(qrPath(bitmap));
    expect(await code.getAttribute('viewBox')).toBe(`-4 -4 ${bitmap.size + 8} ${bitmap.size + 8}`);
    const fills = await code.evaluate((svg) =>
      [...svg.children].map((part) => part.ownerDocument.defaultView?.getComputedStyle(part).fill),
    );
    expect(fills).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
  }

  /** Leaves the new password in `owner`. */
  async function changePassword(code: string) {
    const next = newPassword();
    await button('Change password').click();
    await field('Current password').fill(owner.password);
    await enterNewPassword(next);
    await field('Code from your authenticator app').fill(code);
    await button('Save password').click();
    owner = { ...owner, password: next };
  }

  test('is asked for when signing in and when the password changes, and keeps the session', async () => {
    await signOut(page);
    await enterPassword(page, owner);
    await field('Code').fill('12345');
    await button('Sign in').click();
    await shows(page, 'Enter the 6-digit code.');
    await field('Code').fill(oneTimeCode(key));
    await button('Sign in').click();
    await heading().waitFor();
    await changePassword(oneTimeCode(key));
    await shows(page, 'Password changed. All other sessions were signed out.');
    await page.reload();
    await heading().waitFor();
  });

  test('that does not fit leaves the new password, and asks to sign in again', async () => {
    await changePassword('000000');
    const dialog = page.getByRole('dialog').filter({ hasText: 'Sign in again' });
    await dialog.getByLabel('Password', { exact: true }).fill(owner.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByLabel('Code', { exact: true }).fill(oneTimeCode(key));
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('is turned off with the password and a code', async () => {
    await page.reload();
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
