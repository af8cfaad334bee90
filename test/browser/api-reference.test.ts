import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousFindings } from './axe.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { CONSOLE_URL } from './console.ts';

let browser: TestBrowser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe.each(['ingest', 'settings'])('the reference of the %s API, which nobody signs in for', (name) => {
  const open = async (page: Page) => {
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    const answer = await page.goto(`${CONSOLE_URL}/api-reference/${name}.html`);
    expect(answer?.status()).toBe(200);
    return refused;
  };

  test.each(['light', 'dark'] as const)(
    'has no serious finding in %s mode, and its style',
    async (colorScheme) => {
      const page = await browser.newPage({ colorScheme });
      expect(await open(page)).toEqual([]);
      expect(await seriousFindings(page)).toEqual([]);
      expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('grid');
      await page.context().close();
    },
  );

  test('scrolls only down on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 375, height: 812 }, isMobile: true });
    await open(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
    await page.context().close();
  });

  test('offers its document and the test vectors as files', async () => {
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
