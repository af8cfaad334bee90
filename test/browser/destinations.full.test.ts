import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Tenant } from '../contract/tenant.ts';
import { type Receiver, respondWith, startReceiver, verify } from '../sending/receiver.ts';
import { openSendingWorld } from '../sending/sending-world.ts';
import { until } from '../until.ts';
import { goTo, seriousFindings, shows } from './console.ts';
import { newOwnerWithForm, sendLead } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

const LEAD = {
  name: 'Ada Byron',
  email: 'ada@analytical-engines.co.uk',
  company: 'Analytical Engines',
  message: 'We would like a quote for 40 seats, starting in March.',
};

const RECIPIENT = `sales-${randomBytes(4).toString('hex')}@example.com`;
const world = openSendingWorld();

let page: Page;
let receiver: Receiver;
let form: Tenant;
let secret = '';

beforeAll(async () => {
  const created = await newOwnerWithForm();
  ({ form } = created);
  receiver = await startReceiver();
  page = await browser.openAs(created.owner, '/destinations');
});
afterAll(() => receiver.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true }).last();
const messages = () => page.getByRole('grid', { name: 'Messages' });
const shown = () => page.getByTestId('shown-once');

/** Opens the link in the email, which changes nothing, and confirms on its page. */
async function confirmAsRecipient() {
  const mail = await world.mailWith(`To: ${RECIPIENT}`);
  const visit = await browser.newPage();
  await visit.goto(/^https?:\/\/\S+$/m.exec(mail)?.[0] ?? '');
  expect(await seriousFindings(visit)).toEqual([]);
  await visit.getByRole('button', { name: 'Confirm', exact: true }).click();
  await visit.getByRole('heading', { name: 'Confirmed' }).waitFor();
}

async function sendTest(result: string) {
  await button('Send test event').click();
  await shows(page, result);
}

test('an unusable URL is named in the dialog', async () => {
  await shows(page, 'No destinations');
  await button('Create destination').first().click();
  await inDialog('Create').click();
  await shows(dialog(), 'Enter a URL.');
  expect(await seriousFindings(page)).toEqual([]);
  await dialog().getByLabel('URL').fill('https://192.168.0.1/leads');
  await inDialog('Create').click();
  await shows(dialog(), /The URL must .*\./);
});

test('a webhook is created, and its signing secret is shown once', async () => {
  await dialog().getByLabel('URL').fill(receiver.url);
  await dialog().getByLabel('Name').fill('CRM');
  await inDialog('Create').click();
  await page.getByRole('heading', { level: 1, name: 'CRM' }).waitFor();
  secret = (await shown().innerText()).trim();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/);
  await shows(page, 'This isn’t a form’s webhook secret');
  expect(await seriousFindings(page)).toEqual([]);
  await goTo(page, '/destinations');
  await shows(page, 'Save the signing secret of “CRM”');
  await page.getByRole('link', { name: 'View signing secret' }).click();
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await shown().waitFor({ state: 'detached' });
  expect(await page.content()).not.toContain(secret);
});

test('a test event reports its result', async () => {
  await sendTest('The test event was delivered');
  await shows(page, /HTTP 204 after /);
  expect(receiver.received.map((each) => verify(each, secret).type)).toEqual(['destination.test']);
  await shows(messages(), 'Delivered');
});

test('a lead’s page lists where it was forwarded', async () => {
  const leadId = await sendLead(form, LEAD);
  await until(
    async () => receiver.received.some((each) => verify(each, secret).type === 'lead.accepted'),
    (arrived) => arrived,
  );
  await goTo(page, `/forms/${form.formId}/leads/${leadId}?tab=messages`);
  const forwarding = page.getByRole('table', { name: 'Forwarding' });
  await forwarding.getByRole('row', { name: /Lead accepted.*CRM.*Delivered.*HTTP 204/ }).waitFor();
  await forwarding.getByRole('button', { name: /^Details of Lead accepted/ }).click();
  await dialog().getByRole('table', { name: 'Attempts' }).getByText('HTTP 204').waitFor();
  await inDialog('Close').click();
  await forwarding.getByRole('link', { name: 'CRM' }).click();
  await page.getByRole('heading', { level: 1, name: 'CRM' }).waitFor();
});

