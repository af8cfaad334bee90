import { afterAll, beforeAll, expect } from '@jest/globals';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { SESSION_COOKIE } from '../../lambdas/contract.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { CONSOLE_URL, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';

interface Shared {
  readonly browser: TestBrowser;
  /** Contexts that have loaded the console before, by their options. To load it again takes about half of the CPU time. */
  readonly idle: Map<string, BrowserContext[]>;
}

let shared: Promise<Shared> | undefined;
let isInUse = false;

const open = async (): Promise<Shared> => ({ browser: await openBrowser(), idle: new Map() });

/** The files of a worker run one after another, and share a browser. */
export function browserOfWorker(): { current(): Shared } {
  let current: Shared;
  beforeAll(async () => {
    isInUse = true;
    shared ??= open();
    current = await shared;
  });
  afterAll(() => {
    isInUse = false;
    closeWithWorker(current.browser);
  });
  return { current: () => current };
}

/**
 * Jest no longer listens to a worker that it ends, and has no connection to it if it was killed: a browser would keep
 * the worker running. It has no worker for one file.
 */
function closeWithWorker(browser: TestBrowser): void {
  const look = setInterval(() => {
    if (!isInUse && process.connected && process.listenerCount('message') > 0) return;
    clearInterval(look);
    if (isInUse) return;
    shared = undefined;
    void browser.close();
  }, 50);
}

/** For the tests of a file. At the end, no page that is watched may have had an error. */
export function browserForTests() {
  const errors: string[] = [];
  /** What returns each context of this file to where it came from. */
  const returns: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const giveBack of returns.splice(0)) await giveBack();
    expect(errors).toEqual([]);
  });
  // Its own hook must be the last.
  const worker = browserOfWorker();
  const { signIn } = openOwners();
  const watch = (page: Page) => watchForErrors(page, errors);

  /** A page in its own context, which shares nothing with others. */
  async function newPage(options?: BrowserContextOptions): Promise<Page> {
    const page = await newUnwatchedPage(options);
    page.context().on('page', watch);
    watch(page);
    return page;
  }

  /** For pages whose errors the test provokes. */
  async function newUnwatchedPage(options?: BrowserContextOptions): Promise<Page> {
    const page = await worker.current().browser.newPage(options);
    returns.push(() => page.context().close());
    return page;
  }

  /** A context that shares nothing with others but the files of the console, which it may have loaded before. */
  async function takeContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const { browser, idle } = worker.current();
    const kind = JSON.stringify(options);
    const context = idle.get(kind)?.pop() ?? (await browser.newContext(options));
    context.on('page', watch);
    let isClosed = false;
    context.once('close', () => {
      isClosed = true;
    });
    returns.push(async () => {
      if (isClosed) return;
      context.off('page', watch);
      await Promise.all(context.pages().map((page) => page.close()));
      idle.set(kind, [...(idle.get(kind) ?? []), context]);
    });
    return context;
  }

  return {
    newPage,
    newUnwatchedPage,

    /** A page in its own context, with the console in which this owner has signed in. */
    async openAs(owner: TestOwner, path = '/', options?: BrowserContextOptions): Promise<Page> {
      const context = await takeContext(options);
      const page = await context.newPage();
      const devtools = await context.newCDPSession(page);
      await devtools.send('Storage.clearDataForOrigin', { origin: CONSOLE_URL, storageTypes: 'all' });
      await devtools.detach();
      const { RefreshToken: value = '' } = await signIn(owner);
      await context.addCookies([
        {
          name: SESSION_COOKIE,
          value,
          domain: new URL(CONSOLE_URL).hostname,
          path: '/',
          httpOnly: true,
          secure: true,
          sameSite: 'Strict',
        },
      ]);
      await page.goto(CONSOLE_URL + path);
      await page.locator('#top-bar').waitFor();
      return page;
    },
  };
}

/** A small screen that is touched. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
