import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { requireBrowser } from './find-browser.ts';

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  // It connects only to the stack.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export type TestBrowser = Awaited<ReturnType<typeof openBrowser>>;

export async function openBrowser() {
  const browser = await chromium.launch({ executablePath: requireBrowser('chromium'), args: ARGUMENTS });

  /** Shares nothing with others. */
  async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    // Only a bound on hanging: a busy machine takes long for a page.
    context.setDefaultTimeout(60_000);
    context.on('page', followRequests);
    return context;
  }

  return {
    newContext,
    /** A page in its own context. */
    newPage: async (options?: BrowserContextOptions) => (await newContext(options)).newPage(),
    close: () => browser.close(),
  };
}

/** The requests of each page that are not done. */
const running = new WeakMap<Page, Set<Request>>();

function followRequests(page: Page): void {
  const requests = new Set<Request>();
  running.set(page, requests);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Until the page has drawn the responses that it has. */
const DRAWN = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))';

/**
 * Waits until the page has drawn the result of all requests. Playwright's own wait for an idle network ends at once
 * unless the document is new.
 */
export async function requestsDone(page: Page): Promise<void> {
  const requests = running.get(page);
  if (requests === undefined) throw new Error('nobody follows the requests of this page');
  do {
    while (requests.size > 0) await page.waitForTimeout(10);
    await page.evaluate(DRAWN);
  } while (requests.size > 0);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

const isSerious = ({ impact }: Violation) => impact === 'serious' || impact === 'critical';

/** Serious and critical findings, one line per finding with its location. */
export function seriousFindings(page: Page): Promise<string[]> {
  return findings(page, isSerious);
}

/** The same, for a page whose colors are checked elsewhere: they take longer than all the rest. */
export function findingsExceptContrast(page: Page): Promise<string[]> {
  return findings(page, isSerious, `rules: { 'color-contrast': { enabled: false } }`);
}

/** For a page that was checked in other colors. */
export function contrastFindings(page: Page): Promise<string[]> {
  return findings(page, () => true, `runOnly: ['color-contrast']`);
}

export async function findings(
  page: Page,
  counts: (it: Violation) => boolean = () => true,
  options = '',
): Promise<string[]> {
  // The content security policy does not apply to evaluate.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE);
  const violations = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'], ${options} }).then((result) => result.violations)`,
  )) as Violation[];
  return violations
    .filter(counts)
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
    );
}
