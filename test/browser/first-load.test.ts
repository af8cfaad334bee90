import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { CONSOLE_URL, openAs, settled, shows } from './console.ts';
import { openOwners } from './owners.ts';
import { NO_IDS, pagesOf, type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';

/** Of sign-in everything counts; of a page its scripts. */
const MAX_BYTES = { signIn: 250_000, page: 400_000 };

function addressesOf(seeded: Parameters<typeof pagesOf>[0]): Record<string, string> {
  return {
    ...pagesOf(seeded),
    'leads of a form': `/forms/${seeded.form.formId}/leads`,
    // The language with the largest highlighter.
    'delivery in PHP': `/forms/${seeded.form.formId}/delivery?code=php`,
  };
}
const NAMES = Object.keys(addressesOf(NO_IDS));

let browser: TestBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

/** Bytes over the wire of what is loaded from now on. */
function countBytes(page: Page, counts: (request: Request) => boolean = () => true): () => Promise<number> {
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (counts(request)) sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  return async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
const isScript = (request: Request) => new URL(request.url()).pathname.endsWith('.js');

describe('sign-in', () => {
  test('loads less than 250 KB: HTML, scripts, styles, fonts and images', async () => {
    const page = await browser.newPage();
    const bytes = countBytes(page);
    await page.goto(CONSOLE_URL);
    await page.getByLabel('Email address').waitFor();
    await settled(page);
    const total = await bytes();
    // Less would mean that something was not counted: React and Cloudscape alone are more.
    expect(total).toBeGreaterThan(150_000);
    expect(total).toBeLessThan(MAX_BYTES.signIn);
    await page.context().close();
  });

  test('can be read before any script has loaded', async () => {
    const page = await browser.newPage();
    await page.route('**/*.js', () => undefined);
    await page.goto(CONSOLE_URL, { waitUntil: 'commit' });
    await shows(page, 'Lead ingest');
    await shows(page, 'Loading the console…');
    await page.context().close();
  });

  // Only measured: how long it takes also depends on this machine.
  test('at 400 kbit/s is measured', async () => {
    const page = await browser.newPage();
    const devtools = await page.context().newCDPSession(page);
    const bytesPerSecond = 400_000 / 8;
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 100,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    const start = Date.now();
    await page.goto(CONSOLE_URL, { waitUntil: 'commit' });
    await shows(page, 'Loading the console…');
    const readable = Date.now() - start;
    await page.getByLabel('Email address').waitFor();
    console.info(`At 400 kbit/s: readable after ${readable} ms, sign-in after ${Date.now() - start} ms.`);
    await page.context().close();
  });
});

describe('a page opened by URL', () => {
  let seeded: SeededWorkspace;
  beforeAll(async () => {
    seeded = await seedWorkspace(openOwners());
  });

  test.each(NAMES)('%s loads less than 400 KB of JavaScript, sign-in included', async (name) => {
    // A new context, so nothing is cached.
    const page = await browser.newPage();
    const bytes = countBytes(page, isScript);
    await openAs(page, seeded.owner, addressesOf(seeded)[name]);
    await settled(page);
    const total = await bytes();
    await page.context().close();
    // Less would mean that some scripts were not counted.
    expect(total).toBeGreaterThan(200_000);
    expect(total).toBeLessThan(MAX_BYTES.page);
  });
});
