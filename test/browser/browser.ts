import { accessSync, constants } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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

export interface TestBrowser {
  /** A page in its own context, which shares nothing with others. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });
  return {
    async newPage(options = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
        ...options,
      });
      context.setDefaultTimeout(20_000);
      return context.newPage();
    },
    close: () => browser.close(),
  };
}

/** The system's Chromium. Nothing is downloaded. */
export function findChromium(): string {
  return findBrowser('Chromium', 'chromium', [
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]);
}

/** The one that a variable such as CHROMIUM_PATH names, or else in one of the usual places. */
export function findBrowser(name: string, debianPackage: string, usualPlaces: readonly string[]): string {
  const variable = `${name.toUpperCase()}_PATH`;
  const told = process.env[variable];
  const found = (told ? [told] : usualPlaces).find(canRun);
  if (found) return found;
  throw new Error(
    told
      ? `${variable} is ${told}, which cannot be run.`
      : `${name} was not found: install it (on Debian: apt-get install ${debianPackage}) or set ${variable}.`,
  );
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
