import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, settled, shows } from './console.ts';
import { openOwners } from './owners.ts';
import { pagesOf, type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';

const owners = openOwners();
let browser: TestBrowser;
let theirs: SeededWorkspace;

beforeAll(async () => {
  browser = await openBrowser();
  theirs = await seedWorkspace(owners);
});
afterAll(() => browser.close());

test('a second owner sees nothing of the first, on any page or URL', async () => {
  const page = await browser.newPage();
  const responses: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/settings/')) responses.push(await response.text().catch(() => ''));
  });
  await openAs(page, await owners.newOwner('Somebody else'));
  for (const path of Object.values(pagesOf(theirs))) {
    await goTo(page, path);
    await settled(page);
    const text = await page.locator('body').innerText();
    expect(text).not.toMatch(/Ada Byron|Web shop|Newsletter|analytical-engines/);
  }
  expect(responses.length).toBeGreaterThan(10);
  expect(responses.join()).not.toMatch(/Ada Byron|Web shop|Newsletter|analytical-engines/);
});

test('an owner who signs in after another in the same tab sees nothing of them', async () => {
  const page = await browser.newPage();
  await openAs(page, theirs.owner, '/tokens');
  await shows(page, 'Web shop');
  await page.getByRole('button', { name: theirs.owner.email }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const other = await owners.newOwner('Somebody else');
  await page.getByLabel('Email address').fill(other.email);
  await page.getByLabel('Password', { exact: true }).fill(other.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await settled(page);
  expect(await page.locator('body').innerText()).not.toContain('Web shop');
});
