import { createHmac } from 'node:crypto';
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

test('asks for a two-factor code if turned on', async () => {
  const owner = await owners.newOwner();
  await open('/security');
  await enterPassword(page, owner);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Copy key' }).click();
  const key = (await page.evaluate('navigator.clipboard.readText()')) as string;
  await page.getByLabel('Enter the code from the app').fill(oneTimeCode(key));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await says('Two-factor authentication is on.');

  await signOut(page);
  await enterPassword(page, owner);
  await page.getByLabel('Code').fill('12345');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await says('Enter the 6-digit code.');
  await page.getByLabel('Code').fill(oneTimeCode(key));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading('Sign-in security').waitFor();
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
