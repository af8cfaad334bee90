import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { contrastFindings } from './browser.ts';
import { CONSOLE_URL, goTo, openAs, seriousFindings, settled } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { NO_IDS, pagesOf, type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();
const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true };

const contentWidth = (page: Page) => page.evaluate('document.documentElement.scrollWidth');

/** As the owner's choice of a theme does. */
const turn = (page: Page, theme: 'light' | 'dark') =>
  page.evaluate(`document.body.classList.toggle('awsui-dark-mode', ${theme === 'dark'});
    document.documentElement.style.colorScheme = '${theme}';`);

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

describe('the console', () => {
  const owners = openOwners();
  const NAMES = Object.keys(pagesOf(NO_IDS));

  let seeded: SeededWorkspace;
  let empty: TestOwner;

  beforeAll(async () => {
    seeded = await seedWorkspace(owners, undefined, LONGEST_NAME);
    empty = await owners.newOwner('Nothing here yet');
  });

  const withData = () => seeded.owner;
  const withNothing = () => empty;
  // Every page shows the workspace's name, so that request succeeds.
  const FAILING = /\/settings\/(?!workspace$)/;

  describe.each([
    ['on a desktop', DESKTOP, 'light', 'dark', withData, undefined],
    ['on a phone', PHONE, 'light', 'dark', withData, undefined],
    ['without data', DESKTOP, 'light', undefined, withNothing, undefined],
    ['in error', PHONE, 'dark', undefined, withData, FAILING],
  ] as const)('%s', (_, device, theme, otherTheme, ownerOf, broken) => {
    const { width } = device.viewport;
    let page: Page;

    beforeAll(async () => {
      page = await browser.newPage({ ...device, colorScheme: theme });
      if (broken) {
        await page.route(broken, (route) => route.fulfill({ status: 500, json: { title: 'Broken' } }));
      }
      await openAs(page, ownerOf());
    });

    test.each(NAMES)('%s has no finding, and nothing scrolls sideways', async (name) => {
      await goTo(page, pagesOf(seeded)[name] as string);
      await settled(page);
      expect(await seriousFindings(page)).toEqual([]);
      expect(await contentWidth(page)).toBeLessThanOrEqual(width);
      if (device === PHONE) {
        // Nor does a table within the page.
        for (const hidden of (await page.evaluate(HIDDEN_OF_TABLES)) as number[]) {
          expect(hidden).toBeLessThanOrEqual(1);
        }
        expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
      }
      if (otherTheme === undefined) return;
      await turn(page, otherTheme);
      expect(await contrastFindings(page)).toEqual([]);
      await turn(page, theme);
    });
  });
});

test.each(['light', 'dark'] as const)(
  'before signing in, nothing has a serious finding in %s mode',
  async (colorScheme) => {
    const page = await browser.newPage({ ...PHONE, colorScheme });
    await page.goto(CONSOLE_URL);
    await page.getByLabel('Email address').waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    expect(await seriousFindings(page)).toEqual([]);
    await page.goto(`${CONSOLE_URL}/guide.html#clean`);
    await page.getByRole('heading', { name: 'Clean', exact: true }).waitFor();
    expect(await contentWidth(page)).toBeLessThanOrEqual(375);
    expect(await seriousFindings(page)).toEqual([]);
  },
);

describe.each(['ingest', 'settings'])('the reference of the %s API, without signing in', (name) => {
  test.each(['light', 'dark'] as const)(
    'has its style, fits a phone and has no serious finding in %s mode',
    async (colorScheme) => {
      const page = await browser.newPage({ ...PHONE, colorScheme });
      const response = await page.goto(`${CONSOLE_URL}/api-reference/${name}.html`);
      expect(response?.status()).toBe(200);
      expect(await seriousFindings(page)).toEqual([]);
      expect(await contentWidth(page)).toBeLessThanOrEqual(375);
      await page.setViewportSize(DESKTOP.viewport);
      expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('grid');
    },
  );

  test('links to its document and the test vectors', async () => {
    const page = await browser.newPage();
    await page.goto(`${CONSOLE_URL}/api-reference/${name}.html`);
    for (const [link, key] of [
      ['The OpenAPI 3.1 document', 'openapi'],
      ['Signature test vectors', 'vectors'],
    ] as const) {
      const href = (await page.getByRole('link', { name: link }).getAttribute('href')) as string;
      const file = await page.request.get(new URL(href, page.url()).href);
      expect(file.headers()['content-type']).toContain('application/json');
      expect(await file.json()).toHaveProperty(key);
    }
  });
});
