import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../until.ts';
import { seriousFindings, settled, shows } from './console.ts';
import type { TestOwner } from './owners.ts';
import { newForm, newOwnerWithForm, sendLead, untilListed, writeLead } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

const DAY_MS = 24 * 60 * 60 * 1000;
/** Noon in Berlin, where the browser is, so that a day more or less stays clear of midnight. */
const noon = (daysAgo: number) => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(Date.now());
  return Date.parse(`${today}T11:00:00Z`) - daysAgo * DAY_MS;
};

let owner: TestOwner;
let page: Page;
let contactId: string;

beforeAll(async () => {
  const created = await newOwnerWithForm();
  const { form: contact } = created;
  ({ owner } = created);
  const quotes = await newForm(owner.workspaceId, 'Request a quote');
  contactId = contact.formId;
  const person = (name: string, company: string, email: string, more: object = {}) => ({
    name,
    company,
    email,
    message: 'We would like a quote for 40 seats, starting in March.',
    ...more,
  });
  await writeLead(contact, noon(40), person('Jean Bartik', 'Navy Yards', 'jean@navy-yards.com'));
  await writeLead(contact, noon(5), person('Edith Clarke', 'Navy Yards', 'edith@navy-yards.com'));
  await writeLead(contact, noon(1), person('Grace Hopper', 'Navy Yards', 'grace@navy-yards.com'));
  await writeLead(quotes, noon(1), person('Ada Byron', 'Analytical Engines', 'ada@analytical-engines.co.uk'));
  const phone = { phone: '+44 20 7946 0958' };
  await sendLead(quotes, person('Mary Wilkes', 'Navy Yards', 'mary@navy-yards.com', phone));
  await sendLead(contact, { name: 'test', email: 'asdf@mailinator.com' });
  await untilListed(owner, 6);
  page = await browser.openAs(owner, '/leads');
});

const ALL = ['test', 'Mary Wilkes', 'Ada Byron', 'Grace Hopper', 'Edith Clarke', 'Jean Bartik'];

const searchBox = (at = page) => at.getByRole('searchbox', { name: 'Search' });
const people = (at = page) => at.getByRole('table', { name: 'Leads' }).locator('tbody').getByRole('link');
const search = () => decodeURIComponent(new URL(page.url()).search.replaceAll('+', ' '));

/** The people shown, once they are these. The two of the same moment may be in any order. */
async function showsPeople(expected: readonly string[], at = page) {
  const shown = await until(
    () => people(at).allInnerTexts(),
    (names) => names.toSorted().join() === expected.toSorted().join(),
  );
  expect(shown.toSorted()).toEqual(expected.toSorted());
}

const quick = (name: string) =>
  page.getByRole('group', { name: 'Quick filters' }).getByRole('button', { name, exact: true });
const chip = (text: string) => page.getByRole('button', { name: `Remove filter: ${text}`, exact: true });
const filters = () => page.getByRole('button', { name: 'Filters', exact: true });
const clear = () => page.getByRole('button', { name: 'Clear filters' }).first();

