import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PAGE_SNIPPETS, pageFields } from '../../console/src/pages/delivery/browser/page-snippets.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type BrowserForm, bundleReact, openBrowserForm, REACT_ROOT, SDK } from './browser-form.ts';
import { pageWith } from './browser-snippets.ts';
import { Website } from './visit.ts';

/** All that could end an attribute, a tag, a string or an expression. */
const HOSTILE = `'"\`>\${1+1}{"x"}</label></form></script><script>alert(1)</script>&amp;&lt;\\n\\é`;
const FIELDS = pageFields([
  { key: HOSTILE },
  { key: 'budget', label: HOSTILE },
  { key: 'plan', label: ' { } ' },
  { key: `message ${HOSTILE}`, role: 'message' },
]);

const site = new Website();
let origin: string;
let browser: TestBrowser;
let form: BrowserForm;

beforeAll(async () => {
  [browser, origin] = await Promise.all([openBrowser(), site.open()]);
});
afterAll(async () => {
  await browser.close();
  site.close();
});

function write(id: 'html' | 'react'): string {
  const input = {
    endpoint: form.api,
    sdkUrl: `${form.console}/sdk`,
    script: SDK.manifest.script,
    slug: form.slug,
    fallbackUrl: `${origin}/contact?a=1&b="2"`,
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
  form = await openBrowserForm(origin);
  if (id === 'react') site.files.set('/app.js', bundleReact(write(id)));
  site.html = pageWith(id === 'react' ? REACT_ROOT : write(id));
  const page = await browser.newPage();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.goto(`${origin}/form`);
  await page.getByRole('status').waitFor({ state: 'attached' });
  await fillAndSend(page);
  const [lead, ...others] = await form.leads();
  expect(others).toEqual([]);
  expect(lead?.fields).toMatchObject(
    Object.fromEntries(FIELDS.map(({ key }, index) => [key, `value ${index}`])),
  );
  expect(await page.locator('form label').allTextContents()).toEqual(
    FIELDS.map(({ label }) => expect.stringContaining(label)),
  );
  expect(await page.locator('form').getAttribute('action')).toBe(`${origin}/contact?a=1&b="2"`);
  expect(dialogs).toEqual([]);
  await page.context().close();
});