test('a failed message shows its attempts and the response, and can be replayed', async () => {
  receiver.play(respondWith(500, '<b>Database down</b>'));
  await sendTest('The test event failed and will be retried');
  await shows(page, 'HTTP 500: error in the receiver');
  await shows(page, '<b>Database down</b>');
  await shows(page, /Failing since/);
  await page.getByRole('button', { name: 'Filter by status' }).click();
  await page.getByRole('option', { name: 'Retrying' }).click();
  expect(new URL(page.url()).search).toBe('?status=waiting');
  await messages()
    .getByRole('button', { name: /^Details of Test event/ })
    .first()
    .click();
  await shows(dialog(), 'Check the receiver’s log.');
  expect(await seriousFindings(page)).toEqual([]);
  receiver.play(respondWith(204));
  await inDialog('Replay').click();
  await shows(dialog(), 'The receiver accepted it.');
  await inDialog('Close').click();
  await page.getByRole('button', { name: 'Filter by status' }).click();
  await page.getByRole('option', { name: 'All statuses' }).click();
});

test('a message that waits is tried at once, and the response is shown', async () => {
  receiver.play(respondWith(500, 'Still down'));
  await sendLead(form, { ...LEAD, name: 'Katherine Johnson' });
  await shows(messages(), 'Retrying');
  await shows(page, /The oldest message has been waiting since .*Next attempt: /);
  await button('Try now').click();
  await shows(page, 'The oldest message failed and will be retried');
  await shows(page, 'Still down');
  expect(await seriousFindings(page)).toEqual([]);
  receiver.play(respondWith(204));
  await button('Try now').click();
  await shows(page, 'Delivered. The other messages follow');
  await button('Try now').waitFor({ state: 'detached' });
});

test('a destination that returns 410 is disabled, says why and can be activated', async () => {
  receiver.play(respondWith(410));
  await sendTest('The test event failed');
  await shows(page, /Disabled since/);
  await shows(page, 'It returned 410 Gone');
  expect(await seriousFindings(page)).toEqual([]);
  receiver.play(respondWith(204));
  await button('Activate').click();
  await shows(page, '“CRM” is active');
  await button('Replay failed').click();
  await shows(dialog(), 'The last 24 hours');
  await inDialog('Replay').click();
  await shows(page, 'The messages are being sent again.');
  await messages().getByText('Failed', { exact: true }).first().waitFor({ state: 'detached' });
});

test('it is edited, paused and resumed on a phone, and gets another secret', async () => {
  await page.setViewportSize({ width: 375, height: 812 });
  await button('Edit').click();
  expect(await dialog().getByLabel('URL').inputValue()).toBe(receiver.url);
  expect(await seriousFindings(page)).toEqual([]);
  await dialog().getByLabel('Name').fill('CRM of the sales team');
  await inDialog('Save').click();
  await page.getByRole('heading', { level: 1, name: 'CRM of the sales team' }).waitFor();
  await button('Pause').click();
  await shows(page, 'This destination is paused');
  await button('Resume').click();
  await shows(page, 'is active. Messages on hold will be sent.');
  await button('Rotate').click();
  expect(await dialog().getByLabel('24 hours (recommended)').isChecked()).toBe(true);
  await inDialog('Rotate').click();
  expect((await shown().innerText()).trim()).not.toBe(secret);
  await shows(page, 'messages are also signed with the previous secret');
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await page.setViewportSize({ width: 1280, height: 900 });
});

test.each([
  ['Slack', 'Slack webhook URL', () => receiver.url],
  ['Email', 'Email address', () => RECIPIENT],
])('%s gets a message that people can read', async (kind, label, address) => {
  await goTo(page, '/destinations?create=1');
  await dialog().getByRole('radio', { name: kind }).check();
  await dialog().getByLabel(label).fill(address());
  await dialog().getByLabel('Name').fill(`By ${kind}`);
  await inDialog('Create').click();
  await shows(dialog(), 'Choose what messages contain.');
  await dialog()
    .getByRole('radio', { name: /^The lead: who wrote/ })
    .check();
  await inDialog('Create').click();
  await page.getByRole('heading', { level: 1, name: `By ${kind}` }).waitFor();
  await shows(page, 'Lead accepted, Alert opened, Alert closed');
  if (kind === 'Email') {
    await shows(page, 'Waiting for the recipient');
    await confirmAsRecipient();
    await page.reload();
  }
  await sendTest('The test event was delivered');
  expect(await page.getByText('Signing secret').count()).toBe(0);
});

test('deleting asks first, and returns to the list', async () => {
  await button('Delete').click();
  await shows(dialog(), 'You can’t undo this.');
  await inDialog('Delete').click();
  await shows(page, 'Destination “By Email” deleted.');
  await page.getByRole('link', { name: 'By Slack', exact: true }).waitFor();
});
