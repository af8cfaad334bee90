import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';
import { type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';

const API = /\/settings\//;
const WIDTHS = [390, 1280];

let browser: TestBrowser;
let seeded: SeededWorkspace;
let page: Page;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
  seeded = await seedWorkspace(openOwners());
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, seeded.owner);
  await settled(page);
});
afterAll(() => browser.close());

const stop = () => page.route(API, (route) => route.abort());
const start = () => page.unroute(API);
const tryAgain = () => page.getByRole('button', { name: 'Try again' });
const stale = () => page.getByRole('status').getByText(/^Last updated \d\d:\d\d, retrying$/);

test('a page whose data is fresh says nothing', async () => {
  expect(await stale().count()).toBe(0);
  expect(await tryAgain().count()).toBe(0);
});

test('a page that cannot be refreshed keeps its data and says when it was loaded', async () => {
  await stop();
  // The limits are refreshed every ten seconds.
  await stale().waitFor({ timeout: 60_000 });
  await shows(page, 'Leads by form');
  expect(await page.getByText(/^Couldn’t load/).count()).toBe(0);
  expect(await tryAgain().count()).toBe(1);
});

test.each(WIDTHS)('the notice fits %d pixels and has no serious finding', async (width) => {
  await page.setViewportSize({ width, height: 900 });
  await stale().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  expect(await seriousFindings(page)).toEqual([]);
});

test('data is refreshed without a click once the service is back', async () => {
  await start();
  await stale().waitFor({ state: 'detached', timeout: 60_000 });
  expect(await tryAgain().count()).toBe(0);
});

test('a page that never loaded shows errors in place, and one button retries them all', async () => {
  await stop();
  await goTo(page, '/diagnostics?range=7d');
  await shows(page, 'Couldn’t load the rejections');
  await shows(page, 'Couldn’t load the recent events');
  expect(await tryAgain().count()).toBe(1);
  expect(await seriousFindings(page)).toEqual([]);
  await start();
  await tryAgain().click();
  await page.getByText(/^Couldn’t load/).waitFor({ state: 'detached' });
  // The button also stands for what the page reads besides its panels.
  await tryAgain().waitFor({ state: 'detached' });
  await settled(page);
  expect(await page.getByText(/^Couldn’t load/).count()).toBe(0);
});

test('being offline is said, too', async () => {
  await goTo(page, '/');
  await settled(page);
  await page.context().setOffline(true);
  await stale().waitFor({ timeout: 60_000 });
  await page.context().setOffline(false);
  await stale().waitFor({ state: 'detached', timeout: 60_000 });
});

test('something that was deleted is not retried', async () => {
  await goTo(page, '/forms/form_nope');
  await shows(page, 'Form not found');
  expect(await tryAgain().count()).toBe(0);
  expect(errors).toEqual([]);
});
