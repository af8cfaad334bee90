import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Alert } from '../../lambdas/alerts/alert.ts';
import { makeAlertReader } from '../../lambdas/alerts/alert-reader-store.ts';
import { makeMessages } from '../../lambdas/sending/messages-store.ts';
import { openContract } from '../contract/tenant.ts';
import { until } from '../until.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { openAlerts } from './seed-items.ts';

const CLOSED = 55;
const PAGE = 50;

let browser: TestBrowser;
let page: Page;
let errors: string[];
let owner: TestOwner;
let formId: string;
let openAlert: Alert;

beforeAll(async () => {
  const owners = openOwners();
  // Without leads: the watch, which runs in the local stack too, would close these alerts.
  owner = await owners.newOwner();
  const { workspaceId } = owner;
  ({ formId } = await owners.administration.createForm({ workspaceId, name: 'Contact us' }));
  const { open, openAndClose, minutesAgo } = openAlerts(workspaceId);
  const facts = { formId, formName: 'Contact us', surface: '1b' } as const;
  for (let index = 0; index < CLOSED; index += 1) {
    const clock = { kind: 'clock_drift', subject: `${formId}${index}`, since: minutesAgo(9_000) } as const;
    const outcome = index === 0 ? 'ended' : 'recovered';
    await openAndClose({ ...clock, facts: { ...facts, skewSeconds: 140 } }, outcome, 9_000 + index, 30);
  }
  openAlert = await open(
    {
      kind: 'sender_broken',
      subject: `${formId}#1b`,
      since: minutesAgo(90),
      facts: { ...facts, rejections: 7, reason: 'signature_mismatch' },
    },
    10,
  );
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner);
});
afterAll(() => browser.close());

