import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { becomesTrue, goTo, settled, shows } from './console.ts';
import { openOwners } from './owners.ts';
import { type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

let seeded: SeededWorkspace;
let atForm: string;
let page: Page;

beforeAll(async () => {
  seeded = await seedWorkspace(openOwners());
  atForm = `/forms/${seeded.form.formId}`;
  page = await browser.openAs(seeded.owner, '/', { viewport: { width: 1280, height: 500 } });
  await settled(page);
});

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

  test('is left to a dialog that opens with the page, then goes to the heading', async () => {
    await goTo(page, '/forms?create=true');
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await settled(page);
    await becomesTrue(page, 'document.activeElement.tagName === "INPUT"');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await becomesTrue(page, 'document.activeElement.textContent === "Forms"');
  });

  test('goes to the anchor in the URL', async () => {
    await goTo(page, `${atForm}/delivery#debugger`);
    await settled(page);
    await becomesTrue(page, 'scrollY > 300');
    expect(await focused()).toBe('Signature debugger');
  });
});

test('the old address of Diagnostics still works, and the menu marks the page', async () => {
  await goTo(page, '/tokens/diagnostics?surface=1b&range=7d');
  await heading('Diagnostics').waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/diagnostics?surface=1b&range=7d');
  const item = page
    .getByRole('navigation', { name: 'Navigation' })
    .getByRole('link', { name: 'Diagnostics', exact: true });
  expect(await item.getAttribute('aria-current')).toBe('page');
});

test.each([
  ['/forms/form_nope', 'Form not found', 'All forms', 'Forms'],
  ['/forms/form_nope/delivery', 'Form not found', 'All forms', 'Forms'],
  ['/forms/FORM/leads/lead_nope', 'Lead not found', 'All leads', 'Leads'],
  ['/alerts?alert=alert_nope', 'Alert not found', undefined, 'Alerts'],
  ['/nowhere', 'Page not found', 'Forms', 'Forms'],
])('%s names what is missing, and leads to a list', async (path, said, link, title) => {
  await goTo(page, path.replace('FORM', seeded.form.formId));
  await shows(page, said);
  if (link) await page.locator('#content').getByRole('link', { name: link, exact: true }).click();
  await heading(title).waitFor();
});

test('times can be shown in UTC by keyboard', async () => {
  await goTo(page, `${atForm}/leads/${seeded.leadId}`);
  await page.getByRole('heading', { name: 'Score' }).waitFor();
  const received = page.getByRole('main').locator('time').first();
  const [local, inUtc] = [await received.textContent(), await received.getAttribute('title')];
  expect(inUtc).toMatch(/ UTC$/);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: seeded.owner.email }).press('Enter');
    await page.getByRole('menuitem', { name }).waitFor();
    // Its first item takes the focus a moment after the menu is seen. A key before that would go to the button.
    await page.getByRole('menuitem').and(page.locator(':focus')).waitFor();
    while ((await focused()) !== name) {
      const before = await focused();
      await page.keyboard.press('ArrowDown');
      await becomesTrue(page, `document.activeElement.textContent.trim() !== ${JSON.stringify(before)}`);
    }
    await page.keyboard.press('Enter');
  };
  await choose('Show times in UTC');
  await shows(page, inUtc as string);
  expect(await received.getAttribute('title')).toBe(local);
  await choose('Show times in local time');
  await shows(page, local as string);
});
