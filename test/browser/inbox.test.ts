import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submit } from '../contract/tenant.ts';
import { until } from '../until.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { newForm, untilListed, writeLead } from './seed-items.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Noon in Berlin, where the browser is, so that a day more or less stays clear of midnight. */
const noon = (daysAgo: number) => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(Date.now());
  return Date.parse(`${today}T11:00:00Z`) - daysAgo * DAY_MS;
};

let browser: TestBrowser;
let owner: TestOwner;
let page: Page;
let errors: string[];
let contactId: string;

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  owner = await newOwner();
  const contact = await newForm(administration, owner.workspaceId, 'Contact us');
  const quotes = await newForm(administration, owner.workspaceId, 'Request a quote');
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
  await submit('1b', quotes, {
    body: JSON.stringify(person('Mary Wilkes', 'Navy Yards', 'mary@navy-yards.com', phone)),
  });
  await submit('1b', contact, { body: JSON.stringify({ name: 'test', email: 'asdf@mailinator.com' }) });
  await untilListed(owner, 6);
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner, '/leads');
});
afterAll(() => browser.close());

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

async function choose(label: string, option: string) {
  await page.getByRole('button', { name: new RegExp(`^${label}`) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

test('lists the leads of all forms, newest first', async () => {
  await showsPeople(ALL);
  expect((await people().allInnerTexts()).slice(-2)).toEqual(ALL.slice(-2));
  const row = page.getByRole('row').filter({ hasText: 'Ada Byron' });
  for (const text of ['Analytical Engines', 'ada@analytical-engines.co.uk', 'Request a quote', 'Clean']) {
    await shows(row, text, { exact: true });
  }
  expect(await seriousFindings(page)).toEqual([]);
});

test("finds yesterday's leads of one company in two steps", async () => {
  await searchBox().fill('navy');
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await showsPeople(['Grace Hopper']);
  await page.waitForURL(/q=navy/);
  expect(search()).toBe('?q=navy&period=yesterday');
});

test('a link shows the same to a colleague, on a phone and in dark mode', async () => {
  const phone = await browser.newPage({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  });
  const phoneErrors = watchForErrors(phone);
  await openAs(phone, owner, `/leads${new URL(page.url()).search}`);
  await showsPeople(['Grace Hopper'], phone);
  expect(await searchBox(phone).inputValue()).toBe('navy');
  const row = phone.getByRole('row').filter({ hasText: 'Grace Hopper' });
  for (const seen of [row.locator('time'), row.getByText(/^Score/), row.getByText('Navy Yards')]) {
    const { x = 0, width = 999 } = (await seen.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(366);
  }
  expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  expect(await seriousFindings(phone)).toEqual([]);
  expect(phoneErrors).toEqual([]);
  await phone.context().close();
});

test('Back undoes a choice, and Forward repeats it', async () => {
  await page.getByRole('button', { name: 'Last 7 days' }).click();
  await showsPeople(['Mary Wilkes', 'Grace Hopper', 'Edith Clarke']);
  await page.goBack();
  await showsPeople(['Grace Hopper']);
  await page.goForward();
  await showsPeople(['Mary Wilkes', 'Grace Hopper', 'Edith Clarke']);
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await showsPeople(ALL);
  expect(await searchBox().inputValue()).toBe('');
});

describe('the search', () => {
  test.each([
    ['a name', 'grace hop', ['Grace Hopper']],
    ['a domain', 'analytical-engines.co.uk', ['Ada Byron']],
    ['an email address', 'edith@navy-yards.com', ['Edith Clarke']],
    ['a phone number', '+44 20 7946', ['Mary Wilkes']],
  ])('finds %s on Enter', async (_, words, found) => {
    await searchBox().fill(words);
    await searchBox().press('Enter');
    await showsPeople(found);
    expect(search()).toBe(`?q=${words}`);
  });

  test('says what to try if nothing is found', async () => {
    await searchBox().fill('n');
    await shows(page, 'Type at least two letters or digits of a word.');
    await searchBox().fill('nobody whatsoever');
    await shows(page, 'Try other words or filters.');
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('table').getByRole('button', { name: 'Clear filters' }).click();
    await showsPeople(ALL);
  });
});

describe('the filters', () => {
  test('are the form, clean, the enrichment and the score, and apply together', async () => {
    await choose('Form', 'Contact us');
    await showsPeople(['test', 'Grace Hopper', 'Edith Clarke', 'Jean Bartik']);
    await page.getByRole('heading', { level: 1, name: 'Leads: Contact us' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Form settings' }).waitFor();
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

  test('a range is whole days', async () => {
    const day = (daysAgo: number) => new Date(noon(daysAgo)).toISOString().slice(0, 10);
    await page.getByRole('button', { name: 'Range' }).click();
    await page.getByRole('button', { name: /Choose the days/ }).waitFor();
    await goTo(page, `/leads?from=${day(5)}&to=${day(1)}`);
    await showsPeople(['Ada Byron', 'Grace Hopper', 'Edith Clarke']);
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('a wrong score range is shown below its field without moving the table', async () => {
    const head = page.getByRole('columnheader', { name: 'Received', exact: true });
    await page.getByLabel('Minimum score').fill('80');
    await page.waitForURL(/minScore=80/);
    const before = await head.boundingBox();
    await page.getByLabel('Maximum score', { exact: true }).fill('20');
    await shows(page, 'Below the minimum.');
    await shows(page, 'No leads match');
    await settled(page);
    expect((await head.boundingBox())?.y).toBe(before?.y);
    await page.getByLabel('Maximum score', { exact: true }).fill('1000');
    await shows(page, 'Enter 0 to 100.');
    expect((await head.boundingBox())?.y).toBe(before?.y);
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('the leads of a form have an address of their own', async () => {
    await goTo(page, `/forms/${contactId}/leads?clean=true`);
    await showsPeople(['Grace Hopper', 'Edith Clarke', 'Jean Bartik']);
    expect(search()).toBe(`?clean=true&form=${contactId}`);
  });
});

test('works by keyboard alone, from the search to a lead, its neighbor and back', async () => {
  await goTo(page, '/leads');
  await settled(page);
  await searchBox().focus();
  await page.keyboard.type('navy yards');
  await showsPeople(['Mary Wilkes', 'Grace Hopper', 'Edith Clarke', 'Jean Bartik']);
  await page.keyboard.press('Tab');
  // The button that empties the search box, then the periods, which are one stop.
  await page.keyboard.press('Tab');
  for (const period of ['Today', 'Yesterday', 'Last 7 days', 'Last 30 days']) {
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate('document.activeElement.textContent')).toContain(period);
  }
  await page.keyboard.press('Enter');
  await showsPeople(['Mary Wilkes', 'Grace Hopper', 'Edith Clarke']);
  await people().nth(1).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper, Navy Yards' }).waitFor();
  await settled(page);
  // Ada Byron's lead is between them, but not in this list.
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('heading', { level: 1, name: 'Mary Wilkes, Navy Yards' }).waitFor();
  await page.goBack();
  await showsPeople(['Mary Wilkes', 'Grace Hopper', 'Edith Clarke']);
  expect(search()).toBe('?q=navy yards&period=30d');
});

test('the page had no errors', () => {
  expect(errors).toEqual([]);
});
