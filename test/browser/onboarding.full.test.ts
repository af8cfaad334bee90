import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openContract, submit, type Tenant } from '../contract/tenant.ts';
import { openSendingWorld } from '../sending/sending-world.ts';
import { until } from '../until.ts';
import { becomesTrue, goTo, settled, shows } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { newForm, sendLead } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

const owners = openOwners();

let owner: TestOwner;
let form: Tenant;
let page: Page;

beforeAll(async () => {
  owner = await owners.newOwner();
  page = await browser.openAs(owner);
  await settled(page);
});

const title = (at: Page) => at.getByRole('heading', { name: 'Get started' });
const steps = async (state: 'Done' | 'To do') =>
  (
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('img', { name: state, exact: true }) })
      .allInnerTexts()
  ).map((text) => text.trim());

/** Written directly, so that nothing is sent. */
const addDestination = (tenant: Tenant) =>
  openSendingWorld().newWebhook(tenant, 'https://crm.analytical-engines.example/leads', { events: [] });

/** Opens the overview again, with what has changed meanwhile. */
async function reopen(at: Page): Promise<void> {
  await goTo(at, '/');
  await at.reload();
  await at.locator('#top-bar').waitFor();
  await settled(at);
}

test('a new workspace begins with all steps to do', async () => {
  await title(page).waitFor();
  expect(await steps('To do')).toEqual([
    'Create a form',
    'Set a webhook secret or connect a provider or create a server token or turn on browser sending',
    'Send a test',
    'Connect your sender and receive the first lead',
    'Forward leads to a destination',
  ]);
  await page.getByRole('link', { name: 'Create a form', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Name').waitFor();
  await page.keyboard.press('Escape');
});

test('what is done is checked off, and a sender that has only been rejected is shown with the reason', async () => {
  const { diagnostics } = openContract();
  form = await newForm(owner.workspaceId, 'Contact us');
  await sendLead(form, { email: 'ada.byron@example.com', _test: true });
  await submit('1b', { ...form, secret: 'not the secret of this form' });
  await until(
    () => diagnostics(form.workspaceId, 'rejected#'),
    (counted) => counted.length > 0,
  );
  await reopen(page);
  await title(page).waitFor();
  expect(await steps('Done')).toHaveLength(3);
  const step = page.getByRole('listitem').filter({ hasText: 'Connect your sender' });
  await shows(step, /webhook was only rejected so far: Signature doesn’t match/);
  const header = 'The webhook of “Contact us” hasn’t worked yet';
  await shows(page.locator('main'), header);
  await shows(page.locator('main'), /signature debugger/);
  await goTo(page, `/forms/${form.formId}`);
  await shows(page.locator('main'), header);
  await goTo(page, '/');
});

test('dismissed, it stays away in this browser, and the focus goes to the heading', async () => {
  const other = await browser.openAs(owner);
  await title(other).waitFor();
  await other.getByRole('button', { name: 'Dismiss', exact: true }).press('Enter');
  await title(other).waitFor({ state: 'detached' });
  expect(await other.evaluate('document.activeElement.textContent')).toBe('Overview');
  await reopen(other);
  expect(await title(other).count()).toBe(0);
  const kept = (await other.evaluate('JSON.stringify({ ...localStorage })')) as string;
  expect(JSON.parse(kept)).toEqual({
    'lead-ingest.signed-in': '1',
    [`lead-ingest.started.${owner.workspaceId}`]: '1',
  });
  await other.context().close();
});

test('the first real lead leaves one step, and a destination ends it for good', async () => {
  await sendLead(form, { name: 'Grace Hopper', email: 'grace@navy-yards.com' });
  await reopen(page);
  await title(page).waitFor();
  expect(await steps('To do')).toEqual(['Forward leads to a destination']);
  await addDestination(form);
  await reopen(page);
  await becomesTrue(page, `localStorage.getItem('lead-ingest.started.${form.workspaceId}') !== null`);
  expect(await title(page).count()).toBe(0);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await goTo(page, '/forms');
  await settled(page);
  asked.length = 0;
  await goTo(page, '/');
  await settled(page);
  expect(asked.filter((path) => path.endsWith('/leads'))).toEqual([]);
});
