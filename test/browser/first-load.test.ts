import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Request } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { openAs, settled } from './console.ts';
import { openOwners } from './owners.ts';
import { NO_IDS, pagesOf, type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';

const MOST_BYTES = 400_000;

function addressesOf(seeded: Parameters<typeof pagesOf>[0]): Record<string, string> {
  return {
    ...pagesOf(seeded),
    'leads of a form': `/forms/${seeded.form.formId}/leads`,
    // The language with the largest highlighter.
    'delivery in PHP': `/forms/${seeded.form.formId}/delivery?code=php`,
  };
}
const NAMES = Object.keys(addressesOf(NO_IDS));

let browser: TestBrowser;
let seeded: SeededWorkspace;

beforeAll(async () => {
  browser = await openBrowser();
  seeded = await seedWorkspace(openOwners());
});
afterAll(() => browser.close());

test.each(NAMES)('%s opened by URL loads less than 400 KB of JavaScript, sign-in included', async (name) => {
  // A new context, so nothing is cached.
  const page = await browser.newPage();
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js')) scripts.push(request);
  });
  await openAs(page, seeded.owner, addressesOf(seeded)[name]);
  await settled(page);
  const sizes = await Promise.all(scripts.map((request) => request.sizes()));
  await page.context().close();

  const overTheWire = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  // Less would mean that some scripts were not counted.
  expect(overTheWire).toBeGreaterThan(200_000);
  expect(overTheWire).toBeLessThan(MOST_BYTES);
});
