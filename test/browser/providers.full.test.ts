import { createHmac, randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { localStack } from '../local-stack.ts';
import { goTo, seriousFindings, settled, shows } from './console.ts';
import { openOwners } from './owners.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

const { administration, newOwner } = openOwners();
const SECRET = 'chosen-at-typeform-0123456789';

let page: Page;
let formId: string;
let url: string;

beforeAll(async () => {
  const owner = await newOwner();
  ({ formId } = await administration.createForm({ workspaceId: owner.workspaceId, name: 'Contact us' }));
  page = await browser.openAs(owner, `/forms/${formId}/delivery`);
});

const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog');

const BODY = JSON.stringify({
  event_id: randomUUID(),
  event_type: 'form_response',
  form_response: {
    token: randomUUID(),
    submitted_at: new Date().toISOString(),
    definition: {
      fields: [
        { id: 'a', ref: 'full_name', type: 'short_text', title: 'What is your name?' },
        { id: 'b', ref: 'work_email', type: 'email', title: 'Your email' },
        { id: 'c', ref: 'team', type: 'dropdown', title: 'How large is your team?' },
      ],
    },
    answers: [
      { type: 'text', text: 'Ada Byron', field: { id: 'a', ref: 'full_name', type: 'short_text' } },
      {
        type: 'email',
        email: 'ada@analytical-engines.co.uk',
        field: { id: 'b', ref: 'work_email', type: 'email' },
      },
      { type: 'choice', choice: { label: '12 people' }, field: { id: 'c', ref: 'team', type: 'dropdown' } },
    ],
  },
});

/** Signed by hand, as Typeform documents it. */
async function deliver(secret: string): Promise<number> {
  const signature = createHmac('sha256', secret).update(BODY).digest('base64');
  const headers = { 'Content-Type': 'application/json', 'Typeform-Signature': `sha256=${signature}` };
  return (await fetch(url, { method: 'POST', headers, body: BODY })).status;
}

/** The part of the page about the newest delivery. */
async function reports(text: string | RegExp): Promise<void> {
  await page.getByText(text).filter({ visible: true }).first().waitFor();
}

test('a form begins with your own code, and Typeform is chosen as its provider', async () => {
  await shows(page, 'Webhook URL');
  await page.getByRole('radio', { name: /^A provider/ }).click();
  await page.getByRole('button', { name: /Who sends the leads\?/ }).click();
  await page.getByRole('option', { name: 'Typeform' }).click();
  await shows(page, 'Waiting for a delivery from Typeform');
  await shows(page, 'Open your form in Typeform and choose Connect, then Webhooks.');
  await button('Copy URL for the provider').click();
  url = (await page.evaluate('navigator.clipboard.readText()')) as string;
  expect(url).toMatch(new RegExp(`^${localStack().sourcesUrl}/sources/v1/contact-us-[0-9a-f]+$`));
});

test('an API key is refused as secret, in the words of the API, and a secret is taken', async () => {
  await shows(page, 'Not set: every delivery is rejected');
  await button('Paste secret').click();
  await dialog().getByLabel('Signing secret').fill('sk_live_0123456789abcdef');
  await button('Save').click();
  await shows(dialog(), 'This is an API key. Enter the signing secret of the Typeform webhook instead');
  expect(await seriousFindings(page)).toEqual([]);
  await dialog().getByLabel('Signing secret').fill(SECRET);
  await button('Save').click();
  await shows(page, 'Signing secret set.');
  await button('Generate new secret').waitFor();
});

test('a delivery with a wrong signature is shown with what to do', async () => {
  expect(await deliver('another secret')).toBe(503);
  await reports('Rejected: Signature doesn’t match');
  await reports('Check that Typeform has exactly the secret that is set here.');
  await shows(page, 'Typeform repeats a rejected delivery every 2 to 3 minutes for 10 hours.');
});

test('a signed delivery is shown as a lead, with its fields and roles', async () => {
  expect(await deliver(SECRET)).toBe(200);
  await reports('Lead received');
  await shows(page, 'ada@analytical-engines.co.uk');
  await shows(page, 'Email address', { exact: true });
  await shows(page, 'Full name', { exact: true });
  await shows(page, '12 people');
  // Screen readers are told a moment later.
  await page.getByText('Rejected:').first().waitFor({ state: 'detached' });
  await settled(page);
  expect(await seriousFindings(page)).toEqual([]);
});

test('the lead has readable fields, and the body as it was sent', async () => {
  await page.getByRole('link', { name: 'View lead' }).click();
  await shows(page, 'Received via');
  await shows(page, 'Provider or tool');
  await shows(page, '12 people');
  await page.getByRole('tab', { name: 'Body' }).click();
  await shows(page, /as the provider sent it/);
  await page.getByRole('button', { name: 'Copy original' }).click();
  const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
  expect(JSON.parse(copied).form_response.answers[0].text).toBe('Ada Byron');
});

test('an example is previewed, and what makes no lead says why', async () => {
  await goTo(page, `/forms/${formId}/delivery`);
  const example = page.getByLabel('Example payload');
  await example.fill(BODY);
  await button('Preview').click();
  await shows(page, 'Score:');
  await example.fill(BODY.replace('"form_response"', '"form_response_partial"'));
  await button('Preview').click();
  await shows(page, 'The form doesn’t make leads of this event. The event is form_response_partial.');
  await example.fill('{');
  await button('Preview').click();
  await shows(page, 'Must be JSON.');
});

test('Stripe has a choice of events, and another provider deletes the secret after a confirmation', async () => {
  await goTo(page, `/forms/${formId}/delivery`);
  await page.getByRole('button', { name: /Who sends the leads\?/ }).click();
  await page.getByRole('option', { name: 'Stripe' }).click();
  await dialog().getByRole('button', { name: 'Change', exact: true }).click();
  await shows(page, 'Not set: every delivery is rejected');
  await shows(page, 'Waiting for a delivery from Stripe');
  expect(await button('Generate secret').count()).toBe(0);
  await page.getByRole('checkbox', { name: 'customer.created' }).click();
  await shows(page, 'One person who causes both events becomes two leads.');
  await button('Save events').click();
  await shows(page, 'Events saved.');
  await page.getByRole('checkbox', { name: 'customer.created', checked: true }).waitFor();
});
