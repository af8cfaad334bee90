import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { localStack } from '../local-stack.ts';
import { requestsDone } from './browser.ts';
import type { TestOwner } from './owners.ts';

export const CONSOLE_URL = localStack().output(OUTPUTS.consoleUrl);

export async function enterPassword(page: Page, { email, password }: Pick<TestOwner, 'email' | 'password'>) {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Opens a URL of the console and signs in. */
export async function openAs(page: Page, owner: TestOwner, path = '/'): Promise<void> {
  await page.goto(CONSOLE_URL + path);
  await enterPassword(page, owner);
  await page.locator('#top-bar').waitFor();
}

export async function signOut(page: Page): Promise<void> {
  await page.locator('#top-bar').getByRole('button', { name: /@/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Email address').waitFor();
}

/** Navigates without reloading, which would lose what is kept in memory. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
}

/** Waits until all requests are done and nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await requestsDone(page);
  await page
    .getByText(/^Loading /)
    .first()
    .waitFor({ state: 'detached' });
}

/**
 * Waits until this expression is true in the page. The browser must see it as a function: the content security policy
 * forbids to evaluate a text again later, so that a wait would fail if it does not end at once.
 */
export async function becomesTrue(page: Page, expression: string): Promise<void> {
  await page.waitForFunction(`() => ${expression}`);
}

/** Waits for a text. Cloudscape repeats some texts for screen readers a moment later, so the first match counts. */
export async function shows(
  where: Page | Locator,
  text: string | RegExp,
  options?: { exact: boolean },
): Promise<void> {
  await where.getByText(text, options).filter({ visible: true }).first().waitFor();
}

/** The file that the browser downloads by this click. */
export async function downloadBy(page: Page, button: Locator): Promise<{ name: string; text: string }> {
  // Browsers without a file picker download the file.
  await page.evaluate('delete window.showSaveFilePicker');
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

/** Unexpected errors of the page: uncaught ones, and violations of its content security policy. */
export function watchForErrors(page: Page, errors: string[]): void {
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    // The browser itself logs every 4xx and 5xx, which tests provoke.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text())) {
      errors.push(message.text());
    }
  });
}

export { seriousFindings } from './browser.ts';
