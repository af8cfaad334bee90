import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeAlertReader } from '../../lambdas/alerts/alert-reader-store.ts';
import { openContract } from '../contract/tenant.ts';
import { goTo, settled, shows } from './console.ts';
import type { TestOwner } from './owners.ts';
import { newOwnerWithForm, openAlerts } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

let page: Page;
let owner: TestOwner;
let formId: string;

beforeAll(async () => {
  // Without leads: the watch, which runs in the local stack too, would close these alerts.
  const created = await newOwnerWithForm();
  ({ owner } = created);
  ({ formId } = created.form);
  const { open, openAndClose, minutesAgo } = openAlerts(owner.workspaceId);
  const facts = { formId, formName: 'Contact us', surface: '1b' } as const;
  for (const index of [0, 1, 2]) {
    const clock = { kind: 'clock_drift', subject: `${formId}${index}`, since: minutesAgo(9_000) } as const;
    const outcome = index === 0 ? 'ended' : 'recovered';
    await openAndClose({ ...clock, facts: { ...facts, skewSeconds: 140 } }, outcome, 9_000 + index, 30);
  }
  await open(
    {
      kind: 'sender_broken',
      subject: `${formId}#1b`,
      since: minutesAgo(90),
      facts: { ...facts, rejections: 7, reason: 'signature_mismatch' },
    },
    10,
  );
  page = await browser.openAs(owner);
});

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
  });

  test('links to the rejections of its form, and the overview to all alerts', async () => {
    await list()
      .getByRole('link', { name: /^View rejections/ })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Diagnostics' }).waitFor();
    expect(new URL(page.url()).searchParams.get('form')).toBe(formId);
    await goTo(page, '/');
    await page.getByRole('link', { name: 'All alerts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await shows(list(), TITLE);
  });
});

test('an open alert has a badge in the menu until somebody has seen it', async () => {
  const menu = page.getByRole('navigation', { name: 'Navigation' });
  await shows(menu, '1 new');
  await page.getByRole('button', { name: `Mark as seen: ${TITLE}` }).click();
  await shows(list(), 'Seen by you');
  await menu.getByText('1 new').waitFor({ state: 'detached' });
});

const details = () =>
  page.getByRole('grid', { name: 'History' }).getByRole('button', { name: /^Details of / });
test('the history says how an alert ended, and shows its texts on demand, by keyboard too', async () => {
  await shows(page.getByRole('grid', { name: 'History' }), 'No longer checked');
  await details().nth(2).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await shows(dialog, 'Resolved', { exact: true });
  await shows(dialog, /Its clock is 140 seconds slow/);
  await shows(dialog, 'Resolved: the clock of the sender of “Contact us” is right again');
  await shows(dialog, /This alert was open for 30 minutes/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(page.url()).not.toContain('alert=');
});

const reader = makeAlertReader({ ...openContract(), now: Date.now });
const saved = async () => (await reader.settings(owner.workspaceId, AbortSignal.timeout(10_000))).settings;
const minutes = () => page.getByLabel('Alert when a destination has failed for');

test('the settings are saved', async () => {
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
