import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FrameLocator, Page } from 'playwright-core';
import { findings } from './axe.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type BrowserForm, openBrowserForm } from './browser-form.ts';
import { pageWith, snippet } from './browser-snippets.ts';
import { disturb, watchMints, watchRejections } from './page-requests.ts';
import { Website } from './website.ts';

const SENT = 'Thank you. Your message has been sent.';
const FAILED = 'Your message could not be sent. Please try again later.';
const OFFLINE = /^You are offline/;

const site = new Website();
let origin: string;
let browser: TestBrowser;
/** New for each test. */
let form: BrowserForm;
let page: Page;
let mints: string[];

beforeAll(async () => {
  [browser, origin] = await Promise.all([openBrowser(), site.open()]);
});
afterAll(async () => {
  await browser.close();
  site.close();
});

beforeEach(async () => {
  form = await openBrowserForm(origin);
  site.html = pageWith(snippet('html', form));
  site.policy = '';
  site.posts.length = 0;
  page = await browser.newPage();
  mints = watchMints(page);
  // Recorded on the document, so that events must bubble.
  await page.addInitScript(`
    globalThis.seen = [];
    for (const type of ['lead:sent', 'lead:failed'])
      document.addEventListener(type, (event) => seen.push([type, event.detail]));`);
});
afterEach(() => page.context().close());

async function open(): Promise<void> {
  await page.goto(`${origin}/form`);
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
    const [lead, ...others] = await form.leads();
    expect(lead?.fields).toEqual({
      name: 'Ada Byron',
      email: 'ada@analytical-engines.example',
      message: 'Zoë says “hello”',
      form_elapsed_ms: expect.any(Number),
    });
    expect(others).toEqual([]);
    expect(await eventsSeen()).toEqual([['lead:sent', { submissionId: lead?.id }]]);
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
  });

  test('sends a second lead with another nonce', async () => {
    await open();
    for (const name of ['Ada Byron', 'Grace Hopper']) {
      await fill();
      await page.getByLabel('Name').fill(name);
      await send();
      await shows(SENT);
    }
    const leads = await form.leads();
    expect(leads.map(({ fields }) => fields.name)).toEqual(['Ada Byron', 'Grace Hopper']);
    expect(new Set(mints).size).toBe(2);
  });

  test('is disabled while it sends', async () => {
    let answer = () => {};
    const untilAnswer = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await disturb(page, () => untilAnswer);
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
    expect(mints).toEqual([]);
    expect(site.posts).toEqual([]);
  });

  test('makes one lead of a double click', async () => {
    await open();
    await fill();
    await page.getByRole('button').dblclick();
    await shows(SENT);
    expect(mints).toHaveLength(1);
    expect(await form.leads()).toHaveLength(1);
  });

  test('makes one lead of a second click after the answer, without required fields', async () => {
    site.html = site.html.replaceAll(' required', '');
    await open();
    await fill();
    await send();
    await shows(SENT);
    await send();
    await shows(SENT);
    expect(mints).toHaveLength(1);
    expect(await form.leads()).toHaveLength(1);
  });

  test('mints again after a rejection', async () => {
    await disturb(page, 'forged');
    await open();
    await fill();
    await send();
    await shows(SENT);
    expect(mints).toHaveLength(2);
    expect(new Set(mints).size).toBe(1);
  });

  test('says that it did not work after two rejections, and can be sent again with the same nonce', async () => {
    await disturb(page, 'forged', 'forged');
    await open();
    await fill();
    await send();
    await shows(FAILED);
    expect(mints).toHaveLength(2);
    expect(await eventsSeen()).toEqual([['lead:failed', { reason: 'rejected' }]]);
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada Byron');
    expect(await isFocused('button')).toBe(true);
    expect(await findings(page)).toEqual([]);
    await send();
    await shows(SENT);
    expect(new Set(mints).size).toBe(1);
    expect(await form.leads()).toHaveLength(1);
  });

  test('makes one lead if the answer is lost', async () => {
    await disturb(page, 'lost');
    await open();
    await fill();
    await send();
    await shows(SENT);
    expect(mints).toHaveLength(2);
    expect(await form.leads()).toHaveLength(1);
  });

  test('mints when it sends, also after ten minutes on the page', async () => {
    await page.clock.install();
    await open();
    await fill();
    await page.clock.fastForward('10:00');
    expect(mints).toEqual([]);
    await send();
    await shows(SENT);
    const [lead, ...others] = await form.leads();
    expect(lead?.fields.form_elapsed_ms).toBeGreaterThanOrEqual(600_000);
    expect(others).toEqual([]);
  });

  test('returns the focus to a field in which the visitor pressed Enter', async () => {
    await disturb(page, 'forged', 'forged');
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
    expect(mints).toEqual([]);
    await page.context().setOffline(false);
    await shows(SENT);
    expect(await form.leads()).toHaveLength(1);
  });
});

describe('a page that may not send', () => {
  /** Sends until a reason is recorded: that gives up after 300 ms, which may be too short on a busy machine. */
  async function reasonOfFailure(frame: Page | FrameLocator): Promise<string | undefined> {
    const rejections = watchRejections(page);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await frame.getByRole('button', { name: 'Send' }).click();
      await frame.locator('form[data-lead-state=failed]').waitFor();
      const reasons = await Promise.all(rejections.map((id) => form.reasonOf(id)));
      if (reasons.some(Boolean)) return reasons.find(Boolean);
    }
    return undefined;
  }

  test('is on another site: it says that it did not work, and Diagnostics why', async () => {
    const other = new Website();
    other.html = site.html;
    await page.goto(`${await other.open()}/form`);
    await fill();
    expect(await reasonOfFailure(page)).toBe('origin_not_allowed');
    await shows(FAILED);
    expect(await form.leads()).toEqual([]);
    other.close();
  });

  test('is in a sandbox and has no origin: likewise', async () => {
    await page.goto('about:blank');
    await page.setContent(
      `<iframe sandbox="allow-scripts allow-forms" src="${origin}/form" title="Contact"></iframe>`,
    );
    const frame = page.frameLocator('iframe');
    await frame.getByLabel('Name').fill('Ada Byron');
    await frame.getByLabel('Email').fill('ada@analytical-engines.example');
    expect(await reasonOfFailure(frame)).toBe('origin_missing');
    expect(await form.leads()).toEqual([]);
  });
});

test('a blocked script leaves a form that posts to its action', async () => {
  await page.route('**/sdk/**', (route) => route.abort());
  await open();
  await fill();
  await send();
  await page.waitForURL(`${origin}/contact`);
  expect(Object.fromEntries(new URLSearchParams(site.posts[0]))).toMatchObject({ name: 'Ada Byron' });
  expect(mints).toEqual([]);
});
