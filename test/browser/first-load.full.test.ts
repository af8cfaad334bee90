import { expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { CONSOLE_URL, settled, shows } from './console.ts';
import { openOwners } from './owners.ts';
import { seedWorkspace } from './seed-workspace.ts';
import { browserForTests } from './shared-browser.ts';

// test/console/first-load.unit.test.ts adds up the scripts of every page. Here is what a browser really loads.
const browser = browserForTests();

/** Bytes over the wire of what is loaded from now on. */
function countBytes(page: Page, counts: (request: Request) => boolean = () => true): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  const count = (request: Request) => {
    if (counts(request)) sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  };
  page.on('requestfinished', count);
  return async () => {
    // The page may close while it still loads something.
    page.off('requestfinished', count);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
}

test('sign-in loads less than 250 KB: HTML, scripts, styles, fonts and images', async () => {
  const page = await browser.newPage();
  const bytes = countBytes(page);
  await page.goto(CONSOLE_URL);
  await page.getByLabel('Email address').waitFor();
  await settled(page);
  const total = await bytes();
  // Less would mean that something was not counted: React and Cloudscape alone are more.
  expect(total).toBeGreaterThan(150_000);
  expect(total).toBeLessThan(250_000);
});

test('sign-in can be read before any script has loaded', async () => {
  const page = await browser.newPage();
  await page.route('**/*.js', () => undefined);
  await page.goto(CONSOLE_URL, { waitUntil: 'commit' });
  await shows(page, 'Lead ingest');
  await shows(page, 'Loading the console…');
});

test('the inbox of a workspace in use shows its first lead after at most 30 requests and 420 KB', async () => {
  const { owner } = await seedWorkspace(openOwners());
  // Signed in, with an empty cache.
  const page = await browser.openAs(owner, '/leads');
  await settled(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  await page.goto('about:blank');
  const asked: Request[] = [];
  page.on('request', (request) => asked.push(request));
  const bytes = countBytes(page);
  await page.goto(`${CONSOLE_URL}/leads`);
  await page.getByRole('row').nth(1).waitFor();
  const [requests, total] = [asked.length, await bytes()];
  console.info(`Until the first lead: ${requests} requests, ${total} bytes.`);
  // Less would mean that something was not counted.
  expect(requests).toBeGreaterThan(15);
  expect(requests).toBeLessThanOrEqual(30);
  expect(total).toBeGreaterThan(250_000);
  expect(total).toBeLessThanOrEqual(420_000);
});
