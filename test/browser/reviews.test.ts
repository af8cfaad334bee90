import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openContract, submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { until } from '../until.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { newForm, untilListed } from './seed-items.ts';

const PITCH = 'Buy backlinks now!!! Rank #1 on Google, casino viagra http://spam.top';
const leadFrom = (name: string, email: string, message = PITCH) => ({ name, email, message });

const contract = openContract();
let browser: TestBrowser;
let owner: TestOwner;
let page: Page;
let errors: string[];
let form: Tenant;
let list: string;
let ids: string[];

const send = async (lead: object) => submissionId(await submit('1b', form, { body: JSON.stringify(lead) }));
/** As the service has it, whatever the page shows. */
const stored = (id: string) => contract.lead(id);
const cleanOf = async (id: string) => (await stored(id))?.clean;
const at = (id: string) => `${list}/${id}`;

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  owner = await newOwner();
  form = await newForm(administration, owner.workspaceId, 'Contact us');
  list = `/forms/${form.formId}/leads`;
  ids = [];
  for (const each of [
    leadFrom('Ada Byron', 'ada@analytical-engines.co.uk'),
    leadFrom('Grace Hopper', 'grace@navy-yards.com'),
    leadFrom('Hedy Lamarr', 'hedy.lamarr@gmail.com'),
  ]) {
    ids.push(await send(each));
  }
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  errors = watchForErrors(page);
  await openAs(page, owner, at(ids[0] as string));
  await settled(page);
});
afterAll(() => browser.close());

const button = (name: string | RegExp, where = page) => where.getByRole('button', { name, exact: true });

