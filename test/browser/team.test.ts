import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { newAddress, openOwners, type TestOwner } from './owners.ts';

const owners = openOwners();
const WIDTHS = [390, 1280];

let browser: TestBrowser;
let page: Page;
let errors: string[];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());
afterEach(async () => {
  expect(errors).toEqual([]);
  await page.context().close();
});

async function open(owner: TestOwner, path: string, width = 1280) {
  page = await browser.newPage({ viewport: { width, height: 900 } });
  errors = watchForErrors(page);
  await openAs(page, owner, path);
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const dialog = () => page.getByRole('dialog');

/** Invited through the console, with the given role. */
async function invite(email: string, role: 'Owner' | 'Viewer') {
  await button('Invite').click();
  await dialog().getByLabel('Email address').fill(email);
  await dialog().getByRole('radio', { name: role }).check();
  await dialog().getByRole('button', { name: 'Send invitation' }).click();
  await shows(page, `Invitation sent to ${email}`);
  await row(email).waitFor();
}

describe.each(WIDTHS)('the team, %i pixels wide', (width) => {
  test('people are invited, get another role and are removed', async () => {
    const owner = await owners.newOwner();
    const email = newAddress();
    await open(owner, '/team', width);
    await row(owner.email).getByText('You').waitFor();
    await button('Invite').click();
    await dialog().getByRole('button', { name: 'Send invitation' }).click();
    await shows(page, 'Enter an email address.');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Cancel' }).last().click();
    await invite(email, 'Viewer');
    await shows(row(email), 'Invited');
    await shows(row(email), 'Viewer');

    await button(`Change role of ${email}`).click();
    await dialog().getByRole('radio', { name: 'Owner' }).check();
    await dialog().getByRole('button', { name: 'Save' }).click();
    await shows(page, `${email} is now owner.`);
    await row(email).getByText('Owner', { exact: true }).waitFor();

    await button(`Remove ${email}`).click();
    await shows(dialog(), 'They lose access at once');
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
    await shows(page, `${email} was removed.`);
    await row(email).waitFor({ state: 'detached' });
    await settled(page);
    expect(await seriousFindings(page)).toEqual([]);
  });
});

test('the last owner cannot leave, and reads why', async () => {
  const owner = await owners.newOwner();
  await open(owner, '/team');
  await button(`Remove ${owner.email}`).click();
  await dialog().getByRole('button', { name: 'Leave', exact: true }).click();
  await dialog().getByText(/owner/i).nth(1).waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).last().click();
  await row(owner.email).waitFor();
});

