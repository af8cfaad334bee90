import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { PAGE_SNIPPETS, pageFields } from '../../console/src/pages/delivery/browser/page-snippets.ts';
import { type BrowserForm, bundleReact, openBrowserForm, REACT_ROOT, SDK } from './browser-form.ts';
import { pageWith } from './browser-snippets.ts';
import { goTo, seriousFindings, settled, shows } from './console.ts';
import { openOwners } from './owners.ts';
import { browserForTests } from './shared-browser.ts';
import { Website } from './visit.ts';

const { administration, newOwner } = openOwners();
const browser = browserForTests();
const site = new Website();
let page: Page;
let origin: string;
let formId: string;

beforeAll(async () => {
  origin = await site.open();
  const owner = await newOwner();
  ({ formId } = await administration.createForm({ workspaceId: owner.workspaceId, name: 'Contact us' }));
  page = await browser.openAs(owner, `/forms/${formId}/delivery#browser`);
});
afterAll(() => site.close());

const panel = () => page.locator('#browser');
const button = (name: string) => panel().getByRole('button', { name, exact: true });
const origins = () => panel().getByRole('textbox', { name: 'Allowed origins' });

/** Fills in the code of the console on the owner's site, which is another origin. */
async function visitAndSend(code: string): Promise<Page> {
  site.html = pageWith(code);
  const visit = await browser.newPage();
  await visit.goto(`${origin}/form`);
  await visit.evaluate(`document.addEventListener('lead:sent', ({ detail }) => {
    document.documentElement.dataset.submission = detail.submissionId;
  })`);
  await visit.getByLabel('Name').fill('Ada Byron');
  await visit.getByLabel('Email').fill('ada@analytical-engines.example');
  await visit.getByRole('button', { name: 'Send' }).click();
  return visit;
}

test('browser sending is off, marked as a preview, and turned on after a confirmation', async () => {
  await shows(panel(), 'Off: leads from web pages are rejected');
  await shows(panel(), 'Preview', { exact: true });
  await button('Turn on').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn on', exact: true }).click();
  await shows(page, 'Browser sending turned on.');
  await shows(panel(), 'No allowed origins');
  await settled(page);
  expect(await seriousFindings(page)).toEqual([]);
});

test('a wrong origin is named with what is wrong, and a right one is saved', async () => {
  await origins().fill(`${origin}\nhttps://www.example.com/contact`);
  await button('Save origins').click();
  await shows(panel(), 'https://www.example.com/contact must be an origin without a path');
  expect(await seriousFindings(page)).toEqual([]);
  await origins().fill(`${origin}/`);
  await button('Save origins').click();
  await shows(page, 'Allowed origins saved.');
  expect(await origins().inputValue()).toBe(origin);
  await panel().getByText('No allowed origins').waitFor({ state: 'detached' });
});

test('typed origins are not lost without a question, by a link or by Back', async () => {
  const link = () => page.getByRole('navigation').getByRole('link', { name: 'Alerts', exact: true });
  const choose = (name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).first();
  await link().click();
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  await page.goBack();
  const typed = `${origin}\nhttps://www.example.org`;
  await origins().fill(typed);
  await link().click();
  await shows(page, 'The allowed origins that you changed aren’t saved.');
  expect(await seriousFindings(page)).toEqual([]);
  await choose('Cancel').click();
  expect(await origins().inputValue()).toBe(typed);
  // Not `page.goBack`: it waits for a page that is not opened.
  await page.evaluate('setTimeout(() => history.forward())');
  await shows(page, 'Leave without saving?');
  await choose('Leave').click();
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  await page.goBack();
  await panel().waitFor();
  expect(await origins().inputValue()).toBe(origin);
});

test('the HTML code works unchanged on the allowed site, from the exact file of the SDK', async () => {
  await panel().getByRole('button', { name: 'Copy code for HTML', exact: true }).click();
  const code = (await page.evaluate('navigator.clipboard.readText()')) as string;
  expect(code).toMatch(/\/sdk\/v1-[0-9a-f]+\.js" integrity="sha384-[^"]+" crossorigin /);
  expect(code).toContain(`action="${origin}/contact"`);
  const visit = await visitAndSend(code);
  await visit.getByRole('status').filter({ hasText: 'Your message has been sent.' }).waitFor();
  const id = await visit.evaluate('document.documentElement.dataset.submission');
  await visit.context().close();
  await goTo(page, `/forms/${formId}/leads/${id}?tab=timeline`);
  await shows(page, 'Received via Browser');
});

describe('snippets on pages', () => {
  /** All that could end an attribute, a tag, a string or an expression. */
  const HOSTILE = `'"\`>\${1+1}{"x"}</label></form></script><script>alert(1)</script>&amp;&lt;\\n\\é`;
  const FIELDS = pageFields([
    { key: HOSTILE },
    { key: 'budget', label: HOSTILE },
    { key: 'plan', label: ' { } ' },
    { key: `message ${HOSTILE}`, role: 'message' },
  ]);
  let form: BrowserForm;

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
    // React's strict mode enhances the form twice.
    expect(await page.locator('[name=website_confirm]').count()).toBe(1);
    await page.context().close();
  });
});
