import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { pageFields } from '../../console/src/pages/delivery/browser/page-fields.ts';
import { PAGE_SNIPPETS } from '../../console/src/pages/delivery/browser/page-snippets.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { pageWith, SLUG } from './browser-snippets.ts';
import { bundleReact, REACT_ROOT } from './bundle-react.ts';
import { FakeBrowserApi, FakeSite } from './fake-browser-api.ts';

/** All that could end an attribute, a tag, a string or an expression. */
const HOSTILE = `'"\`>\${1+1}{"x"}</label></form></script><script>alert(1)</script>&amp;&lt;\\n\\é`;
const FIELDS = pageFields([
  { key: HOSTILE },
  { key: 'budget', label: HOSTILE },
  { key: 'plan', label: ' { } ' },
  { key: `message ${HOSTILE}`, role: 'message' },
]);

const service = new FakeBrowserApi();
const site = new FakeSite();
const at = { api: '', site: '' };
let browser: TestBrowser;

beforeAll(async () => {
  [browser, at.api, at.site] = await Promise.all([openBrowser(), service.open(), site.open()]);
});
afterAll(async () => {
  await browser.close();
  service.close();
  site.close();
});

function write(id: 'html' | 'react'): string {
  const input = {
    endpoint: at.api,
    sdkUrl: `${at.api}/sdk`,
    script: service.sdk.manifest.script,
    slug: SLUG,
    fallbackUrl: `${at.site}/contact?a=1&b="2"`,
    fields: FIELDS,
  };
  return PAGE_SNIPPETS.find((each) => each.id === id)?.write(input) ?? '';
}

async function fillAndSend(page: Page): Promise<void> {
  const controls = page.locator('form :is(input, textarea):not([name=website_confirm])');
  await controls.first().waitFor();
  expect(await controls.count()).toBe(FIELDS.length);
  for (const [index] of FIELDS.entries()) await controls.nth(index).fill(`value ${index}`);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('status').filter({ hasText: 'Thank you' }).waitFor();
}

test.each(['html', 'react'] as const)('the code in %s keeps every field name and label', async (id) => {
  service.forget();
  if (id === 'react') site.files.set('/app.js', bundleReact(write(id), service.sdk));
  site.html = pageWith(id === 'react' ? REACT_ROOT : write(id));
  const page = await browser.newPage();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(`${at.site}/form`);
  await page.getByRole('status').waitFor({ state: 'attached' });
  await fillAndSend(page);
  expect(service.leads).toHaveLength(1);
  expect(service.leads[0]?.fields).toMatchObject(
    Object.fromEntries(FIELDS.map(({ key }, index) => [key, `value ${index}`])),
  );
  expect(await page.locator('form label').allTextContents()).toEqual(
    FIELDS.map(({ label }) => expect.stringContaining(label)),
  );
  expect(await page.locator('form').getAttribute('action')).toBe(`${at.site}/contact?a=1&b="2"`);
  expect(dialogs).toEqual([]);
  await page.context().close();
});
