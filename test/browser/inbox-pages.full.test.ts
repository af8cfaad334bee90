import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Tenant } from '../contract/tenant.ts';
import { until } from '../until.ts';
import { becomesTrue, CONSOLE_URL, downloadBy, seriousFindings, settled, shows } from './console.ts';
import type { TestOwner } from './owners.ts';
import { newForm, newOwnerWithForm, sendLead, untilListed, writeLead } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

const PAGE = 50;
const LEADS = 60;

let owner: TestOwner;
let form: Tenant;
let newsletter: Tenant;
let page: Page;

const send = (body: object) => sendLead(form, body);
const lead = (name: string) => ({ name, email: 'someone@analytical-engines.co.uk', company: 'Engines' });

beforeAll(async () => {
  ({ owner, form } = await newOwnerWithForm());
  newsletter = await newForm(owner.workspaceId, 'Newsletter');
  const start = Date.now() - LEADS * 60_000;
  for (let index = 1; index < LEADS; index += 1) {
    await writeLead(form, start + index * 60_000, lead(`Lead ${index}`));
  }
  await send({ name: 'Ada Byron', email: 'ada.byron@example.com', budget: '5,000', _test: true });
  await untilListed(owner, LEADS);
  page = await browser.openAs(owner, '/leads');
  await settled(page);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const rows = () => page.getByRole('table', { name: 'Leads' }).locator('tbody tr');
async function rowsBecome(expected: number) {
  const count = await until(
    () => rows().count(),
    (shown) => shown === expected,
  );
  expect(count).toBe(expected);
}

test('a test lead is listed as a test, without a score and without a warning', async () => {
  const row = rows().first();
  await row.getByText('Ada Byron').waitFor();
  expect(await row.getByText('Test', { exact: true }).count()).toBe(1);
  expect(await row.getByText('Not clean').count()).toBe(0);
  expect(await row.getByText('D', { exact: true }).count()).toBe(0);
});

describe('pages', () => {
  test('have 50 leads each, newest first', async () => {
    await rowsBecome(PAGE);
    expect(await button('Newer leads').isDisabled()).toBe(true);
    await button('Older leads').click();
    await rowsBecome(LEADS - PAGE);
    await shows(page, '60 leads, page 2');
    await rows().last().getByText('Lead 1', { exact: true }).waitFor();
    expect(await button('Older leads').isDisabled()).toBe(true);
  });

  test('are kept while a lead is open, and turned by Back', async () => {
    await rows().last().getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: /^Lead 1, / }).waitFor();
    await page.goBack();
    await rowsBecome(LEADS - PAGE);
    await button('Newer leads').click();
    await rowsBecome(PAGE);
    await page.goBack();
    await rowsBecome(LEADS - PAGE);
    await page.goBack();
    await rowsBecome(PAGE);
  });

  test('have a link, from which the way leads to the first page', async () => {
    await button('Older leads').click();
    await rowsBecome(LEADS - PAGE);
    await page.reload();
    await rowsBecome(LEADS - PAGE);
    await rows().last().getByText('Lead 1', { exact: true }).waitFor();
    await button('Newer leads').click();
    await rowsBecome(PAGE);
  });

  test('whose link is out of date give way to the first page', async () => {
    await page.goto(`${CONSOLE_URL}/leads?q=lead&cursor=AAAA`);
    await rowsBecome(PAGE);
    expect(new URL(page.url()).search).toBe('?q=lead');
    await button('Clear filters').first().click();
    await button('Filters').click();
  });

  test('that take long to read can be stopped, and continued on the next page', async () => {
    const found = { formId: '', receivedAt: new Date().toISOString(), surface: '1b', score: 80 };
    const leads = ['a', 'b'].map((submissionId) => ({
      ...found,
      submissionId,
      clean: true,
      enrichment: 'enriched',
    }));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/settings\/leads\?/, async (route) => {
      const isFirst = !route.request().url().includes('cursor=');
      if (!isFirst) await released;
      const first = { leads, cursor: 'AAAA', searchedTo: '2026-03-14T12:00:00.000Z' };
      // A request that was stopped takes no response.
      await route.fulfill({ json: isFirst ? first : { leads: [] } }).catch(() => undefined);
    });
    await page.getByRole('searchbox').fill('engine');
    await shows(page, 'Searched back to 14 Mar 2026: 2 found so far');
    expect(await rows().count()).toBe(2);
    expect(await seriousFindings(page)).toEqual([]);
    await button('Stop').press('Enter');
    await shows(page, 'Stopped. Searched back to 14 Mar 2026. Choose Older to go on.');
    const focused = () => page.evaluate('document.activeElement?.textContent');
    expect(await until(focused, (text) => text === 'Leads')).toBe('Leads');
    expect(await rows().count()).toBe(2);
    release();
    await button('Older leads').click();
    await shows(page, 'No older leads');
    expect(new URL(page.url()).searchParams.get('cursor')).toBe('AAAA');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await button('Clear filters').first().click();
    await rowsBecome(PAGE);
  });
});

