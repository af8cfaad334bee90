import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { CONSOLE_URL, goTo, openAs, seriousFindings, settled } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { NO_IDS, pagesOf, type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';

describe('the console', () => {
  const owners = openOwners();
  const NAMES = Object.keys(pagesOf(NO_IDS));

  let browser: TestBrowser;
  let seeded: SeededWorkspace;
  let empty: TestOwner;

  beforeAll(async () => {
    browser = await openBrowser();
    seeded = await seedWorkspace(owners);
    empty = await owners.newOwner('Nothing here yet');
  });
  afterAll(() => browser.close());

  const DESKTOP = { width: 1280, height: 900 };
  const PHONE = { width: 375, height: 812 };
  const withData = () => seeded.owner;
  const withNothing = () => empty;
  // Every page shows the workspace's name, so that request succeeds.
  const FAILING = /\/settings\/(?!workspace$)/;

  describe.each([
    ['on a desktop', 'light', DESKTOP, withData, undefined],
    ['on a desktop in dark mode', 'dark', DESKTOP, withData, undefined],
    ['on a phone', 'light', PHONE, withData, undefined],
    ['on a phone in dark mode', 'dark', PHONE, withData, undefined],
    ['without data', 'light', DESKTOP, withNothing, undefined],
    ['in error', 'dark', PHONE, withData, FAILING],
  ] as const)('%s', (_, colorScheme, viewport, ownerOf, broken) => {
    let page: Page;

    beforeAll(async () => {
      const isPhone = viewport === PHONE;
      page = await browser.newPage({ colorScheme, viewport, isMobile: isPhone, hasTouch: isPhone });
      if (broken) {
        await page.route(broken, (route) => route.fulfill({ status: 500, json: { title: 'Broken' } }));
      }
      await openAs(page, ownerOf());
    });
    afterAll(() => page.context().close());

    test.each(NAMES)('%s has no finding, and nothing scrolls sideways', async (name) => {
      await goTo(page, pagesOf(seeded)[name] as string);
      await settled(page);
      expect(await seriousFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
      if (viewport !== PHONE) return;
      // Nor does a table within the page.
      const tables = `[...document.querySelectorAll('table')].map(({ parentElement: at }) => at.scrollWidth - at.clientWidth)`;
      for (const hidden of (await page.evaluate(tables)) as number[]) expect(hidden).toBeLessThanOrEqual(1);
    });
  });

  test.each(['light', 'dark'] as const)(
    'the guide has no serious finding in %s mode',
    async (colorScheme) => {
      const page = await browser.newPage({ colorScheme, viewport: { width: 375, height: 812 } });
      await page.goto(`${CONSOLE_URL}/guide.html#clean`);
      await page.getByRole('heading', { name: 'Clean', exact: true }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
      expect(await seriousFindings(page)).toEqual([]);
      await page.context().close();
    },
  );

  test.each(['light', 'dark'] as const)(
    'signing in has no serious finding in %s mode',
    async (colorScheme) => {
      const page = await browser.newPage({ colorScheme });
      await page.goto(CONSOLE_URL);
      await page.getByLabel('Email address').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Forgot your password?' }).click();
      expect(await seriousFindings(page)).toEqual([]);
      await page.context().close();
    },
  );
});

describe('the API reference', () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  describe.each(['ingest', 'settings'])('of the %s API, without signing in', (name) => {
    const open = async (page: Page) => {
      const refused: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') refused.push(message.text());
      });
      const response = await page.goto(`${CONSOLE_URL}/api-reference/${name}.html`);
      expect(response?.status()).toBe(200);
      return refused;
    };

    test.each(['light', 'dark'] as const)(
      'has its style and no serious finding in %s mode',
      async (colorScheme) => {
        const page = await browser.newPage({ colorScheme });
        expect(await open(page)).toEqual([]);
        expect(await seriousFindings(page)).toEqual([]);
        expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('grid');
        await page.context().close();
      },
    );

    test('does not scroll sideways on a phone', async () => {
      const page = await browser.newPage({ viewport: { width: 375, height: 812 }, isMobile: true });
      await open(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
      await page.context().close();
    });

    test('links to its document and the test vectors', async () => {
      const page = await browser.newPage();
      await open(page);
      for (const [link, key] of [
        ['The OpenAPI 3.1 document', 'openapi'],
        ['Signature test vectors', 'vectors'],
      ] as const) {
        const href = (await page.getByRole('link', { name: link }).getAttribute('href')) as string;
        const file = await page.request.get(new URL(href, page.url()).href);
        expect(file.headers()['content-type']).toContain('application/json');
        expect(await file.json()).toHaveProperty(key);
      }
      await page.context().close();
    });
  });
});
