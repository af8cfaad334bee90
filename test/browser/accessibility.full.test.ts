import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { contrastFindings, findingsExceptContrast, requestsDone } from './browser.ts';
import { CONSOLE_URL, goTo, seriousFindings, settled } from './console.ts';
import { openOwners } from './owners.ts';
import { pagesOf, type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';
import { browserForTests, PHONE } from './shared-browser.ts';

const browser = browserForTests();
const DESKTOP = { width: 1280, height: 900 };
const SMALL = { width: 375, height: 812 };
const ON_PHONE = { ...PHONE, viewport: SMALL };

const contentWidth = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

/** As the owner's choice of a theme does. Waits until what depends on the size is drawn. */
async function show(page: Page, size: typeof DESKTOP, theme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(`document.body.classList.toggle('awsui-dark-mode', ${theme === 'dark'});
    document.documentElement.style.colorScheme = '${theme}';`);
  await requestsDone(page);
}

/** By how much each table is wider than its place. */
const HIDDEN_OF_TABLES = `[...document.querySelectorAll('table')]
  .map(({ parentElement: at }) => at.scrollWidth - at.clientWidth)`;

/** Words of up to twelve letters that are split across lines. Longer ones may have to be. */
const BROKEN_WORDS = `(() => {
  const broken = [];
  const texts = document.createTreeWalker(document.getElementById('content'), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    // Code and values to copy may break anywhere.
    if (node.parentElement.closest('code, pre, [class*="copy"], [class*="ace"]')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\-–]{2,12}(?![^\\s\\-–])/g)) {
      if (index > 0 && /[^\\s\\-–]/.test(node.data[index - 1])) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})()`;

/** The longest name that a form can have, without a place to break it. */
const LONGEST_NAME = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3).slice(0, 100);

/** On a small screen nothing scrolls sideways, nor does a table within the page, and short words are whole. */
async function expectFit(page: Page): Promise<void> {
  expect(await contentWidth(page)).toBeLessThanOrEqual(SMALL.width);
  for (const hidden of (await page.evaluate(HIDDEN_OF_TABLES)) as number[]) {
    expect(hidden).toBeLessThanOrEqual(1);
  }
  expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
}

describe('the console', () => {
  const owners = openOwners();
  const NAMES = Object.keys(pagesOf());
  /** Without data, other pages look the same, or say that something is not found, as the page of a form does. */
  const WITHOUT_DATA =
    'overview leads senders learned forms form send-test tokens diagnostics destinations alerts api-keys activity';

  let seeded: SeededWorkspace;
  let page: Page;

  beforeAll(async () => {
    seeded = await seedWorkspace(owners, undefined, LONGEST_NAME);
  });

  async function open(name: string): Promise<void> {
    await goTo(page, pagesOf(seeded)[name] as string);
    await settled(page);
  }

  // Each size has one of the themes, which share their structure.
  describe('with data', () => {
    beforeAll(async () => {
      page = await browser.openAs(seeded.owner);
    });

    test.each(NAMES)(
      '%s has no finding in light on a desktop, nor in dark where it fits a phone',
      async (name) => {
        await show(page, DESKTOP, 'light');
        await open(name);
        expect(await seriousFindings(page)).toEqual([]);
        expect(await contentWidth(page)).toBeLessThanOrEqual(DESKTOP.width);
        await show(page, SMALL, 'dark');
        expect(await seriousFindings(page)).toEqual([]);
        await expectFit(page);
      },
    );
  });

  describe('without data', () => {
    beforeAll(async () => {
      page = await browser.openAs(await owners.newOwner('Nothing here yet'));
    });

    test.each(WITHOUT_DATA.split(' '))('%s has no finding', async (name) => {
      await open(name);
      expect(await seriousFindings(page)).toEqual([]);
    });
  });

  describe('in error, on a phone in dark mode', () => {
    beforeAll(async () => {
      page = await browser.openAs(seeded.owner, '/', { ...ON_PHONE, colorScheme: 'dark' });
      // The console asks three times before it shows the error, which takes three seconds.
      await page.addInitScript(`const { setTimeout } = window;
        window.setTimeout = (call, delay = 0, ...rest) => setTimeout(call, delay >= 1000 ? 50 : delay, ...rest);`);
      // Every page shows the workspace's name, so that request succeeds.
      await page.route(/\/settings\/(?!workspace$)/, (route) =>
        route.fulfill({ status: 500, json: { title: 'Broken' } }),
      );
      await page.reload();
    });

    test.each(NAMES)('%s has no finding and fits', async (name) => {
      await open(name);
      expect(await seriousFindings(page)).toEqual([]);
      await expectFit(page);
    });
  });
});

test('before signing in, nothing has a serious finding, in light or in dark mode', async () => {
  const page = await browser.newPage(ON_PHONE);
  async function expectNothing() {
    expect(await seriousFindings(page)).toEqual([]);
    await show(page, SMALL, 'dark');
    expect(await contrastFindings(page)).toEqual([]);
    await show(page, SMALL, 'light');
  }
  await page.goto(CONSOLE_URL);
  await page.getByLabel('Email address').waitFor();
  await expectNothing();
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await expectNothing();
});

describe('without signing in', () => {
  let page: Page;

  async function open(path: string) {
    page = await browser.newPage(ON_PHONE);
    const response = await page.goto(`${CONSOLE_URL}${path}`);
    expect(response?.status()).toBe(200);
    expect(await contentWidth(page)).toBeLessThanOrEqual(SMALL.width);
  }

  async function expectLinks() {
    await page.setViewportSize(DESKTOP);
    expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('grid');
    for (const [link, key] of [
      ['The OpenAPI 3.1 document', 'openapi'],
      ['Signature test vectors', 'vectors'],
    ] as const) {
      const href = (await page.getByRole('link', { name: link }).getAttribute('href')) as string;
      const file = await page.request.get(new URL(href, page.url()).href);
      expect(file.headers()['content-type']).toContain('application/json');
      expect(await file.json()).toHaveProperty(key);
    }
  }

  test.each(['/guide.html#clean', '/api-reference/ingest.html'])(
    '%s fits a phone and has no serious finding, in light or in dark mode',
    async (path) => {
      await open(path);
      expect(await seriousFindings(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await contrastFindings(page)).toEqual([]);
      if (path.startsWith('/api-reference')) await expectLinks();
    },
  );

  // The same code and style sheet make it, of 15 times as many elements. So the colors of the other are enough.
  test('the reference of the settings API fits a phone and has no serious finding', async () => {
    await open('/api-reference/settings.html');
    expect(await findingsExceptContrast(page)).toEqual([]);
    await expectLinks();
  });
});
