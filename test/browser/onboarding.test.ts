import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeDestinationStore } from '../../lambdas/sending/destinations-store.ts';
import { openContract, submit, type Tenant } from '../contract/tenant.ts';
import { until } from '../until.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';

const owners = openOwners();
const WIDTHS = [390, 1280];

let browser: TestBrowser;
let owner: TestOwner;
let form: Tenant;
let page: Page;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
  owner = await owners.newOwner();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner);
  await settled(page);
});
afterAll(() => browser.close());

const title = (at: Page) => at.getByRole('heading', { name: 'Get started' });
const steps = async (state: 'Done' | 'To do') =>
  (
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('img', { name: state, exact: true }) })
      .allInnerTexts()
  ).map((text) => text.trim());

/** Written directly, so that nothing is sent. */
async function addDestination(workspaceId: string): Promise<void> {
  await makeDestinationStore(openContract()).create(
    {
      workspaceId,
      destinationId: `dest_onboarding${workspaceId.replace(/\W|_/g, '').slice(-12)}`,
      createdAt: new Date().toISOString(),
      kind: 'webhook',
      name: 'CRM',
      url: 'https://crm.analytical-engines.example/leads',
      events: [],
      secretSetAt: new Date().toISOString(),
      forms: 'all',
      onlyClean: true,
      includeFields: false,
      status: 'active',
    },
    { signingSecret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` },
    new AbortController().signal,
  );
}

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

test('a form, a secret and a test are checked off', async () => {
  const { workspaceId } = owner;
  const { formId, slug } = await owners.administration.createForm({ workspaceId, name: 'Contact us' });
  const { secret } = await owners.administration.setSecret({ formId });
  form = { workspaceId, formId, slug, secret, token: '', tokenId: '' };
  await submit('1b', form, { body: JSON.stringify({ email: 'ada.byron@example.com', _test: true }) });
  await reopen(page);
  await title(page).waitFor();
  expect(await steps('To do')).toEqual([
    'Connect your sender and receive the first lead',
    'Forward leads to a destination',
  ]);
  expect(await steps('Done')).toHaveLength(3);
});

test('a sender that has only been rejected is shown with the reason, where it was set up and on the overview', async () => {
  const { diagnostics } = openContract();
  await submit('1b', { ...form, secret: 'not the secret of this form' });
  await until(
    () => diagnostics(form.workspaceId, 'rejected#'),
    (counted) => counted.length > 0,
  );
  await reopen(page);
  const step = page.getByRole('listitem').filter({ hasText: 'Connect your sender' });
  await shows(step, /webhook was only rejected so far: Signature doesn’t match/);
  const header = 'The webhook of “Contact us” hasn’t worked yet';
  await shows(page.locator('main'), header);
  await shows(page.locator('main'), /signature debugger/);
  await goTo(page, `/forms/${form.formId}`);
  await shows(page.locator('main'), header);
  await goTo(page, '/');
});

test.each(WIDTHS)('the checklist fits %d pixels and has no serious finding', async (width) => {
  await page.setViewportSize({ width, height: 900 });
  await title(page).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  expect(await seriousFindings(page)).toEqual([]);
});

test('dismissed, it stays away in this browser, and the focus goes to the heading', async () => {
  const other = await browser.newPage();
  await openAs(other, owner);
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
  await submit('1b', form, { body: JSON.stringify({ name: 'Grace Hopper', email: 'grace@navy-yards.com' }) });
  await reopen(page);
  await title(page).waitFor();
  expect(await steps('To do')).toEqual(['Forward leads to a destination']);
  await addDestination(form.workspaceId);
  await reopen(page);
  await page.waitForFunction(`localStorage.getItem('lead-ingest.started.${form.workspaceId}') !== null`);
  expect(await title(page).count()).toBe(0);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await goTo(page, '/forms');
  await settled(page);
  asked.length = 0;
  await goTo(page, '/');
  await settled(page);
  expect(asked.filter((path) => path.endsWith('/leads'))).toEqual([]);
  expect(errors).toEqual([]);
});
