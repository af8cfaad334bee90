import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { openSendingWorld } from '../sending/sending-world.ts';
import { until } from '../until.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { CONSOLE_URL, goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';

const LEAD = {
  name: 'Ada Byron',
  email: 'ada@analytical-engines.co.uk',
  company: 'Analytical Engines',
  message: 'We would like a quote for 40 seats, starting in March.',
};

const RECIPIENT = `sales-${randomBytes(4).toString('hex')}@example.com`;
const world = openSendingWorld();

let browser: TestBrowser;
let page: Page;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let form: Tenant;
let errors: string[];
let secret = '';

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  const owner = await newOwner();
  const { workspaceId } = owner;
  const { formId, slug } = await administration.createForm({ workspaceId, name: 'Contact us' });
  const { secret: webhookSecret } = await administration.setSecret({ formId });
  const { token, tokenId } = await administration.createToken({ formId });
  form = { workspaceId, formId, slug, secret: webhookSecret, token, tokenId };
  receiver = await openReceiver();
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner, '/destinations');
});
afterAll(async () => {
  await browser.close();
  receiver.close();
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true }).last();
const messages = () => page.getByRole('grid', { name: 'Messages' });
const shown = () => page.getByTestId('shown-once');

async function closeNotices() {
  for (const each of await page.getByRole('button', { name: 'Dismiss', exact: true }).all())
    await each.click();
}

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

test('email can be chosen only if the deployment has a sender', async () => {
  const response = { destinations: [], canSendEmail: false };
  await page.route('**/settings/destinations', (route) => route.fulfill({ json: response }));
  // A reload, so that no earlier response is used; the session survives it.
  await page.goto(`${CONSOLE_URL}/destinations?create=1`);
  await shows(dialog(), 'the service operator must set mailFrom in the deployment first');
  expect(await dialog().getByRole('radio', { name: 'Email' }).isDisabled()).toBe(true);
  await inDialog('Cancel').click();
  await page.unroute('**/settings/destinations');
  await page.goto(`${CONSOLE_URL}/destinations`);
});

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
  expect(receiver.received.map(({ type }) => type)).toEqual(['destination.test']);
  expect(receiver.received[0]?.isSignedWith(secret)).toBe(true);
  await shows(messages(), 'Delivered');
});