describe('on the page of a lead', () => {
  test('one click corrects the verdict, and says what follows', async () => {
    await shows(page, 'Not reviewed');
    await button('Not spam').click();
    await shows(page, 'Lead marked as not spam. ada@analytical-engines.co.uk is now trusted.');
    await shows(page, 'Marked as not spam');
    await button('Trust everyone at analytical-engines.co.uk').click();
    await shows(page, 'analytical-engines.co.uk is now trusted.', { exact: true });
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await shows(page, 'Reviewed: not spam');
    // Once the relay has followed the review.
    await shows(page.getByRole('list', { name: 'Timeline' }), /^Enriched/);
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('the next lead of that company is clean', async () => {
    const next = await send(leadFrom('Charles Babbage', 'charles@analytical-engines.co.uk'));
    expect(await cleanOf(next)).toBe(true);
    await goTo(page, at(next));
    await shows(page, 'Trusted when received');
    await shows(page, 'Clean, because its sender was trusted when it was received.');
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await shows(page, /Scored \d+ of 100, not clean, from a trusted sender/);
    await goTo(page, at(ids[0] as string));
  });

  test('a verdict is taken back by keyboard alone, and the focus stays', async () => {
    const undo = button('Undo “Not spam”');
    await undo.focus();
    await page.keyboard.press('Enter');
    await shows(page, 'Lead: review undone. ada@analytical-engines.co.uk is no longer on the list.');
    await shows(page, 'Not reviewed');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Not spam');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await shows(page, 'Lead marked as spam. ada@analytical-engines.co.uk is now blocked.');
    expect(await cleanOf(ids[0] as string)).toBe(false);
  });
});

const row = (name: string) =>
  page.getByRole('table', { name: 'Leads' }).getByRole('row').filter({ hasText: name });
const notice = (name: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name });
const verdicts = () => Promise.all(ids.map(async (id) => (await stored(id))?.review?.verdict));

/** Presses keys while the row of a lead is the current one. */
async function press(name: string, ...keys: string[]) {
  await row(name).getByRole('link').focus();
  for (const key of keys) await page.keyboard.press(key);
}

describe('in the list', () => {
  test('all leads shown are marked in two steps, and given back what they had in one', async () => {
    await untilListed(form, 4);
    await goTo(page, list);
    await settled(page);
    await shows(row('Ada Byron'), 'Spam (you)');
    const before = await verdicts();
    await page.getByRole('checkbox', { name: 'Select all leads shown' }).check();
    await button('Spam').click();
    await shows(page, /^4 leads marked as spam\./);
    for (const name of ['Ada Byron', 'Grace Hopper', 'Hedy Lamarr', 'Charles Babbage']) {
      await shows(row(name), 'Spam (you)');
    }
    expect(await verdicts()).toEqual(['spam', 'spam', 'spam']);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await notice('Undo').click();
    await shows(page, /^Undone\./);
    expect(await verdicts()).toEqual(before);
    await shows(row('Ada Byron'), 'Spam (you)');
    expect(await row('Grace Hopper').getByText('Spam (you)').count()).toBe(0);
  });

  test('one key marks the current lead, and one takes it back', async () => {
    await press('Grace Hopper', 's');
    await shows(row('Grace Hopper'), 'Spam (you)');
    await shows(page, /^Lead marked as spam\./);
    await page.keyboard.press('u');
    await shows(page, /^Undone\./);
    await row('Grace Hopper').getByText('Spam (you)').waitFor({ state: 'detached' });
    expect(await verdicts()).toEqual(['spam', undefined, undefined]);
  });

  test('a mark stays while the list follows, through polls and a refresh', async () => {
    for (const name of ['Grace Hopper', 'Hedy Lamarr']) {
      await press(name, 'g');
      await shows(row(name), 'Not spam (you)');
    }
    await until(
      () => Promise.all(ids.slice(1).map(cleanOf)),
      (clean) => clean.every(Boolean),
    );
    await button('Refresh leads').click();
    await settled(page);
    await shows(row('Grace Hopper'), 'Not spam (you)');
    expect(await row('Grace Hopper').getByText('Not clean').count()).toBe(0);
  });

  test('leads are marked as handled, with a note, and listed as handled or to do', async () => {
    await press('Grace Hopper', 'h');
    await shows(row('Grace Hopper'), 'Handled (you)');
    await page.getByRole('checkbox', { name: /^Select Hedy Lamarr/ }).check();
    await button('More').click();
    await page.getByRole('menuitem', { name: 'Handled with note…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Note').fill('Called her back.');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Mark as handled' }).click();
    const mark = row('Hedy Lamarr').getByText('Handled (you)');
    await mark.waitFor();
    expect(await mark.getAttribute('title')).toMatch(/: Called her back\.$/);
    await press('Grace Hopper', 'h');
    await mark.waitFor();
    await row('Grace Hopper').getByText('Handled (you)').waitFor({ state: 'detached' });
    const handled = await until(
      async () => {
        await goTo(page, '/leads?status=handled');
        await settled(page);
        await goTo(page, list);
        await settled(page);
        await goTo(page, '/leads?status=handled');
        await settled(page);
        return page.getByRole('table', { name: 'Leads' }).locator('tbody').getByRole('link').allInnerTexts();
      },
      (names) => names.join() === 'Hedy Lamarr',
    );
    expect(handled).toEqual(['Hedy Lamarr']);
  });
});

describe('the list of senders', () => {
  const row = (sender: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: `Remove ${sender}`, exact: true }) });

  test('is reached from the leads and shows what the reviews added', async () => {
    await button('More').click();
    await page.getByRole('menuitem', { name: 'Trusted and blocked senders' }).click();
    await page.getByRole('heading', { level: 1, name: 'Trusted and blocked senders' }).waitFor();
    await settled(page);
    await shows(row('grace@navy-yards.com'), 'Trusted');
    await shows(row('hedy.lamarr@gmail.com'), 'Trusted');
    await shows(row('ada@analytical-engines.co.uk'), 'Blocked');
    await shows(row('analytical-engines.co.uk'), 'Trusted');
  });

  test('is edited: change, remove, add, with a clear refusal of free mail domains', async () => {
    await button('Trust ada@analytical-engines.co.uk').click();
    await shows(row('ada@analytical-engines.co.uk'), 'Trusted');
    await button('Remove grace@navy-yards.com').click();
    await row('grace@navy-yards.com').waitFor({ state: 'detached' });
    await button('Add sender').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address or domain').fill('gmail.com');
    await page.keyboard.press('Enter');
    await shows(dialog, /anybody can have an address/);
    expect(await seriousFindings(page)).toEqual([]);
    await dialog.getByLabel('Email address or domain').fill('Spam-Factory.co.uk');
    await dialog.getByText('Blocked', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await shows(row('spam-factory.co.uk'), 'Blocked');
    const next = await send(
      leadFrom('Eve', 'eve@spam-factory.co.uk', 'We need a quote for 40 engines, please.'),
    );
    expect(await stored(next)).toMatchObject({ clean: false, sender: 'blocked' });
  });

  test('has the reviews as a file', async () => {
    // Browsers without a file picker download the file.
    await page.evaluate('delete window.showSaveFilePicker');
    await button('Export reviewed leads').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /^NDJSON/ }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString('utf8').trim().split('\n');
    const verdicts = lines.map((line) => JSON.parse(line).review.verdict as string);
    expect(verdicts.toSorted()).toEqual(['good', 'good', 'spam']);
  });

  test('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/senders', at(ids[0] as string)]) {
      await goTo(page, path);
      await settled(page);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    }
    expect(errors).toEqual([]);
  });
});
