import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Request } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { openAs, settled } from './console.ts';
import { type Furnished, furnish, pagesOf } from './furnished.ts';
import { openOwners } from './owners.ts';

const MOST_BYTES = 400_000;

function addressesOf(furnished: Furnished): Record<string, string> {
  return {
    ...pagesOf(furnished),
    'choose-form': '/leads',
    // Of the languages the one whose colours take the most.
    'delivery in PHP': `/forms/${furnished.form.formId}/delivery?code=php`,
  };
}
const NAMES = Object.keys(
  addressesOf({ form: {}, leadId: '', rejectedRequestId: '' } as unknown as Furnished),
);

let browser: TestBrowser;
let furnished: Furnished;

beforeAll(async () => {
  browser = await openBrowser();
  furnished = await furnish(openOwners());
});
afterAll(() => browser.close());

test.each(NAMES)('%s by its address, with signing in, takes less than 400 KB of JavaScript', async (name) => {
  // A context of its own: nothing of an earlier visit is at hand.
  const page = await browser.newPage();
  const scripts: Request[] = [];
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname.endsWith('.js')) scripts.push(request);
  });
  await openAs(page, furnished.owner, addressesOf(furnished)[name]);
  await settled(page);
  const sizes = await Promise.all(scripts.map((request) => request.sizes()));
  await page.context().close();

  const overTheWire = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  // Less would mean that something was not counted.
  expect(overTheWire).toBeGreaterThan(200_000);
  expect(overTheWire).toBeLessThan(MOST_BYTES);
});
