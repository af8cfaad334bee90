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

/** The goals until the first lead is shown, for an owner who was signed in before. */
const MAX_INBOX = { requests: 30, bytes: 420_000 };

describe('the inbox', () => {
  let page: Page;
  beforeAll(async () => {
    const seeded = await seedWorkspace(openOwners());
    const { page: opened } = await openAgain(seeded.owner);
    page = opened;
  });
  afterAll(() => page.context().close());

  /** Signed in, with an empty cache. */
  async function openAgain(owner: SeededWorkspace['owner']) {
    const opened = await browser.newPage();
    await openAs(opened, owner, '/leads');
    await settled(opened);
    const devtools = await opened.context().newCDPSession(opened);
    await devtools.send('Network.clearBrowserCache');
    await opened.goto('about:blank');
    return { page: opened, devtools };
  }

  test('shows its first lead after at most 30 requests and 420 KB', async () => {
    const asked: Request[] = [];
    page.on('request', (request) => asked.push(request));
    const bytes = countBytes(page);
    await page.goto(`${CONSOLE_URL}/leads`);
    await page.getByRole('row').nth(1).waitFor();
    const [requests, total] = [asked.length, await bytes()];
    console.info(`Until the first lead: ${requests} requests, ${total} bytes.`);
    // Less would mean that something was not counted.
    expect(requests).toBeGreaterThan(15);
    expect(requests).toBeLessThanOrEqual(MAX_INBOX.requests);
    expect(total).toBeGreaterThan(250_000);
    expect(total).toBeLessThanOrEqual(MAX_INBOX.bytes);
  });

  // Only measured: how long it takes also depends on this machine.
  test('on Slow 4G is measured', async () => {
    const devtools = await page.context().newCDPSession(page);
    await page.goto('about:blank');
    await devtools.send('Network.clearBrowserCache');
    const bytesPerSecond = 1_600_000 / 8;
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    const start = Date.now();
    await page.goto(`${CONSOLE_URL}/leads`, { waitUntil: 'commit' });
    await page.getByRole('row').nth(1).waitFor();
    console.info(`At 1.6 Mbit/s and 150 ms: the first lead after ${Date.now() - start} ms.`);
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
