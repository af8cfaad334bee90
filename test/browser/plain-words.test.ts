import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submit } from '../contract/tenant.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows } from './console.ts';
import { openOwners } from './owners.ts';
import { pagesOf, type SeededWorkspace, seedWorkspace } from './seed-workspace.ts';

const owners = openOwners();
const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };
const CLEAN = {
  name: 'Ada Byron',
  email: 'ada@analytical-engines.co.uk',
  phone: '+14155552671',
  company: 'Analytical Engines',
  message: 'We would like a quote for 40 seats, starting in March.',
};

let browser: TestBrowser;
let seeded: SeededWorkspace;

beforeAll(async () => {
  browser = await openBrowser();
  seeded = await seedWorkspace(owners);
  await submit('1b', seeded.form, { body: JSON.stringify(CLEAN) });
});
afterAll(() => browser.close());

test('reports no success if nothing could be loaded', async () => {
  const page = await browser.newPage();
  await page.route(/\/settings\//, (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }));
  await openAs(page, seeded.owner);
  const panel = page.getByText('Couldn’t load the alerts').filter({ visible: true });
  await panel.first().waitFor();
  await shows(page, 'Service error. Something went wrong on our side');
  expect(await page.getByText('No open alerts').count()).toBe(0);
  expect(await page.getByText('..', { exact: false }).count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);

  await page.unroute(/\/settings\//);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await panel.first().waitFor({ state: 'detached' });
  await page.context().close();
});

test('a workspace with only archived forms is not welcomed as new', async () => {
  const owner = await owners.newOwner();
  const { formId } = await owners.administration.createForm({
    workspaceId: owner.workspaceId,
    name: 'Spring fair',
  });
  await owners.administration.archiveForm(formId);
  const page = await browser.newPage();
  await openAs(page, owner);
  await shows(page, 'All your forms are archived');
  expect(await page.getByText('to get started').count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Archived forms' }).click();
  await page.getByRole('table', { name: 'Archived forms' }).waitFor();
  await page.context().close();
});

test('a missing page names what is missing and links to a list', async () => {
  const page = await browser.newPage();
  const link = (name: string) => page.locator('#content').getByRole('link', { name, exact: true });
  await openAs(page, seeded.owner);
  for (const path of ['', '/delivery', '/leads']) {
    await goTo(page, `/forms/form_nope${path}`);
    await shows(page, 'Form not found');
    await link('All forms').click();
    await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
  }
  await goTo(page, `/forms/${seeded.form.formId}/leads/lead_nope`);
  await shows(page, 'Lead not found');
  expect(await link('All leads').getAttribute('href')).toBe('/leads');
  await goTo(page, '/nowhere');
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await link('Forms').click();
  await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
  await page.context().close();
});

test('times can be shown in UTC by keyboard', async () => {
  const page = await browser.newPage();
  const { owner } = seeded;
  await openAs(page, owner, pagesOf(seeded).lead);
  await page.getByRole('heading', { name: 'Score' }).waitFor();
  const received = page.getByRole('main').locator('time').first();
  const [local, inUtc] = [await received.textContent(), await received.getAttribute('title')];
  expect(inUtc).toMatch(/ UTC$/);
  const choose = async (name: string) => {
    await page.getByRole('button', { name: owner.email }).press('Enter');
    await page.getByRole('menuitem', { name }).waitFor();
    // The third of the menu, which opens on its first.
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
  };
  await choose('Show times in UTC');
  await page
    .getByText(inUtc as string)
    .first()
    .waitFor();
  expect(await received.getAttribute('title')).toBe(local);
  await choose('Show times in local time');
  await page
    .getByText(local as string)
    .first()
    .waitFor();
  await page.context().close();
});

/** Words of up to twelve letters that are split across lines. Longer ones may have to be. */
const BROKEN_WORDS = `(() => {
  const broken = [];
  const texts = document.createTreeWalker(document.getElementById('content'), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    // Code and values to copy may break anywhere.
    if (node.parentElement.closest('code, pre, [class*="copy"], [class*="ace"]')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\\s\\-–]{2,12}(?![^\\s\\-–])/g)) {
      if (index > 0 && /[^\\s\\-–]/.test(node.data[index - 1])) continue;
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})()`;

test('no word is broken on a phone if it fits', async () => {
  const phone: Page = await browser.newPage(PHONE);
  await openAs(phone, seeded.owner);
  for (const [name, path] of Object.entries(pagesOf(seeded))) {
    await goTo(phone, path);
    await settled(phone);
    expect([name, await phone.evaluate(BROKEN_WORDS)]).toEqual([name, []]);
  }
  await phone.context().close();
});
