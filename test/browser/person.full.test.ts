import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { toDocumentClient } from '#aws/dynamodb.ts';
import { makePersonFinder } from '#leads/people/person-store.ts';
import { personKey } from '#leads/search/lead-contact.ts';
import type { Tenant } from '../contract/tenant.ts';
import { localStack } from '../local-stack.ts';
import { until } from '../until.ts';
import { downloadBy, seriousFindings, settled, shows } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { newForm, sendLead } from './seed-items.ts';
import { browserForTests, PHONE } from './shared-browser.ts';

const browser = browserForTests();

const EMAIL = 'ada@analytical-engines.co.uk';
const PHONE_NUMBER = '+44 20 7946 0958';

let owner: TestOwner;
let page: Page;
let forms: Tenant[];
let [first, second, third, friend]: string[] = [];

beforeAll(async () => {
  owner = await openOwners().newOwner();
  const { workspaceId } = owner;
  forms = [];
  for (const name of ['Contact us', 'Newsletter']) {
    forms.push(await newForm(workspaceId, name));
  }
  const [contact, newsletter] = forms as [Tenant, Tenant];
  first = await sendLead(contact, { name: 'Ada Byron', email: EMAIL, phone: PHONE_NUMBER });
  second = await sendLead(newsletter, { name: 'Ada B.', email: ' Ada@Analytical-Engines.co.uk' });
  third = await sendLead(contact, { name: 'Ada King', email: EMAIL });
  await sendLead(contact, {
    name: 'Annabella',
    email: 'annabella@analytical-engines.co.uk',
    phone: PHONE_NUMBER,
  });
  friend = await sendLead(contact, {
    name: 'Charles',
    email: 'charles@difference-engines.co.uk',
    message: `Please also write to ${EMAIL}.`,
  });
  await indexed(workspaceId);
  page = await browser.openAs(owner, inTab(forms[0], first));
});

/** The index follows the leads a moment later. */
async function indexed(workspaceId: string): Promise<void> {
  const { newClient, tables } = localStack();
  const finder = makePersonFinder({ client: toDocumentClient(newClient()), tables });
  const count = async (by: 'email' | 'phone', value: string) => {
    const person = { workspaceId, key: personKey(by, value) };
    const pages = finder.find(person, { consistent: true }, AbortSignal.timeout(60_000));
    return (await pages.next()).value?.leads.length;
  };
  await until(
    async () => [await count('email', EMAIL), await count('phone', PHONE_NUMBER.replace(/\D/g, ''))],
    ([byEmail, byPhone]) => byEmail === 4 && byPhone === 2,
  );
}

const panel = (at = page) => at.getByRole('table', { name: 'Other leads from this person' });
const leadPath = (form: Tenant | undefined, id: string | undefined) => `/forms/${form?.formId}/leads/${id}`;
const inTab = (...of: Parameters<typeof leadPath>) => `${leadPath(...of)}?tab=person`;

test('the lead shows the other leads of its person, newest first, and why', async () => {
  await panel()
    .getByRole('row', { name: /Annabella/ })
    .waitFor();
  const rows = await panel().getByRole('row').allInnerTexts();
  expect(rows.slice(1)).toEqual([
    expect.stringMatching(/Contact us[\s\S]*Annabella[\s\S]*Same phone$/),
    expect.stringMatching(/Contact us[\s\S]*Ada King[\s\S]*Same email$/),
    expect.stringMatching(/Newsletter[\s\S]*Ada B\.[\s\S]*Same email$/),
  ]);
  await settled(page);
  expect(await seriousFindings(page)).toEqual([]);
});

test('a row opens that lead, whichever form it is of', async () => {
  await panel()
    .getByRole('row', { name: /Newsletter/ })
    .getByRole('link')
    .press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Ada B.' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(leadPath(forms[1], second));
  await panel()
    .getByRole('row', { name: /Ada King/ })
    .waitFor();
});

test('everything from the person is exported to a file', async () => {
  const button = page.getByRole('button', { name: 'Export everything from this person' });
  const { name, text } = await downloadBy(page, button);
  expect(name).toBe('person.ndjson');
  const lines = text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).submission_id)).toEqual([third, second, first]);
  await shows(page, /^Exported person\.ndjson/);
});

test('everything from the person is erased after a confirmation, and listed, on a phone', async () => {
  const phone = await browser.openAs(owner, inTab(forms[1], second), PHONE);
  await panel(phone)
    .getByRole('row', { name: /Ada King/ })
    .waitFor();
  await phone.getByRole('button', { name: 'Erase everything from this person' }).click();
  const dialog = phone.getByRole('dialog', { name: 'Erase everything from this person?' });
  await shows(dialog, 'This erases 3 leads with the email address');
  expect((await dialog.getByRole('listitem').allInnerTexts()).sort()).toEqual([
    'Contact us: 2',
    'Newsletter: 1',
  ]);
  await dialog.getByRole('button', { name: 'Cancel' }).last().click();
  await dialog.waitFor({ state: 'detached' });

  await phone.getByRole('button', { name: 'Erase everything from this person' }).click();
  await dialog.getByRole('button', { name: 'Erase everything' }).click();

  const unfinished = phone.getByRole('dialog', { name: 'Not everything is erased yet' });
  await shows(unfinished, '3 leads erased so far.');
  const mentioning = unfinished.getByRole('table', { name: 'Leads that mention the address' });
  expect(await mentioning.getByRole('link').getAttribute('href')).toBe(leadPath(forms[0], friend));
  expect(await mentioning.getByRole('link').getAttribute('target')).toBe('_blank');
  expect(await seriousFindings(phone)).toEqual([]);
  await unfinished.getByRole('button', { name: 'Keep these' }).click();

  const done = phone.getByRole('dialog', { name: 'Erased 3 leads' });
  const check = unfinished.getByRole('button', { name: 'Check again' });
  // Leads of other tests may be waiting for the index: then the owner checks again, until it has caught up.
  const caughtUp = async () => {
    await done.or(check).first().waitFor();
    if (await check.isVisible()) await check.click({ timeout: 1_000 }).catch(() => undefined);
    return done.isVisible();
  };
  expect(await until(caughtUp, Boolean)).toBe(true);
  await shows(done, 'Leads from other people that mention it were kept.', { exact: false });
  const list = done.getByRole('table', { name: 'Erased leads' });
  for (const id of [first, second, third]) await list.getByRole('row', { name: id as string }).waitFor();
  expect(await done.innerText()).not.toContain('ada@');
  expect(await seriousFindings(phone)).toEqual([]);
  const { text } = await downloadBy(phone, done.getByRole('button', { name: 'Download list' }));
  expect(text.split('\r\n')[1]).toContain(third);
  await done.getByRole('button', { name: 'Done' }).click();
  await shows(phone, 'No leads', { exact: false });
  const { pathname, search } = new URL(phone.url());
  expect([pathname, search]).toEqual(['/leads', `?form=${forms[1]?.formId}`]);
});
