import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import type { TestBrowser } from './browser.ts';
import { type BrowserForm, openBrowserForm } from './browser-form.ts';
import { pageWith, snippet } from './browser-snippets.ts';
import { browserOfWorker } from './shared-browser.ts';

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

  async shows(hasText: string | RegExp): Promise<void> {
    await this.page.getByRole('status').filter({ hasText }).waitFor();
  }

  /** Fills in the form as it is now and sends it, until the visitor reads that it worked. */
  async sendLead(name?: string): Promise<void> {
    await this.fill(name);
    await this.send();
    await this.shows(SENT);
  }

  isFocused(selector: string): Promise<unknown> {
    return this.page.evaluate(`document.activeElement === document.querySelector('${selector}')`);
  }
}

export function newVisitForEachTest(): Visit {
  const visit = new Visit();
  const worker = browserOfWorker();
  beforeAll(async () => {
    visit.origin = await visit.site.open();
  });
  beforeEach(() => visit.begin(worker.current().browser));
  afterEach(() => visit.page.context().close());
  afterAll(() => visit.site.close());
  return visit;
}

/** The nonce of every token that the page asks for. */
function watchMints(page: Page): string[] {
  const nonces: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/browser/token')) {
      nonces.push(request.postDataJSON().nonce);
    }
  });
  return nonces;
}

/** The request ID of every rejected submission. */
export function watchRejections(page: Page): string[] {
  const ids: string[] = [];
  page.on('response', async (response) => {
    if (response.status() !== 200 || !response.url().endsWith('/browser/submissions')) return;
    ids.push((await response.allHeaders())['x-amzn-requestid'] ?? '');
  });
  return ids;
}

/** `forged`: it arrives with another signature. `lost`: it arrives, and the response does not. */
type Disturbance = 'forged' | 'lost' | (() => Promise<void>);

/** Disturbs the next submissions on their way to the service, in this order. The rest arrive as they are. */
export async function disturb(page: Page, ...disturbances: Disturbance[]): Promise<void> {
  await page.route('**/browser/submissions', async (route: Route) => {
    const disturbance = disturbances.shift();
    if (disturbance === 'forged') {
      const headers = await route.request().allHeaders();
      await route.continue({ headers: { ...headers, authorization: forge(headers.authorization ?? '') } });
    } else if (disturbance === 'lost') {
      await route.fetch();
      await route.abort('connectionreset');
    } else {
      await disturbance?.();
      await route.continue();
    }
  });
}

/** Not the last character: some of its bits are not part of the token. */
const forge = (authorization: string) =>
  authorization.replace(/.(?=.{4}$)/, (digit) => (digit === 'A' ? 'B' : 'A'));

/** A customer's website, on an origin of its own. It also receives what a form posts by itself. */
export class Website {
  html = '';
  policy = '';
  readonly posts: string[] = [];
  readonly files = new Map<string, string>();
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response));

  /** Returns its origin. */
  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Chromium asks for it by itself.
    if (request.url === '/favicon.ico') return void response.writeHead(204).end();
    if (request.method === 'POST') this.posts.push(await text(request));
    const file = this.files.get(request.url ?? '/');
    if (this.policy) response.setHeader('content-security-policy', this.policy);
    if (file !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(file);
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(this.html);
  }
}
