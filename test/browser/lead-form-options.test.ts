import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings } from './axe.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type BrowserForm, openBrowserForm, SDK } from './browser-form.ts';
import { pageWith, snippet } from './browser-snippets.ts';
import { bundleReact, REACT_ROOT } from './bundle-react.ts';
import { disturb, watchMints } from './page-requests.ts';
import { Website } from './website.ts';

const SENT = 'Thank you. Your message has been sent.';

const site = new Website();
let origin: string;
let browser: TestBrowser;
/** New for each test. */
let form: BrowserForm;
let page: Page;
let mints: string[];
const complaints: string[] = [];

beforeAll(async () => {
  [browser, origin] = await Promise.all([openBrowser(), site.open()]);
});
afterAll(async () => {
  await browser.close();
  site.close();
});

beforeEach(async () => {
  form = await openBrowserForm(origin);
  complaints.length = 0;
  site.html = pageWith(snippet('html', form));
  site.policy = '';
  page = await browser.newPage();
  mints = watchMints(page);
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
});
afterEach(() => page.context().close());

async function open(): Promise<void> {
  // Chromium asks for it by itself.
  await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
  await page.goto(`${origin}/form`);
}
async function fillAndSend(): Promise<void> {
  await page.getByLabel('Name').fill('Ada Byron');
  await page.getByLabel('Email').fill('ada@analytical-engines.example');
  await page.getByRole('button', { name: 'Send' }).click();
}
const shows = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
const change = (from: string | RegExp, to: string) => {
  const changed = site.html.replace(from, to);
  expect(changed).not.toBe(site.html);
  site.html = changed;
};

describe('the script', () => {
  test('works from its immutable address, with its integrity hash, under a strict policy', async () => {
    const { file, integrity } = SDK.manifest.script;
    change('v1.js"', `${file}" integrity="${integrity}" crossorigin`);
    site.policy = `default-src 'none'; script-src ${form.console}; connect-src ${form.api}; form-action 'self'`;
    await open();
    await fillAndSend();
    await shows(SENT);
    expect(complaints).toEqual([]);
  });

  test('does not run if the file is not the one of the integrity hash', async () => {
    change('v1.js"', `v1.js" integrity="sha384-${'A'.repeat(64)}" crossorigin`);
    await open();
    expect(await page.getByRole('status').count()).toBe(0);
  });

  test('takes slug and service from its own tag if the form and the tag name none', async () => {
    change(`data-lead-form="${form.slug}"`, 'data-lead-form');
    change(/data-endpoint="[^"]*"/, `data-form="${form.slug}"`);
    await open();
    await fillAndSend();
    await shows(SENT);
    expect(await form.leads()).toHaveLength(1);
  });

  test('loaded twice makes one lead', async () => {
    change(/<script.*<\/script>/, '$&$&');
    await open();
    await fillAndSend();
    await shows(SENT);
    expect(await page.getByRole('status').count()).toBe(1);
    expect(mints).toHaveLength(1);
  });

  test('leaves the outcome to a page that wants to show it', async () => {
    await open();
    await page.evaluate(`document.addEventListener('lead:sent', (event) => {
      event.preventDefault();
      document.querySelector('h1').textContent = event.detail.submissionId;
    })`);
    await fillAndSend();
    await page.getByRole('heading', { name: /^[0-9a-f-]{36}$/ }).waitFor();
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada Byron');
  });

  test('uses the texts and the status element of the page', async () => {
    change('<form ', '<form data-lead-sent="Merci !" ');
    change('<button>', '<div id="mine" data-lead-status></div><button>');
    await open();
    await fillAndSend();
    await shows('Merci !');
    expect(await page.locator('[role=status]').getAttribute('id')).toBe('mine');
  });

  test('sends the honeypot if a program fills it in', async () => {
    await open();
    await page.evaluate(`document.querySelector('[name=website_confirm]').value = 'https://spam.example'`);
    await fillAndSend();
    await shows(SENT);
    const [lead] = await form.leads();
    expect(lead?.fields).toMatchObject({ website_confirm: 'https://spam.example' });
  });

  test('hides the honeypot from people', async () => {
    await open();
    expect(await page.getByRole('textbox').count()).toBe(3);
    const visited: unknown[] = [];
    for (let tabs = 0; tabs < 6; tabs += 1) {
      await page.keyboard.press('Tab');
      visited.push(await page.evaluate('document.activeElement.name'));
    }
    expect(visited).toContain('message');
    expect(visited).not.toContain('website_confirm');
  });
});

describe('the example for', () => {
  test('React sends a lead, also in strict mode', async () => {
    site.files.set('/app.js', bundleReact(snippet('jsx', form)));
    site.html = pageWith(REACT_ROOT);
    await open();
    await page.getByRole('status').waitFor({ state: 'attached' });
    expect(await findings(page)).toEqual([]);
    await fillAndSend();
    await shows(SENT);
    expect(await form.leads()).toMatchObject([{ fields: { name: 'Ada Byron' } }]);
    expect(mints).toHaveLength(1);
    expect(await page.locator('[name=website_confirm]').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('plain fetch sends a lead, and returns no ID for a rejected one', async () => {
    site.html = pageWith('');
    await open();
    const run = () =>
      page.evaluate(`(async () => {
        ${snippet('js', form)}
        return sendLead({ name: 'Ada Byron' }, createNonce());
      })()`);
    const id = await run();
    await disturb(page, 'forged');
    expect(await run()).toBeUndefined();
    expect(await form.leads()).toEqual([{ id, fields: { name: 'Ada Byron' } }]);
  });
});
