import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type BrowserForm, openBrowserForm } from './browser-form.ts';
import { pageWith, snippet } from './browser-snippets.ts';
import { watchMints } from './page-requests.ts';
import { Website } from './website.ts';

export const SENT = 'Thank you. Your message has been sent.';
export const FAILED = 'Your message could not be sent. Please try again later.';

/** A visitor of a website with the HTML example of docs/browser.md. Form and page are new for each test. */
class Visit {
  readonly site = new Website();
  origin = '';
  form!: BrowserForm;
  page!: Page;
  /** The nonce of every token that the page asked for. */
  mints: string[] = [];

  async begin(browser: TestBrowser): Promise<void> {
    const { site } = this;
    this.form = await openBrowserForm(this.origin);
    site.html = pageWith(snippet('html', this.form));
    site.policy = '';
    site.posts.length = 0;
    this.page = await browser.newPage();
    this.mints = watchMints(this.page);
    // On the document, so that events must bubble.
    await this.page.addInitScript(`
      globalThis.seen = [];
      for (const type of ['lead:sent', 'lead:failed'])
        document.addEventListener(type, (event) => seen.push([type, event.detail]));`);
  }

  /** The SDK's events so far. */
  events(): Promise<unknown> {
    return this.page.evaluate('seen');
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.origin}/form`);
  }

  async fill(name = 'Ada Byron'): Promise<void> {
    await this.page.getByLabel('Name').fill(name);
    await this.page.getByLabel('Email').fill('ada@analytical-engines.example');
    await this.page.getByLabel('Message').fill('Zoë says “hello”');
  }

  async send(): Promise<void> {
    await this.page.getByRole('button', { name: 'Send' }).click();
  }

  async shows(text: string | RegExp): Promise<void> {
    await this.page.getByRole('status').filter({ hasText: text }).waitFor();
  }

  isFocused(selector: string): Promise<unknown> {
    return this.page.evaluate(`document.activeElement === document.querySelector('${selector}')`);
  }
}

export function newVisitForEachTest(): Visit {
  const visit = new Visit();
  let browser: TestBrowser;
  beforeAll(async () => {
    [browser, visit.origin] = await Promise.all([openBrowser(), visit.site.open()]);
  });
  beforeEach(() => visit.begin(browser));
  afterEach(() => visit.page.context().close());
  afterAll(async () => {
    await browser.close();
    visit.site.close();
  });
  return visit;
}