async function choose(label: string, option: string) {
  await page.getByRole('button', { name: new RegExp(`^${label} `) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('lists the leads of all forms, newest first', async () => {
  await showsPeople(ALL);
  expect((await people().allInnerTexts()).slice(-2)).toEqual(ALL.slice(-2));
  const row = page.getByRole('row').filter({ hasText: 'Ada Byron' });
  for (const text of [
    'New',
    'Analytical Engines',
    'Request a quote',
    /^We would like a quote for 40 seats/,
  ]) {
    await shows(row, text);
  }
  const age = row.locator('time');
  expect(await age.innerText()).toMatch(/^\d+ (h|d)$/);
  expect(await age.getAttribute('title')).toMatch(/\d{4}, \d\d:\d\d:\d\d/);
  await shows(page.getByRole('row').filter({ hasText: 'test' }), 'Not clean');
  await shows(page, '6 leads', { exact: true });
});

test("finds yesterday's leads of one company, and removes a filter by its chip", async () => {
  await searchBox().fill('navy');
  await filters().click();
  await choose('Received', 'Yesterday');
  await filters().click();
  await showsPeople(['Grace Hopper']);
  await page.waitForURL(/q=navy/);
  expect(search()).toBe('?q=navy&period=yesterday');
  await chip('Yesterday').click();
  await showsPeople(['Mary Wilkes', 'Grace Hopper', 'Edith Clarke', 'Jean Bartik']);
  await page.goBack();
  await showsPeople(['Grace Hopper']);
});

test('Back undoes a choice, and Forward repeats it', async () => {
  await quick('Today').click();
  await showsPeople(['Mary Wilkes']);
  await page.goBack();
  await showsPeople(['Grace Hopper']);
  await page.goForward();
  await showsPeople(['Mary Wilkes']);
  await clear().click();
  await showsPeople(ALL);
  expect(await searchBox().inputValue()).toBe('');
});

describe('the search', () => {
  test('finds an email address on Enter', async () => {
    await searchBox().fill('edith@navy-yards.com');
    await searchBox().press('Enter');
    await showsPeople(['Edith Clarke']);
    expect(search()).toBe('?q=edith@navy-yards.com');
  });

  test('says what was searched if nothing is found, and offers to search more', async () => {
    await searchBox().fill('n');
    await shows(page, 'Type at least two letters or digits of a word.');
    await searchBox().fill('jean bartik');
    await showsPeople(['Jean Bartik']);
    await page.waitForURL(/q=jean/);
    await quick('Today').click();
    await shows(page, 'No leads match');
    await shows(page, /names, companies, email addresses and phone numbers, not at messages/);
    await shows(page, 'Filters: Today.');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Search the last 7 days' }).click();
    await page.waitForURL(/period=7d/);
    await page.getByRole('button', { name: 'Search all time' }).click();
    await showsPeople(['Jean Bartik']);
    await quick('Handled').click();
    await page.getByRole('button', { name: 'Without “Handled”' }).click();
    await showsPeople(['Jean Bartik']);
    await clear().click();
    await showsPeople(ALL);
  });
});

describe('the filters', () => {
  test('are the form, clean, the enrichment and the score, and apply together', async () => {
    await filters().click();
    await choose('Form', 'Contact us');
    await showsPeople(['test', 'Grace Hopper', 'Edith Clarke', 'Jean Bartik']);
    await page.getByRole('heading', { level: 1, name: 'Leads: Contact us' }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Form settings' }).waitFor();
    await page.keyboard.press('Escape');
    await choose('Clean', 'Not clean');
    await showsPeople(['test']);
    await choose('Clean', 'All');
    await choose('Enrichment', 'Not enriched');
    await showsPeople(['test']);
    await choose('Enrichment', 'All');
    await page.getByLabel('Minimum score').fill('60');
    await showsPeople(['Grace Hopper', 'Edith Clarke', 'Jean Bartik']);
    expect(search()).toBe(`?form=${contactId}&minScore=60`);
  });

  test('a wrong score range is shown below its field without moving the table', async () => {
    const panel = page.locator(`[id="${await filters().getAttribute('aria-controls')}"]`);
    const height = async () => (await panel.boundingBox())?.height;
    await page.getByLabel('Minimum score').fill('80');
    await page.waitForURL(/minScore=80/);
    const before = await height();
    await page.getByLabel('Maximum score', { exact: true }).fill('20');
    await shows(page, 'Below the minimum.');
    await shows(page, 'No leads match');
    await settled(page);
    expect(await height()).toBe(before);
    await page.getByLabel('Maximum score', { exact: true }).fill('1000');
    await shows(page, 'Enter 0 to 100.');
    expect(await height()).toBe(before);
    expect(await seriousFindings(page)).toEqual([]);
  });
});

test('sorts by score within a period', async () => {
  await clear().click();
  await showsPeople(ALL);
  await page.getByRole('columnheader', { name: 'Score' }).getByRole('button').click();
  await showsPeople(ALL.slice(0, -1));
  expect(search()).toBe('?period=30d&sort=score');
  const score = page.getByRole('columnheader', { name: 'Score' });
  expect(await score.getAttribute('aria-sort')).toBe('descending');
  expect((await people().allInnerTexts()).at(-1)).toBe('test');
  await page.getByRole('columnheader', { name: 'Received' }).getByRole('button').click();
  await clear().click();
  await showsPeople(ALL);
});

test('works by keyboard alone, from the search to a lead, its neighbor and back', async () => {
  await page.locator('body').press('/');
  await page.keyboard.type('navy yards');
  await showsPeople(['Mary Wilkes', 'Grace Hopper', 'Edith Clarke', 'Jean Bartik']);
  // Letters are text there, until the box is left.
  expect(await searchBox().inputValue()).toBe('navy yards');
  await searchBox().blur();
  const focused = () => page.evaluate('document.activeElement.textContent');
  await page.keyboard.press('j');
  expect(await focused()).toBe('Mary Wilkes');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  expect(await focused()).toBe('Grace Hopper');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper, Navy Yards' }).waitFor();
  await settled(page);
  // Ada Byron's lead is between them, but not in this list.
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('heading', { level: 1, name: 'Mary Wilkes, Navy Yards' }).waitFor();
  await page.goBack();
  await showsPeople(['Mary Wilkes', 'Grace Hopper', 'Edith Clarke', 'Jean Bartik']);
  expect(search()).toBe('?q=navy yards');
  expect(await until(focused, (text) => text === 'Grace Hopper')).toBe('Grace Hopper');
});

test('? lists the shortcuts, which can be turned off', async () => {
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row').first().waitFor();
  expect(await dialog.getByRole('row').count()).toBe(9);
  expect(await seriousFindings(page)).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'Use shortcuts' }).uncheck({ force: true });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: /Keyboard shortcuts/ }).click();
  await dialog.waitFor();
  await dialog.getByRole('checkbox', { name: 'Use shortcuts' }).check({ force: true });
  await page.keyboard.press('Escape');
});