test('a lead’s page lists where it was forwarded', async () => {
  const leadId = submissionId(await submit('1b', form, { body: JSON.stringify(LEAD) }));
  await until(
    async () => receiver.received.some(({ type }) => type === 'lead.accepted'),
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
  receiver.respondWith(500, '<b>Database down</b>');
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
  receiver.respondWith(204);
  await inDialog('Replay').click();
  await shows(dialog(), 'The receiver accepted it.');
  await inDialog('Close').click();
  await page.getByRole('button', { name: 'Filter by status' }).click();
  await page.getByRole('option', { name: 'All statuses' }).click();
});

test('a message that waits is tried at once, and the response is shown', async () => {
  receiver.respondWith(500, 'Still down');
  await submit('1b', form, { body: JSON.stringify({ ...LEAD, name: 'Katherine Johnson' }) });
  await shows(messages(), 'Retrying');
  await shows(page, /The oldest message has been waiting since .*Next attempt: /);
  await button('Try now').click();
  await shows(page, 'The oldest message failed and will be retried');
  await shows(page, 'Still down');
  expect(await seriousFindings(page)).toEqual([]);
  receiver.respondWith(204);
  await button('Try now').click();
  await shows(page, 'Delivered. The other messages follow');
  await button('Try now').waitFor({ state: 'detached' });
});

test('while a secret is rotated, messages are signed with both', async () => {
  await closeNotices();
  await button('Rotate').click();
  expect(await dialog().getByLabel('24 hours (recommended)').isChecked()).toBe(true);
  await inDialog('Rotate').click();
  const rotated = (await shown().innerText()).trim();
  expect(rotated).not.toBe(secret);
  await shows(page, 'messages are also signed with the previous secret');
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  const before = receiver.received.length;
  await sendTest('The test event was delivered');
  const message = receiver.received[before];
  expect([secret, rotated].map((each) => message?.isSignedWith(each))).toEqual([true, true]);
});

test('a paused destination keeps its messages until it is resumed', async () => {
  await button('Pause').click();
  await shows(page, 'This destination is paused');
  const before = receiver.received.length;
  await submit('1b', form, { body: JSON.stringify({ ...LEAD, name: 'Grace Hopper' }) });
  await shows(messages(), 'On hold');
  expect(receiver.received.length).toBe(before);
  await button('Resume').click();
  await shows(page, '“CRM” is active. Messages on hold will be sent.');
  await messages().getByText('On hold').first().waitFor({ state: 'detached' });
  expect(receiver.received.length).toBe(before + 1);
});

test('a destination that returns 410 is disabled, says why and can be activated', async () => {
  receiver.respondWith(410);
  await sendTest('The test event failed');
  await shows(page, /Disabled since/);
  await shows(page, 'It returned 410 Gone');
  expect(await seriousFindings(page)).toEqual([]);
  receiver.respondWith(204);
  await button('Activate').click();
  await shows(page, '“CRM” is active');
  await button('Replay failed').click();
  await shows(dialog(), 'The last 24 hours');
  await inDialog('Replay').click();
  await shows(page, 'The messages are being sent again.');
  await messages().getByText('Failed', { exact: true }).first().waitFor({ state: 'detached' });
});

test('no page is wider than a phone', async () => {
  await page.setViewportSize({ width: 375, height: 812 });
  await settled(page);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
  await button('Edit').click();
  expect(await dialog().getByLabel('URL').inputValue()).toBe(receiver.url);
  expect(await seriousFindings(page)).toEqual([]);
  await dialog().getByLabel('Name').fill('CRM of the sales team');
  await inDialog('Save').click();
  await page.getByRole('heading', { level: 1, name: 'CRM of the sales team' }).waitFor();
});

test('Slack and email get a message that people can read', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const [kind, label, address] of [
    ['Slack', 'Slack webhook URL', receiver.url],
    ['Email', 'Email address', RECIPIENT],
  ] as const) {
    await goTo(page, '/destinations?create=1');
    await dialog().getByRole('radio', { name: kind }).check();
    await dialog().getByLabel(label).fill(address);
    await dialog().getByLabel('Name').fill(`By ${kind}`);
    await dialog()
      .getByRole('radio', { name: /^The lead: who wrote/ })
      .check();
    await inDialog('Create').click();
    await page.getByRole('heading', { level: 1, name: `By ${kind}` }).waitFor();
    if (kind === 'Email') {
      await shows(page, 'Waiting for the recipient');
      await confirmAsRecipient();
      await page.reload();
    }
    await sendTest('The test event was delivered');
    expect(await page.getByText('Signing secret').count()).toBe(0);
  }
});

test('deleting asks first, and returns to the list', async () => {
  for (const name of ['By Slack', 'By Email', 'CRM of the sales team']) {
    await goTo(page, '/destinations');
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await button('Delete').click();
    await shows(dialog(), 'You can’t undo this.');
    await inDialog('Delete').click();
    await shows(page, `Destination “${name}” deleted.`);
  }
  await shows(page, 'No destinations');
  expect(errors).toEqual([]);
});

interface Received {
  readonly id: string;
  readonly signature: string;
  readonly type: string;
  /** Whether it is signed with this secret. */
  isSignedWith(secret: string): boolean;
}

/** A local webhook receiver with a configurable response. */
async function openReceiver() {
  const received: Received[] = [];
  const answer = { status: 204, body: '' };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    received.push({
      id: headers['webhook-id'] ?? '',
      signature: headers['webhook-signature'] ?? '',
      type: JSON.parse(body).type,
      isSignedWith: (secret) => {
        try {
          new Webhook(secret).verify(body, headers);
          return true;
        } catch {
          return false;
        }
      },
    });
    response.writeHead(answer.status).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/leads`,
    received,
    respondWith(status: number, body = '') {
      Object.assign(answer, { status, body });
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
