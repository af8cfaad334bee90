import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { findings } from './axe.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { pageWith, SLUG, snippet } from './browser-snippets.ts';
import { FakeBrowserApi, FakeSite } from './fake-browser-api.ts';

const SENT = 'Thank you. Your message has been sent.';
const FAILED = 'Your message could not be sent. Please try again later.';
const OFFLINE = /^You are offline/;

const service = new FakeBrowserApi();
const site = new FakeSite();
const at = { api: '', site: '' };
let browser: TestBrowser;
let page: Page;

beforeAll(async () => {
  [browser, at.api, at.site] = await Promise.all([openBrowser(), service.open(), site.open()]);
});
afterAll(async () => {
  await browser.close();
  service.close();
  site.close();
});

beforeEach(async () => {
  service.forget();
  site.html = pageWith(snippet('html', at));
  site.policy = '';
  site.posts.length = 0;
  page = await browser.newPage();
  // Recorded on the document, so that events must bubble.
  await page.addInitScript(`
    globalThis.seen = [];
    for (const type of ['lead:sent', 'lead:failed'])
      document.addEventListener(type, (event) => seen.push([type, event.detail]));`);
});
afterEach(() => page.context().close());

async function open(): Promise<void> {
  await page.goto(`${at.site}/form`);
}
async function fill(): Promise<void> {
  await page.getByLabel('Name').fill('Ada Byron');
  await page.getByLabel('Email').fill('ada@analytical-engines.example');
  await page.getByLabel('Message').fill('Zoë says “hello”');
}
const send = () => page.getByRole('button', { name: 'Send' }).click();
const shows = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();
const eventsSeen = () => page.evaluate('seen');
const isFocused = (selector: string) =>
  page.evaluate(`document.activeElement === document.querySelector('${selector}')`);

describe('a form with the script', () => {
  test('sends a lead to another origin and confirms it', async () => {
    await open();
    expect(await findings(page)).toEqual([]);
    await fill();
    await send();
    await shows(SENT);
    expect(service.leads).toEqual([
      {
        form: SLUG,
        nonce: service.mints[0],
        fields: {
          name: 'Ada Byron',
          email: 'ada@analytical-engines.example',
          message: 'Zoë says “hello”',
          form_elapsed_ms: expect.any(Number),
        },
      },
    ]);
    expect(await eventsSeen()).toEqual([['lead:sent', { submissionId: `sub_${service.mints[0]}` }]]);
    expect(await isFocused('[role=status]')).toBe(true);
    expect(await page.getByLabel('Name').inputValue()).toBe('');
    expect(await findings(page)).toEqual([]);
    expect(site.posts).toEqual([]);
  });

  test('leaves nothing in the browser', async () => {
    await open();
    await fill();
    await send();
    await shows(SENT);
    expect(await page.context().storageState()).toEqual({ cookies: [], origins: [] });
    expect(service.cookies).toEqual([]);
  });

  test('sends a second lead with another nonce', async () => {
    await open();
    for (const name of ['Ada Byron', 'Grace Hopper']) {
      await fill();
      await page.getByLabel('Name').fill(name);
      await send();
      await shows(SENT);
    }
    expect(service.leads.map(({ fields }) => fields.name)).toEqual(['Ada Byron', 'Grace Hopper']);
  });

  test('is disabled while it sends', async () => {
    let answer = () => {};
    service.untilAnswer = new Promise((resolve) => {
      answer = resolve;
    });
    await open();
    await fill();
    await send();
    await shows('Sending…');
    for (const field of ['Name', 'Email', 'Message']) {
      expect(await page.getByLabel(field).isDisabled()).toBe(true);
    }
    expect(await page.getByRole('button').isDisabled()).toBe(true);
    expect(await findings(page)).toEqual([]);
    answer();
    await shows(SENT);
    expect(await page.getByLabel('Name').isEnabled()).toBe(true);
  });

  test('leaves validation to the browser', async () => {
    await open();
    await send();
    expect(await isFocused('[name=name]')).toBe(true);
    await fill();
    await page.getByLabel('Email').fill('not an address');
    await send();
    expect(await isFocused('[name=email]')).toBe(true);
    expect(service.mints).toEqual([]);
    expect(site.posts).toEqual([]);
  });

  test('makes one lead of a double click', async () => {
    await open();
    await fill();
    await page.getByRole('button').dblclick();
    await shows(SENT);
    expect(service.mints).toHaveLength(1);
    expect(service.leads).toHaveLength(1);
  });

  test('makes one lead of a second click after the answer, without required fields', async () => {
    site.html = site.html.replaceAll(' required', '');
    await open();
    await fill();
    await send();
    await shows(SENT);
    await send();
    await shows(SENT);
    expect(service.mints).toHaveLength(1);
    expect(service.leads).toHaveLength(1);
  });

  test('mints again after a rejection', async () => {
    service.verdicts = ['reject'];
    await open();
    await fill();
    await send();
    await shows(SENT);
    expect(service.mints).toHaveLength(2);
    expect(new Set(service.mints).size).toBe(1);
  });

  test('says that it did not work after two rejections, and can be sent again with the same nonce', async () => {
    service.verdicts = ['reject', 'reject'];
    await open();
    await fill();
    await send();
    await shows(FAILED);
    expect(service.mints).toHaveLength(2);
    expect(await eventsSeen()).toEqual([['lead:failed', { reason: 'rejected' }]]);
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada Byron');
    expect(await isFocused('button')).toBe(true);
    expect(await findings(page)).toEqual([]);
    await send();
    await shows(SENT);
    expect(new Set(service.mints).size).toBe(1);
    expect(service.leads).toHaveLength(1);
  });

  test('makes one lead if the answer is lost', async () => {
    service.verdicts = ['lost'];
    await open();
    await fill();
    await send();
    await shows(SENT);
    expect(service.mints).toHaveLength(2);
    expect(service.leads).toHaveLength(1);
  });

  test('mints when it sends, also after ten minutes on the page', async () => {
    await page.clock.install();
    await open();
    await fill();
    await page.clock.fastForward('10:00');
    expect(service.mints).toEqual([]);
    await send();
    await shows(SENT);
    expect(service.leads[0]?.fields.form_elapsed_ms).toBeGreaterThanOrEqual(600_000);
  });

  test('returns the focus to a field in which the visitor pressed Enter', async () => {
    service.verdicts = ['reject', 'reject'];
    await open();
    await fill();
    await page.getByLabel('Email').press('Enter');
    await shows(FAILED);
    expect(await isFocused('[name=email]')).toBe(true);
  });

  test('waits while offline', async () => {
    await open();
    await fill();
    await page.context().setOffline(true);
    await send();
    await shows(OFFLINE);
    expect(await findings(page)).toEqual([]);
    expect(service.mints).toEqual([]);
    await page.context().setOffline(false);
    await shows(SENT);
    expect(service.leads).toHaveLength(1);
  });
});

test('a blocked script leaves a form that posts to its action', async () => {
  await page.route('**/sdk/**', (route) => route.abort());
  await open();
  await fill();
  await send();
  await page.waitForURL(`${at.site}/contact`);
  expect(Object.fromEntries(new URLSearchParams(site.posts[0]))).toMatchObject({ name: 'Ada Byron' });
  expect(service.mints).toEqual([]);
});
