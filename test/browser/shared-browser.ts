import { afterAll, beforeAll, expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { openAs, watchForErrors } from './console.ts';
import type { TestOwner } from './owners.ts';

/** One browser for the tests of a file. At the end, no page that is watched may have had an error. */
export function browserForTests() {
  const errors: string[] = [];
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    expect(errors).toEqual([]);
  });

  /** A page in its own context, which shares nothing with others. */
  async function newPage(options?: BrowserContextOptions): Promise<Page> {
    const page = await browser.newPage(options);
    page.context().on('page', (tab) => watchForErrors(tab, errors));
    watchForErrors(page, errors);
    return page;
  }

  return {
    newPage,

    /** For pages whose errors the test provokes. */
    newUnwatchedPage: () => browser.newPage(),

    /** A page in its own context, with the console in which this owner has signed in. */
    async openAs(owner: TestOwner, path = '/', options?: BrowserContextOptions): Promise<Page> {
      const page = await newPage(options);
      await openAs(page, owner, path);
      return page;
    },
  };
}

/** A small screen that is touched. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
