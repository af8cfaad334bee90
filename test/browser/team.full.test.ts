import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { goTo, seriousFindings, settled, shows } from './console.ts';
import { newAddress, openOwners, type TestOwner } from './owners.ts';
import { browserForTests, PHONE } from './shared-browser.ts';

const owners = openOwners();
const browser = browserForTests();

/** Each step continues from the one before. */
let page: Page;
let owner: TestOwner;
let formId: string;
let mate: TestOwner;
let ofMate: Page;

beforeAll(async () => {
  owner = await owners.newOwner();
  const { workspaceId } = owner;
  ({ formId } = await owners.administration.createForm({ workspaceId, name: 'Contact us' }));
  page = await browser.openAs(owner, '/team', PHONE);
});

const button = (name: string | RegExp, at = page) => at.getByRole('button', { name, exact: true });
const row = (name: string, at = page) => at.getByRole('row').filter({ hasText: name });
const dialog = (at = page) => at.getByRole('dialog');
const inDialog = (name: string, at = page) => dialog(at).getByRole('button', { name, exact: true });

/** Invited through the console, with the given role. */
async function invite(role: 'Owner' | 'Viewer'): Promise<TestOwner> {
  const email = newAddress();
  await button('Invite').click();
  await dialog().getByLabel('Email address').fill(email);
  await dialog().getByRole('radio', { name: role }).check();
  await inDialog('Send invitation').click();
  await shows(page, `Invitation sent to ${email}`);
  await shows(row(email), 'Invited');
  await shows(row(email), role);
  return { ...owner, email, password: await owners.choosePassword(email) };
}

test('people are invited and get another role', async () => {
  await row(owner.email).getByText('You').waitFor();
  await button('Invite').click();
  await inDialog('Send invitation').click();
  await shows(page, 'Enter an email address.');
  expect(await seriousFindings(page)).toEqual([]);
  await inDialog('Cancel').last().click();
  mate = await invite('Viewer');

  await button(`Change role of ${mate.email}`).click();
  await dialog().getByRole('radio', { name: 'Owner' }).check();
  await inDialog('Save').click();
  await shows(page, `${mate.email} is now owner.`);
  await row(mate.email).getByText('Owner', { exact: true }).waitFor();
});

test('a colleague creates API keys with scopes, each shown once, and revokes one; the activity lists it', async () => {
  ofMate = await browser.openAs(mate, '/api-keys');
  await shows(ofMate, 'No API keys');
  await button('Create API key', ofMate).click();
  await inDialog('Create', ofMate).click();
  await shows(ofMate, 'Enter a name.');
  await shows(ofMate, 'Choose at least one.');
  expect(await seriousFindings(ofMate)).toEqual([]);
  await inDialog('Cancel', ofMate).last().click();
  for (const name of ['Their CRM', 'Zapier']) {
    await button('Create API key', ofMate).first().click();
    await dialog(ofMate).getByLabel('Name').fill(name);
    await dialog(ofMate).getByRole('checkbox', { name: 'Read and export leads' }).check();
    await inDialog('Create', ofMate).click();
    const key = (await ofMate.getByTestId('shown-once').innerText()).trim();
    expect(key).toMatch(/^lik_/);
    await row(name, ofMate).getByText('Never').waitFor();
    await button('I’ve saved it: hide the API key', ofMate).click();
    await ofMate.getByTestId('shown-once').waitFor({ state: 'detached' });
    expect(await ofMate.content()).not.toContain(key);
  }
  await button('Revoke Zapier', ofMate).click();
  await inDialog('Revoke', ofMate).click();
  await shows(ofMate, 'API key “Zapier” revoked.');
  await row('Zapier', ofMate).getByText('Revoked').waitFor();
  expect(await seriousFindings(ofMate)).toEqual([]);

  await goTo(ofMate, '/activity');
  await row('Created an API key', ofMate).first().getByText(mate.email).waitFor();
  await row('Revoked an API key', ofMate).first().getByText('Zapier').waitFor();
  await settled(ofMate);
  const changes = await ofMate.getByRole('grid', { name: 'Changes' }).innerText();
  expect(changes).not.toMatch(/dest_|mem_|key_|tok_/);
});

test('removing someone revokes their API keys', async () => {
  await button(`Remove ${mate.email}`).click();
  await shows(dialog(), 'They lose access at once');
  await shows(dialog(), 'They created these API keys:');
  await shows(dialog(), 'Their CRM');
  expect(await dialog().getByRole('checkbox', { name: 'Revoke these API keys' }).isChecked()).toBe(true);
  expect(await seriousFindings(page)).toEqual([]);
  await inDialog('Remove').click();
  await shows(page, `${mate.email} was removed. Their API keys were revoked.`);
  await row(mate.email).waitFor({ state: 'detached' });
  await goTo(page, '/api-keys');
  await row('Their CRM').getByText('Revoked').waitFor();
});

test('someone who was removed is signed out at the next request, and cannot sign in again', async () => {
  await goTo(ofMate, '/tokens');
  const again = dialog(ofMate).filter({ hasText: 'Your session has expired' });
  await again.getByLabel('Password', { exact: true }).fill(mate.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await shows(ofMate, 'Incorrect email address or password.');
});

test('a viewer sees the pages, and every button that changes something is disabled with the reason', async () => {
  await goTo(page, '/team');
  const viewer = await invite('Viewer');
  page = await browser.openAs(viewer, '/team');
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
