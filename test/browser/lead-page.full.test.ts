import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { seriousFindings, settled, shows } from './console.ts';
import type { TestOwner } from './owners.ts';
import { newOwnerWithForm, sendLead, untilListed } from './seed-items.ts';
import { browserForTests, PHONE } from './shared-browser.ts';

const browser = browserForTests();

const ADA = {
  message: 'We would like a quote for 40 seats, starting in March.',
  budget: '5,000',
  phone: '+44 20 7946 0958',
  email: 'ada@analytical-engines.co.uk',
  company: 'Analytical Engines',
  name: 'Ada Byron',
};
const GRACE = {
  name: 'Grace Hopper',
  email: 'grace@navy-yards.com',
  company: 'Navy Yards',
  message: 'Could you call me about the compiler project this week?',
};
const SPAM = { name: 'test', email: 'asdf@mailinator.com', message: 'asdf' };
const HEDY = {
  name: 'Hedy Lamarr',
  email: 'hedy@hopping-radio.eu',
  message: 'Interested in a demo for our radio team of twelve.',
};

let owner: TestOwner;
let page: Page;
let formId: string;
let ids: string[];

beforeAll(async () => {
  const created = await newOwnerWithForm();
  const { form } = created;
  ({ owner } = created);
  ({ formId } = form);
  ids = [];
  for (const lead of [ADA, GRACE, SPAM, HEDY]) ids.push(await sendLead(form, lead));
  await untilListed(form, ids.length);
  page = await browser.openAs(owner, '/leads?clean=true');
});

const title = (name: string, at = page) => at.getByRole('heading', { level: 1, name, exact: true });
const previous = (at = page) => at.getByRole('link', { name: 'Previous lead' });
const next = (at = page) => at.getByRole('link', { name: 'Next lead' });
const disabled = (name: string, at = page) => at.getByRole('button', { name, disabled: true });

test('a lead opens from the list under its person and company', async () => {
  await page.getByRole('row').filter({ hasText: 'Ada Byron' }).getByRole('link').click();
  await title('Ada Byron, Analytical Engines').waitFor();
  await settled(page);
  expect(await page.title()).toBe('Ada Byron, Analytical Engines · Contact us · Lead ingest');
  await disabled('Next lead').waitFor();
});

test('who, the message, the score and the actions are above the fold, with links and copy buttons', async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const part of [
    page.getByText(ADA.message),
    page.getByRole('link', { name: ADA.email }),
    page.getByRole('list', { name: 'How the score came about' }).getByText('Score', { exact: true }),
    page.getByRole('button', { name: 'Handled' }),
  ]) {
    const box = await part.boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? Number.NaN)).toBeLessThanOrEqual(900);
  }
  const phoneLink = page.getByRole('link', { name: ADA.phone, exact: true });
  expect(await phoneLink.getAttribute('href')).toBe('tel:+442079460958');
  await page.getByRole('button', { name: 'Copy phone number' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(ADA.phone);
});

test('the timeline says what happened in order', async () => {
  await page.getByRole('tab', { name: 'Timeline' }).click();
  expect(new URL(page.url()).search).toBe('?clean=true&tab=timeline');
  const timeline = page.getByRole('list').filter({ hasText: 'Received via Webhook' });
  for (const step of ['Enriched', 'Opened', 'Not forwarded']) {
    await timeline.getByText(step, { exact: true }).waitFor();
  }
  expect(await timeline.getByRole('listitem').first().innerText()).toMatch(/^\s*Received via Webhook/);
  expect(await timeline.locator('time').count()).toBe(4);
});

test('Previous and Next follow the filtered list, and Back returns to it', async () => {
  await previous().click();
  await title('Grace Hopper, Navy Yards').waitFor();
  expect(await page.evaluate('document.activeElement?.textContent')).toBe('Grace Hopper, Navy Yards');
  await previous().click();
  await title('Hedy Lamarr').waitFor();
  await disabled('Previous lead').waitFor();
  await next().click();
  await title('Grace Hopper, Navy Yards').waitFor();
  await page.goBack();
  await page.getByRole('table', { name: 'Leads' }).waitFor();
  expect(new URL(page.url()).search).toBe('?clean=true');
});

test('arrow keys open the neighbors, but not from a control that uses them', async () => {
  await page.getByRole('row').filter({ hasText: 'Grace Hopper' }).getByRole('link').press('Enter');
  await title('Grace Hopper, Navy Yards').waitFor();
  await settled(page);
  await page.keyboard.press('ArrowRight');
  await title('Ada Byron, Analytical Engines').waitFor();
  await settled(page);
  await page.keyboard.press('ArrowLeft');
  await title('Grace Hopper, Navy Yards').waitFor();
  await settled(page);
  await page.getByRole('tab', { name: 'Timeline' }).press('ArrowRight');
  await page.getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await title('Grace Hopper, Navy Yards').count()).toBe(1);
});

test('one click marks a lead as handled, with a note, and undoes it', async () => {
  await page.getByRole('button', { name: 'Handled', exact: true }).click();
  await shows(page, /^Handled by you, /);
  await page.getByRole('button', { name: 'Add a note' }).click();
  const dialog = page.getByRole('dialog', { name: 'Note' });
  await dialog.getByLabel('Note').fill('x'.repeat(501));
  await dialog.getByRole('button', { name: 'Save note' }).click();
  await shows(dialog, 'At most 500 characters; these are 501.');
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByLabel('Note').fill('Called back');
  await dialog.getByRole('button', { name: 'Save note' }).click();
  await dialog.waitFor({ state: 'detached' });
  await shows(page, 'Called back');
  await page.getByRole('button', { name: 'Undo “Handled”' }).click();
  await page.getByText('Called back').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Handled', exact: true }).waitFor();
});

test('a lead opened by its URL has neighbors too, without loading the list', async () => {
  const phone = await browser.openAs(owner, `/forms/${formId}/leads/${ids[1]}`, {
    ...PHONE,
    colorScheme: 'dark',
  });
  await title('Grace Hopper, Navy Yards', phone).waitFor();
  await previous(phone).click();
  // Without a filter, the one that isn't clean comes next.
  await phone.waitForURL((url) => url.pathname.endsWith(ids[2] as string));
  await shows(phone, 'asdf@mailinator.com');
  await settled(phone);
  await previous(phone).click();
  await title('Hedy Lamarr', phone).waitFor();
  await disabled('Previous lead', phone).waitFor();
  await settled(phone);
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await phone.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(3 * 844);
});
