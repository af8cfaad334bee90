import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, settled, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';
import { type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';

let browser: TestBrowser;
let seeded: SeededWorkspace;
let atForm: string;
let page: Page;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
  seeded = await seedWorkspace(openOwners());
  atForm = `/forms/${seeded.form.formId}`;
  page = await browser.newPage({ viewport: { width: 1280, height: 500 } });
  errors = watchForErrors(page);
  await openAs(page, seeded.owner);
  await settled(page);
});
afterAll(() => browser.close());

const focused = () => page.evaluate('document.activeElement.textContent.trim()');
const focusedTag = () => page.evaluate('document.activeElement.tagName');
const scrolled = () => page.evaluate('Math.round(scrollY)');
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const visit = (name: string) =>
  page.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name, exact: true }).click();

test('the first page leaves the focus to the browser; the first Tab stop skips to its content', async () => {
  expect(await focusedTag()).toBe('BODY');
  const skip = page.getByRole('link', { name: 'Skip to main content' });
  expect((await skip.boundingBox())?.y).toBeLessThan(-20);
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to main content');
  expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  const before = page.url();
  await page.keyboard.press('Enter');
  expect([await focusedTag(), await focused()]).toEqual(['H1', 'Overview']);
  expect(page.url()).toBe(before);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.closest("#content") !== null')).toBe(true);
});

describe('the focus', () => {
  test('goes to the heading of the new page', async () => {
    await visit('Ingest tokens');
    await heading('Ingest tokens').waitFor();
    expect([await focusedTag(), await focused()]).toEqual(['H1', 'Ingest tokens']);
  });

  test('stays where it is while only the query changes', async () => {
    await visit('Diagnostics');
    await settled(page);
    expect(await focused()).toBe('Diagnostics');
    const week = page.getByRole('button', { name: '7 days' });
    await week.click();
    await settled(page);
    expect(page.url()).toContain('range=');
    expect(await focused()).toBe('7 days');
  });

  test('also goes there on back and forward, with the scroll position restored', async () => {
    await goTo(page, `${atForm}/delivery`);
    await settled(page);
    await page.evaluate('scrollTo(0, 600)');
    await visit('Forms');
    await heading('Forms').waitFor();
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await settled(page);
    expect(await focused()).toMatch(/^Delivery settings/);
    expect(await scrolled()).toBe(600);
    await page.goForward();
    await heading('Forms').waitFor();
    expect(await focused()).toBe('Forms');
  });

  test('a cached page starts at its top', async () => {
    await goTo(page, '/diagnostics');
    await settled(page);
    await page.evaluate('scrollTo(0, 400)');
    await goTo(page, `${atForm}/delivery`);
    await heading(/^Delivery settings/).waitFor();
    expect(await scrolled()).toBe(0);
  });

  test('is left to a dialog that opens with the page, then goes to the heading', async () => {
    await goTo(page, '/forms?create=true');
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await settled(page);
    await page.waitForFunction('document.activeElement.tagName === "INPUT"');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForFunction('document.activeElement.textContent === "Forms"');
  });

  test('goes to the anchor in the URL', async () => {
    await goTo(page, `${atForm}/delivery#debugger`);
    await settled(page);
    await page.waitForFunction('scrollY > 300');
    expect(await focused()).toBe('Signature debugger');
  });
});

describe('a notice', () => {
  const made = () => page.getByText('Form “Second form” created.').filter({ visible: true }).first();

  test('is shown on the page that the action leads to', async () => {
    await goTo(page, '/forms?create=true');
    await page.getByRole('dialog').getByLabel('Name').fill('Second form');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await heading(/^Delivery settings/).waitFor();
    await made().waitFor();
  });

  test('disappears when another page is opened, and does not return', async () => {
    await visit('Ingest tokens');
    await heading('Ingest tokens').waitFor();
    await made().waitFor({ state: 'detached' });
    await page.goBack();
    await heading(/^Delivery settings/).waitFor();
    expect(await made().count()).toBe(0);
  });
});

test('Diagnostics has its own place in the menu, and its old address still works', async () => {
  await goTo(page, '/tokens/diagnostics?surface=1b&range=7d');
  await heading('Diagnostics').waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/diagnostics?surface=1b&range=7d');
  expect(await page.getByRole('navigation', { name: 'Breadcrumbs' }).count()).toBe(0);
  const item = page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'Diagnostics', exact: true });
  expect(await item.getAttribute('aria-current')).toBe('page');
  await goTo(page, `${atForm}/delivery`);
  await page.getByRole('main').getByRole('link', { name: 'Diagnostics', exact: true }).click();
  await heading('Diagnostics').waitFor();
  expect(page.url()).toContain(`form=${seeded.form.formId}&surface=1b`);
});

test('tabs of different forms have different titles', async () => {
  for (const path of ['', '/leads', '/delivery', `/leads/${seeded.leadId}`]) {
    await goTo(page, atForm + path);
    await settled(page);
    expect(await page.title()).toMatch(/Contact us.* · Lead ingest$/);
  }
});

test('only tables use the full width of a wide screen', async () => {
  const wide = await browser.newPage({ viewport: { width: 2560, height: 1000 } });
  await openAs(wide, seeded.owner);
  const width = () => wide.locator('#content').evaluate((content) => content.getBoundingClientRect().width);
  for (const path of [`${atForm}/leads`, '/forms', '/tokens', '/diagnostics']) {
    await goTo(wide, path);
    await settled(wide);
    expect([path, await width()]).toEqual([path, expect.closeTo(2300, -2)]);
  }
  await goTo(wide, `${atForm}/leads/${seeded.leadId}`);
  await settled(wide);
  expect(await width()).toBeLessThanOrEqual(1620);
  await wide.context().close();
});

test('the page had no errors', () => {
  expect(errors).toEqual([]);
});
