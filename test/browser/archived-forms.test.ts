import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { CONSOLE_URL, goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners, type TestOwner } from './owners.ts';
import { untilListed } from './seed-items.ts';

describe('beside active forms', () => {
  let browser: TestBrowser;
  let owner: TestOwner;
  let page: Page;
  let errors: string[];
  let form: Tenant;
  let leadId: string;

  beforeAll(async () => {
    const { administration, newOwner } = openOwners();
    owner = await newOwner();
    const { workspaceId } = owner;
    const { formId, slug } = await administration.createForm({ workspaceId, name: 'Spring fair' });
    await administration.createForm({ workspaceId, name: 'Contact us' });
    await administration.createForm({ workspaceId, name: 'Newsletter' });
    const { secret } = await administration.setSecret({ formId });
    const { token, tokenId } = await administration.createToken({ formId, name: 'Stand 12' });
    form = { workspaceId, formId, slug, secret, token, tokenId };
    leadId = submissionId(await submit('1b', form, {}));
    await untilListed(form, 1);
    browser = await openBrowser();
    page = await browser.newPage();
    errors = watchForErrors(page);
    await openAs(page, owner, '/forms');
  });
  afterAll(() => browser.close());

  const section = (at: Page) => at.getByRole('button', { name: /^Archived forms/ });
  const archivedTable = (at: Page) => at.getByRole('table', { name: 'Archived forms' });
  const leadLink = (at: Page) => at.locator(`a[href*="${leadId}"]`);

  test('archived forms are hidden if there are none, unless the URL asks for them', async () => {
    await page.getByRole('link', { name: 'Leads of Spring fair' }).waitFor();
    await settled(page);
    expect(await section(page).count()).toBe(0);
    await goTo(page, '/forms?archived=shown');
    await shows(page, 'No archived forms.');
    expect(await seriousFindings(page)).toEqual([]);
    await section(page).click();
    await section(page).waitFor({ state: 'detached' });
  });

  test('archiving moves a form to the archived list, where its leads stay available', async () => {
    await page.getByRole('button', { name: 'More actions for Spring fair' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
    await shows(page, 'Form “Spring fair” archived.');
    expect(await archivedTable(page).count()).toBe(0);
    await section(page).click();
    await archivedTable(page).getByRole('link', { name: 'Leads of Spring fair' }).waitFor();
    expect(await page.getByRole('button', { name: 'More actions for Spring fair' }).count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);

    await archivedTable(page).getByRole('link', { name: 'Leads of Spring fair' }).click();
    await shows(page, 'This form is archived');
    await leadLink(page).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('unavailable actions are not offered', async () => {
    const main = page.getByRole('main');
    const dead = main.getByText(/^(Form settings|Delivery settings|Send test|Archive form)$/);
    expect(await dead.count()).toBe(0);
    await leadLink(page).click();
    await page.getByRole('heading', { name: 'Score' }).waitFor();
    await settled(page);
    expect(await page.getByText('Next steps').count()).toBe(0);
    await goTo(page, `/forms/${form.formId}`);
    await shows(page, 'This form is archived');
    await main.getByRole('link', { name: 'Leads', exact: true }).waitFor();
    expect(await dead.count()).toBe(0);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole('link', { name: 'View archived forms' }).click();
    await archivedTable(page).waitFor();
  });

  test('is reachable from the leads of other forms, and its token shows its name', async () => {
    await goTo(page, '/leads');
    await page.getByRole('row').filter({ hasText: 'Spring fair (archived)' }).waitFor();
    await goTo(page, '/forms');
    await page.getByRole('link', { name: 'Leads of Contact us' }).click();
    await shows(page, 'No leads yet');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('button', { name: /^Form / }).click();
    await page.getByRole('option', { name: 'Spring fair (archived)' }).click();
    await leadLink(page).waitFor();
    await goTo(page, '/tokens');
    await page.getByRole('link', { name: 'Spring fair (archived)' }).waitFor();
  });

  test('are found after a reload, also on a phone', async () => {
    const phone = await browser.newPage({
      viewport: { width: 375, height: 812 },
      hasTouch: true,
      isMobile: true,
    });
    const phoneErrors = watchForErrors(phone);
    const path = '/forms?archived=shown';
    for (const at of [page, phone]) {
      // The session survives the reload, and does not exist on the phone.
      if (at === page) await page.goto(CONSOLE_URL + path);
      else await openAs(phone, owner, path);
      await archivedTable(at).getByRole('link', { name: 'Leads of Spring fair' }).waitFor();
      await settled(at);
      expect(await seriousFindings(at)).toEqual([]);
      expect(await at.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await archivedTable(at).getByRole('link', { name: 'Leads of Spring fair' }).click();
      await leadLink(at).waitFor();
      await settled(at);
      expect(await at.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    expect([...errors, ...phoneErrors]).toEqual([]);
  });
});

describe('as the only forms', () => {
  const { administration, newOwner } = openOwners();

  let browser: TestBrowser;
  let owner: TestOwner;
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    owner = await newOwner();
    const { workspaceId } = owner;
    const { formId } = await administration.createForm({ workspaceId, name: 'Spring fair' });
    await administration.createToken({ formId, name: 'Stand 12' });
    await administration.archiveForm(formId);
    browser = await openBrowser();
    page = await browser.newPage();
    errors = watchForErrors(page);
    await openAs(page, owner, '/leads');
  });
  afterAll(() => browser.close());

  test('pages say that there are no forms, not that there never were any', async () => {
    for (const path of ['/leads', '/forms', '/send-test']) {
      await goTo(page, path);
      await shows(page, 'No forms', { exact: true });
      await settled(page);
      expect(
        await page
          .getByRole('main')
          .getByText(/yet|first/)
          .count(),
      ).toBe(0);
      expect(await seriousFindings(page)).toEqual([]);
    }
  });

  test('the tokens page shows the URL even without a new token', async () => {
    await goTo(page, '/tokens');
    await page.getByRole('button', { name: 'Copy URL' }).click();
    const address = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(address).toMatch(/^http.*\/api\/v1\/ingest$/);
    await page.getByRole('button', { name: 'Copy code for curl' }).click();
    const command = await page.evaluate('navigator.clipboard.readText()');
    expect(command).toContain(`'${address}'`);
    await shows(page, "export LEAD_INGEST_TOKEN='YOUR_TOKEN'");
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('going back after creating a form does not reopen the dialog', async () => {
    await goTo(page, '/forms?create=true');
    await page.getByRole('dialog').getByLabel('Name').fill('Contact us');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await shows(page, 'No webhook secret');
    await page.goBack();
    await page.getByRole('link', { name: 'Leads of Contact us' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('the sample has no score, and another body shows how a real lead would score', async () => {
    await page.getByRole('link', { name: 'Delivery settings of Contact us' }).click();
    await page.getByRole('button', { name: 'Generate secret' }).click();
    await page.getByRole('button', { name: 'hide the webhook secret' }).click();
    await goTo(page, '/send-test');
    await page.getByRole('textbox', { name: 'Body' }).waitFor();
    const font = await page.evaluate('getComputedStyle(document.querySelector("textarea")).fontFamily');
    expect(font).toMatch(/mono/i);
    await page.getByRole('button', { name: 'Send test' }).click();
    await shows(page, /Among your leads it is marked as/);
    expect(await page.getByText(/with this body would score/).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Body' }).fill('{"email":"test@test.com"}');
    await page.getByRole('button', { name: 'Send test' }).click();
    await shows(page, /A real lead with this body would score \d of 100/);
    await shows(page, 'Test', { exact: true });
    expect(await page.getByText('Not clean', { exact: true }).count()).toBe(0);
    await page
      .getByText(/^−\d+: .*makes the lead not clean/)
      .first()
      .waitFor();
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('the page of a test lead shows no score either', async () => {
    await page.getByRole('link', { name: 'View lead' }).click();
    await shows(page, /This is a test lead, so it has no score/);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await shows(page, 'Not enriched, because it is a test');
    expect(await page.getByText(/^Score|clean/i).count()).toBe(0);
  });

  test('the forms list shows until when a previous secret works', async () => {
    await goTo(page, '/forms');
    await page.getByRole('link', { name: 'Delivery settings of Contact us' }).click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('button', { name: 'hide the webhook secret' }).click();
    await goTo(page, '/forms');
    await page.getByRole('cell', { name: /The previous secret works until \d/ }).waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
