import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CONSOLE_URL, goTo, openAs, seriousFindings, settled, shows } from './console.ts';
import { newOwnerWithForm } from './seed-items.ts';
import { browserForTests, PHONE } from './shared-browser.ts';

const API = /\/settings\//;

const browser = browserForTests();
let page: Page;

beforeAll(async () => {
  const { owner } = await newOwnerWithForm();
  page = await browser.newPage(PHONE);
  await page.clock.install();
  await openAs(page, owner);
  await settled(page);
});

const stop = () => page.route(API, (route) => route.abort());
const start = () => page.unroute(API);
const tryAgain = () => page.getByRole('button', { name: 'Try again' });
const stale = () => page.getByRole('status').getByText(/^Last updated \d\d:\d\d, retrying$/);
/** The limits are refreshed every ten seconds, failed requests after longer pauses. */
const passTime = () => page.clock.fastForward('01:00');

test('a page that cannot be refreshed keeps its data and says when it was loaded, until it is refreshed', async () => {
  expect(await stale().count()).toBe(0);
  expect(await tryAgain().count()).toBe(0);
  await stop();
  await passTime();
  await stale().waitFor();
  await shows(page, 'Leads by form');
  expect(await page.getByText(/^Couldn’t load/).count()).toBe(0);
  expect(await tryAgain().count()).toBe(1);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await seriousFindings(page)).toEqual([]);
  await start();
  await passTime();
  await stale().waitFor({ state: 'detached' });
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
  await page
    .getByText(/^Couldn’t load/)
    .first()
    .waitFor({ state: 'detached' });
  // The button also stands for what the page reads besides its panels.
  await tryAgain().waitFor({ state: 'detached' });
  await settled(page);
  expect(await page.getByText(/^Couldn’t load/).count()).toBe(0);
});

test('an overview that never loaded reports no success', async () => {
  await page.route(API, (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }));
  await page.goto(CONSOLE_URL);
  await shows(page, 'Couldn’t load the alerts');
  await shows(page, 'Service error. Something went wrong on our side');
  expect(await page.getByText('No open alerts').count()).toBe(0);
  expect(await page.getByText('..', { exact: false }).count()).toBe(0);
  await page.unroute(API);
  await tryAgain().first().click();
  await shows(page, 'No open alerts');
});