const TITLE = 'Leads to “Contact us” are being rejected';
const list = () => page.getByRole('list', { name: 'Open alerts' });
const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('an open alert', () => {
  test('is on the overview, with since when, why and what to do', async () => {
    await shows(list(), TITLE);
    await shows(list(), /^Since /);
    await shows(list(), /we rejected 7 requests/);
    await shows(list(), /What to do: /);
    // Times are the reader's own.
    expect(await list().innerText()).toMatch(/arrived on (?!.*UTC).*\d:\d\d/);
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('links to the rejections of its form', async () => {
    await list()
      .getByRole('link', { name: /^View rejections/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Diagnostics' }).waitFor();
    expect(new URL(page.url()).searchParams.get('form')).toBe(formId);
  });

  test('comes first on the page of alerts, which the navigation and the overview link to', async () => {
    await page
      .getByRole('navigation', { name: 'Navigation' })
      .getByRole('link', { name: 'Alerts', exact: true })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await shows(list(), TITLE);
    await goTo(page, '/');
    await page.getByRole('link', { name: 'All alerts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  });
});

test('an open alert has a badge in the menu until somebody has seen it', async () => {
  const menu = page.getByRole('navigation', { name: 'Navigation' });
  await shows(menu, '1 new');
  await page.getByRole('button', { name: `Mark as seen: ${TITLE}` }).click();
  await shows(list(), 'Seen by you');
  await menu.getByText('1 new').waitFor({ state: 'detached' });
  expect(await seriousFindings(page)).toEqual([]);
});

describe('the history', () => {
  const details = () =>
    page.getByRole('grid', { name: 'History' }).getByRole('button', { name: /^Details of / });
  const rowsBecome = (expected: number) =>
    until(
      () => details().count(),
      (count) => count === expected,
    );

  test('is listed 50 to a page, newest first', async () => {
    expect(await rowsBecome(PAGE)).toBe(PAGE);
    expect(await details().first().textContent()).toBe(TITLE);
    await button('Older alerts').click();
    expect(await rowsBecome(CLOSED + 1 - PAGE)).toBe(CLOSED + 1 - PAGE);
    expect(await button('Older alerts').isDisabled()).toBe(true);
    await button('Newer alerts').click();
    expect(await rowsBecome(PAGE)).toBe(PAGE);
  });

  test('says how an alert ended, and shows its texts on demand, by keyboard too', async () => {
    await shows(page.getByRole('grid', { name: 'History' }), 'No longer checked');
    await details().nth(2).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await shows(dialog, 'Resolved', { exact: true });
    await shows(dialog, /Its clock is 140 seconds slow/);
    await shows(dialog, 'Resolved: the clock of the sender of “Contact us” is right again');
    await shows(dialog, /This alert was open for 30 minutes/);
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('alert=');
  });

  test('an alert that does not exist is named as missing', async () => {
    await goTo(page, '/alerts?alert=alert_nope');
    await shows(page.getByRole('dialog'), 'Alert not found');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  });
});

describe('destinations', () => {
  const notice = () => page.getByText('Alerts are shown only here').filter({ visible: true });

  test('are suggested to an owner who gets no alerts', async () => {
    await goTo(page, '/alerts');
    await notice().first().waitFor();
    await page.getByRole('link', { name: 'View destinations' }).click();
    await page.getByRole('heading', { level: 1, name: 'Destinations' }).waitFor();
  });

  test('suggest alerts if people read them', async () => {
    await goTo(page, '/destinations?create=1');
    const dialog = page.getByRole('dialog');
    const opened = dialog.getByRole('checkbox', { name: 'Alert opened' });
    expect(await opened.isChecked()).toBe(false);
    await dialog.getByRole('radio', { name: 'Slack' }).check();
    expect(await opened.isChecked()).toBe(true);
    expect(await dialog.getByRole('checkbox', { name: 'Alert closed' }).isChecked()).toBe(true);
    await dialog.getByLabel('Slack webhook URL').fill('https://hooks.slack.com/services/T0/B0/x9Yz');
    await dialog.getByLabel('Name').fill('Marketing channel');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await shows(dialog, 'Choose what messages contain.');
    await dialog.getByRole('radio', { name: 'Only the score and a link' }).check();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Marketing channel' }).waitFor();
    await shows(page, 'Lead accepted, Alert opened, Alert closed');
  });

  test('list messages with a link to their alert, where the notice is gone', async () => {
    const [destinationId = ''] = new URL(page.url()).pathname.split('/').slice(-1);
    const { workspaceId, alertId, openedAt: createdAt } = openAlert;
    const message = { destinationId, workspaceId, leadId: alertId, type: 'alert.opened', createdAt } as const;
    const sent = { ...message, status: 'delivered', attempts: [], countedAttempts: 1 } as const;
    await makeMessages(openContract()).write(sent, undefined, AbortSignal.timeout(10_000));
    await goTo(page, '/destinations');
    await goTo(page, `/destinations/${destinationId}?status=delivered`);
    await page.getByRole('link', { name: `Alert ending in ${alertId.slice(-8)}` }).click();
    await shows(page.getByRole('dialog'), TITLE);
    expect(await notice().count()).toBe(0);
    await page.keyboard.press('Escape');
  });
});

describe('the settings', () => {
  const reader = makeAlertReader({ ...openContract(), now: Date.now });
  const saved = async () => (await reader.settings(owner.workspaceId, AbortSignal.timeout(10_000))).settings;
  const minutes = () => page.getByLabel('Alert when a destination has failed for');

  test('are saved', async () => {
    await goTo(page, '/alerts');
    await page.getByRole('link', { name: 'Alert settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alert settings' }).waitFor();
    await settled(page);
    expect(await minutes().inputValue()).toBe('60');
    await minutes().fill('15');
    await page.getByLabel('Clock drift').click();
    await button('Save').click();
    await shows(page, 'Alert settings saved.');
    expect(await saved()).toMatchObject({
      destinationFailing: { enabled: true, afterMinutes: 15 },
      clockDrift: { enabled: false, seconds: 120 },
    });
  });

  test('are checked before they are sent', async () => {
    await minutes().fill('4');
    await shows(page, 'Enter a whole number from 5 to 10,080.');
    expect(await button('Save').isDisabled()).toBe(true);
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('show next to a field why the service refuses it', async () => {
    await minutes().fill('20');
    const refusal = { field: 'destinationFailing.afterMinutes', problem: 'must be a multiple of 7' };
    await page.route('**/settings/alert-settings', (route) =>
      route.fulfill({ status: 400, json: { title: 'Invalid', errors: [refusal] } }),
    );
    await button('Save').click();
    await shows(page, 'It must be a multiple of 7.');
    expect(await minutes().getAttribute('aria-invalid')).toBe('true');
    await page.unroute('**/settings/alert-settings');
    await minutes().fill('21');
    await button('Save').click();
    expect(
      await until(saved, ({ destinationFailing }) => destinationFailing.afterMinutes === 21),
    ).toMatchObject({ destinationFailing: { afterMinutes: 21 } });
  });
});

test('without alerts, the pages say so', async () => {
  const other = await openOwners().newOwner('Quiet');
  await openOwners().administration.createForm({ workspaceId: other.workspaceId, name: 'Contact us' });
  const quiet = await browser.newPage();
  await openAs(quiet, other);
  await shows(quiet, 'No open alerts');
  await goTo(quiet, '/alerts');
  await shows(quiet, 'No alerts yet');
  await shows(quiet, /sent to your destinations/);
  await quiet.context().close();
});

test('the page had no errors', () => {
  expect(errors).toEqual([]);
});
