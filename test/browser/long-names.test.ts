import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, settled } from './console.ts';
import { openOwners } from './owners.ts';

/** As long as the name of a form may be, and without a place to break it. */
const NAME = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3).slice(0, 100);
const PAGES = [
  '/',
  '/leads',
  '/forms',
  '/tokens',
  '/tokens/diagnostics?form=ID',
  '/send-test?form=ID',
  '/forms/ID',
  '/forms/ID/leads',
  '/forms/ID/delivery',
  '/forms?archived=shown',
];

let browser: TestBrowser;
let page: Page;
let formId: string;

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  const owner = await newOwner();
  const newForm = () => administration.createForm({ workspaceId: owner.workspaceId, name: NAME });
  ({ formId } = await newForm());
  await administration.createToken({ formId, name: NAME });
  await newForm();
  await administration.archiveForm((await newForm()).formId);
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
  await openAs(page, owner);
});
afterAll(() => browser.close());

test.each(PAGES)('%s scrolls only down on a phone, whatever a form is called', async (path) => {
  await goTo(page, path.replace('ID', formId));
  await settled(page);
  await page.getByText(NAME.slice(0, 20)).first().waitFor({ state: 'attached' });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
});
