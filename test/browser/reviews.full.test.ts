import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openContract, type Tenant } from '../contract/tenant.ts';
import { goTo, seriousFindings, settled, shows } from './console.ts';
import type { TestOwner } from './owners.ts';
import { newOwnerWithForm, sendLead, untilListed } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

const PITCH = 'Buy backlinks now!!! Rank #1 on Google, casino viagra http://spam.top';
const leadFrom = (name: string, email: string) => ({ name, email, message: PITCH });

const contract = openContract();
let owner: TestOwner;
let page: Page;
let form: Tenant;
let list: string;
let ids: string[];

const send = (lead: object) => sendLead(form, lead);
/** As the service has it, whatever the page shows. */
const stored = (id: string) => contract.lead(id);
const at = (id: string) => `${list}/${id}`;

beforeAll(async () => {
  ({ owner, form } = await newOwnerWithForm());
  list = `/forms/${form.formId}/leads`;
  ids = [];
  for (const each of [
    leadFrom('Ada Byron', 'ada@analytical-engines.co.uk'),
    leadFrom('Grace Hopper', 'grace@navy-yards.com'),
    leadFrom('Hedy Lamarr', 'hedy.lamarr@gmail.com'),
  ]) {
    ids.push(await send(each));
  }
  page = await browser.openAs(owner, at(ids[0] as string), { viewport: { width: 1280, height: 900 } });
  await settled(page);
});

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
  });

  test('a verdict is taken back by keyboard alone, and the focus stays', async () => {
    await goTo(page, at(ids[0] as string));
    const undo = button('Undo “Not spam”');
    await undo.focus();
    await page.keyboard.press('Enter');
    await shows(page, 'Lead: review undone. ada@analytical-engines.co.uk is no longer on the list.');
    await shows(page, 'Not reviewed');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Not spam');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await shows(page, 'Lead marked as spam. ada@analytical-engines.co.uk is now blocked.');
    expect((await stored(ids[0] as string))?.clean).toBe(false);
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
    await untilListed(form, 3);
    await goTo(page, list);
    await settled(page);
    await shows(row('Ada Byron'), 'Spam (you)');
    const before = await verdicts();
    await page.getByRole('checkbox', { name: 'Select all leads shown' }).check();
    await button('Spam').click();
    await shows(page, /^3 leads marked as spam\./);
    for (const name of ['Ada Byron', 'Grace Hopper', 'Hedy Lamarr']) {
      await shows(row(name), 'Spam (you)');
    }
    expect(await verdicts()).toEqual(['spam', 'spam', 'spam']);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
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
    await untilListed(form, 1, { status: 'handled' });
    await goTo(page, '/leads?status=handled');
    await settled(page);
    const listed = page.getByRole('table', { name: 'Leads' }).locator('tbody').getByRole('link');
    expect(await listed.allInnerTexts()).toEqual(['Hedy Lamarr']);
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
    await shows(row('ada@analytical-engines.co.uk'), 'Blocked');
    await shows(row('analytical-engines.co.uk'), 'Trusted');
  });

  test('is edited: change, remove, add, with a clear refusal of free mail domains', async () => {
    await button('Trust ada@analytical-engines.co.uk').click();
    await shows(row('ada@analytical-engines.co.uk'), 'Trusted');
    await button('Remove analytical-engines.co.uk').click();
    await row('analytical-engines.co.uk').waitFor({ state: 'detached' });
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
  });
});