test('new leads are announced, and shown on request', async () => {
  const first = () => rows().first().getByRole('link').innerText();
  const before = await first();
  await send(lead('Grace Hopper'));
  await send(lead('Hedy Lamarr'));
  const status = page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^2 new leads\./ });
  await status.waitFor();
  expect(await first()).toBe(before);
  expect(await seriousFindings(page)).toEqual([]);
  await status.getByRole('button', { name: 'Show' }).press('Enter');
  await rows().nth(1).getByText('Grace Hopper').waitFor();
  await status.waitFor({ state: 'detached' });
  await becomesTrue(page, 'document.activeElement?.textContent === "Leads"');
});

describe('an export', () => {
  const dialog = () => page.getByRole('dialog');

  const exported = () => downloadBy(page, dialog().getByRole('button', { name: 'Export', exact: true }));
  const lines = (csv: string) => csv.slice(1).trim().split('\r\n');

  test('has all that is listed, of all forms, with the contact first', async () => {
    await sendLead(newsletter, lead('Ida Rhodes'));
    await untilListed(owner, LEADS + 3);
    await button('Refresh leads').click();
    await shows(page, `${LEADS + 3} leads`);
    await button('Export').click();
    await shows(dialog(), `${LEADS + 3} leads of all forms.`);
    expect(await seriousFindings(page)).toEqual([]);
    const { text, name } = await exported();
    expect(name).toMatch(/^analytical-engines-leads-\d{4}-\d\d-\d\d\.csv$/);
    const [head, first, ...rest] = lines(text);
    expect(head).toMatch(/^name,company,email,phone,message,received_at,form_id,form_name,score,/);
    expect(first).toMatch(/^Ida Rhodes,Engines,someone@/);
    expect(first).toContain('Newsletter');
    expect(rest).toHaveLength(LEADS + 2);
    await shows(page, new RegExp(`^Exported ${name}, ${LEADS + 3} leads, `));
    await button('Close').click();
  });

  test('follows the search and the filters, and remembers the columns', async () => {
    await page.getByRole('searchbox').fill('hedy');
    await rowsBecome(1);
    await page.waitForURL(/q=hedy/);
    await button('Export').click();
    await shows(dialog(), '1 lead that matches the search and the filters.');
    await dialog()
      .getByRole('button', { name: /^Columns/ })
      .click();
    for (const column of ['Score', 'Form ID']) {
      await page.getByRole('option', { name: column, exact: true }).click();
    }
    await page.keyboard.press('Escape');
    expect(lines((await exported()).text)).toEqual([
      'score,form_id',
      expect.stringMatching(/^\d+,form_\w+$/),
    ]);
    await button('Close').click();
    await button('Clear filters').click();
    await rowsBecome(PAGE);
  });
});

test('deleting leads is announced and moves the focus to the heading', async () => {
  for (const name of ['Ida Rhodes', 'Hedy Lamarr', 'Grace Hopper']) {
    await page.getByRole('checkbox', { name: new RegExp(`^Select ${name}`) }).check({ force: true });
  }
  await shows(page, '3 selected');
  await button('More').press('Enter');
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page
    .locator('[aria-live]')
    .filter({ hasText: /^3 leads deleted\.$/ })
    .first()
    .waitFor({ state: 'attached' });
  expect(await page.evaluate('document.activeElement?.textContent')).toBe('Leads');
  await rows().first().getByText('Ada Byron').waitFor();
  await untilListed(owner, LEADS);
});

// Rows that are wholly visible, on a desktop, on a phone and at a zoom of 200 %.
test.each([
  [1440, 900, 14],
  [390, 844, 4],
  [720, 450, 5],
])('at %d by %d pixels, at least %d leads are visible', async (width, height, least) => {
  await page.setViewportSize({ width, height });
  // Without the notice of the test before.
  await page.reload();
  await rowsBecome(PAGE);
  await settled(page);
  const visible = (await page.evaluate(`[...document.querySelectorAll('table tbody tr')]
    .map((row) => row.getBoundingClientRect())
    .filter(({ top, bottom }) => top >= 0 && bottom <= innerHeight).length`)) as number;
  expect(visible).toBeGreaterThanOrEqual(least);
});