test('removing someone lists the API keys that they created, and revokes them', async () => {
  const owner = await owners.newOwner();
  const email = newAddress();
  await open(owner, '/team');
  await invite(email, 'Owner');
  const mate = { ...owner, email, password: await owners.choosePassword(email) };
  const other = await browser.newPage();
  await openAs(other, mate, '/api-keys');
  await other.getByRole('button', { name: 'Create API key' }).first().click();
  await other.getByRole('dialog').getByLabel('Name').fill('Their Zapier');
  await other.getByRole('checkbox', { name: 'Read and export leads' }).check();
  await other.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await other.getByTestId('shown-once').waitFor();
  await other.context().close();

  await button(`Remove ${email}`).click();
  await shows(dialog(), 'They created these API keys:');
  await shows(dialog(), 'Their Zapier');
  expect(await dialog().getByRole('checkbox', { name: 'Revoke these API keys' }).isChecked()).toBe(true);
  expect(await seriousFindings(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
  await shows(page, `${email} was removed. Their API keys were revoked.`);
  await goTo(page, '/api-keys');
  await row('Their Zapier').getByText('Revoked').waitFor();
});

describe('a viewer', () => {
  let viewer: TestOwner;
  let formId: string;

  beforeAll(async () => {
    const owner = await owners.newOwner();
    ({ formId } = await owners.administration.createForm({
      workspaceId: owner.workspaceId,
      name: 'Contact us',
    }));
    const email = newAddress();
    await open(owner, '/team');
    await invite(email, 'Viewer');
    await page.context().close();
    viewer = { workspaceId: owner.workspaceId, email, password: await owners.choosePassword(email) };
  });

  test('sees the pages, and every button that changes something is disabled with the reason', async () => {
    await open(viewer, '/team');
    await row(viewer.email).waitFor();
    await button('Invite').and(page.locator('[aria-disabled=true]')).waitFor();
    await button('Invite').hover();
    await shows(page, 'Only owners can do this.');
    expect(await button(/^(Remove|Change role)/).count()).toBe(0);
    const disabled = {
      '/forms': ['Create form'],
      '/tokens': ['Create server token'],
      '/destinations': ['Create destination'],
      [`/forms/${formId}`]: ['Archive form'],
      [`/forms/${formId}/delivery`]: ['Generate secret', 'Turn on', 'Save origins'],
    };
    for (const [path, names] of Object.entries(disabled)) {
      await goTo(page, path);
      for (const name of names) {
        await button(name).first().and(page.locator('[aria-disabled=true]')).waitFor();
      }
    }
    await goTo(page, '/senders/learned');
    await page.getByRole('checkbox', { name: 'Learn from verdicts', disabled: true }).waitFor();
    await shows(page, /Only owners can do this\./);
    await goTo(page, '/api-keys');
    await shows(page, 'Only owners can see and create API keys.');
    expect(await seriousFindings(page)).toEqual([]);
  });
});

test('someone who is removed is signed out at the next request, and cannot sign in again', async () => {
  const owner = await owners.newOwner();
  const email = newAddress();
  await open(owner, '/team');
  await invite(email, 'Viewer');
  const mate = { ...owner, email, password: await owners.choosePassword(email) };
  const other = await browser.newPage();
  await openAs(other, mate, '/forms');
  await button(`Remove ${email}`).click();
  await dialog().getByRole('button', { name: 'Remove', exact: true }).click();
  await shows(page, `${email} was removed.`);
  await goTo(other, '/tokens');
  const again = other.getByRole('dialog').filter({ hasText: 'Your session has expired' });
  await again.getByLabel('Password', { exact: true }).fill(mate.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await shows(other, 'Incorrect email address or password.');
  await other.context().close();
});

describe.each(WIDTHS)('API keys, %i pixels wide', (width) => {
  test('a key is created with scopes, shown once, and revoked; the activity lists it', async () => {
    const owner = await owners.newOwner();
    await open(owner, '/api-keys', width);
    await shows(page, 'No API keys');
    await button('Create API key').click();
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    await shows(page, 'Enter a name.');
    await shows(page, 'Choose at least one.');
    expect(await seriousFindings(page)).toEqual([]);
    await dialog().getByLabel('Name').fill('Zapier');
    await dialog().getByRole('checkbox', { name: 'Read and export leads' }).check();
    await dialog().getByRole('button', { name: 'Create', exact: true }).click();
    const key = (await page.getByTestId('shown-once').innerText()).trim();
    expect(key).toMatch(/^lik_/);
    await row('Zapier').getByText('Never').waitFor();
    await button('I’ve saved it: hide the API key').click();
    await page.getByTestId('shown-once').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key);

    await button('Revoke Zapier').click();
    await dialog().getByRole('button', { name: 'Revoke', exact: true }).click();
    await shows(page, 'API key “Zapier” revoked.');
    await row('Zapier').getByText('Revoked').waitFor();
    expect(await seriousFindings(page)).toEqual([]);

    await goTo(page, '/activity');
    await row('Created an API key').first().getByText(owner.email).waitFor();
    await row('Revoked an API key').first().getByText('Zapier').waitFor();
    await settled(page);
    expect(await page.getByRole('grid', { name: 'Changes' }).innerText()).not.toMatch(/dest_|mem_|key_|tok_/);
    expect(await seriousFindings(page)).toEqual([]);
  });
});
