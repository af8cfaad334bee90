import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { until } from '../until.ts';
import { type BrowserForm, openBrowserForm } from './browser-form.ts';
import { pageWith, snippet } from './browser-snippets.ts';
import { type FirefoxPage, openFirefox } from './firefox.ts';
import { FAILED, SENT, Website } from './visit.ts';

// A few cases that depend on the engine most. Chromium runs all of them.
const site = new Website();
let origin: string;
let firefox: FirefoxPage;
let form: BrowserForm;
beforeAll(async () => {
  [firefox, origin] = await Promise.all([openFirefox(), site.open()]);
}, 60_000);
beforeEach(async () => {
  form = await openBrowserForm(origin);
  site.html = pageWith(snippet('html', form));
  site.posts.length = 0;
});
afterAll(async () => {
  await firefox.close();
  site.close();
});

const TYPED = { name: 'Zoë Byron', email: 'zoe@analytical-engines.example', message: 'Hello' };
const LEAD = { ...TYPED, form_elapsed_ms: expect.any(Number) };

async function fill(): Promise<void> {
  await firefox.evaluate(`for (const [name, value] of Object.entries(${JSON.stringify(TYPED)}))
    document.querySelector('[name=' + name + ']').value = value;`);
}

async function open(): Promise<void> {
  await firefox.goTo(`${origin}/form`);
  await fill();
}

async function shows(text: string): Promise<void> {
  const read = () => firefox.evaluate(`document.querySelector('[role=status]').textContent`);
  expect(await until(read, (status) => status === text)).toBe(text);
}

test('a form sends a lead to another origin and confirms it', async () => {
  await open();
  await firefox.click('button');
  await shows(SENT);
  expect((await form.leads()).map(({ fields }) => fields)).toEqual([LEAD]);
  expect(await firefox.evaluate(`document.activeElement.getAttribute('role')`)).toBe('status');
  expect(site.posts).toEqual([]);
});

test('a page that may not send shows a failure and keeps what was typed', async () => {
  const stranger = new Website();
  stranger.html = site.html;
  await firefox.goTo(`${await stranger.open()}/form`);
  await fill();
  await firefox.click('button');
  await shows(FAILED);
  expect(await firefox.evaluate(`document.querySelector('[name=name]').value`)).toBe(TYPED.name);
  expect(await form.leads()).toEqual([]);
  stranger.close();
});

test('a double click makes one lead', async () => {
  await open();
  await firefox.click('button', 2);
  await shows(SENT);
  expect(await form.leads()).toHaveLength(1);
});

// Firefox restores what was typed, into the fields that it takes for the same.
test('after a reload in the middle of sending, the form can be sent as it was', async () => {
  await open();
  await firefox.evaluate('globalThis.fetch = () => new Promise(() => {}); undefined');
  await firefox.click('button');
  await shows('Sending…');
  await firefox.reload();
  expect(await firefox.evaluate(`document.querySelectorAll(':disabled').length`)).toBe(0);
  await firefox.click('button');
  await shows(SENT);
  expect((await form.leads()).map(({ fields }) => fields)).toEqual([LEAD]);
});
