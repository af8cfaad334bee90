import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';
import { openAlerts, untilListed } from './seed-items.ts';

describe('a lead', () => {
  const SCRIPT = '<script>window.broken = true</script><img src=x onerror="window.broken = true">';
  const LONG = 'x'.repeat(10_000);
  const RIGHT_TO_LEFT = 'שלום \u202e gnp.exe';
  const EMOJI = '👩🏽‍🚀🏴󠁧󠁢󠁳󠁣󠁴󠁿';
  const FORMULA = '=HYPERLINK("http://evil.example","click")';

  const BODY = JSON.stringify({
    name: SCRIPT,
    [SCRIPT]: 'as a key',
    long: LONG,
    rtl: RIGHT_TO_LEFT,
    emoji: EMOJI,
    formula: FORMULA,
    nested: { deep: [SCRIPT, { deeper: LONG }] },
  });

  let browser: TestBrowser;
  let page: Page;
  let errors: string[];
  let form: Tenant;
  let leadId: string;

  beforeAll(async () => {
    const owners = openOwners();
    const owner = await owners.newOwner(SCRIPT.slice(0, 90));
    const { workspaceId } = owner;
    const { formId, slug } = await owners.administration.createForm({
      workspaceId,
      name: SCRIPT.slice(0, 90),
    });
    const { secret } = await owners.administration.setSecret({ formId });
    const { token, tokenId } = await owners.administration.createToken({ formId, name: SCRIPT.slice(0, 90) });
    form = { workspaceId, formId, slug, secret, token, tokenId };
    leadId = submissionId(await submit('1b', form, { body: BODY }));
    await untilListed(form, 1);
    browser = await openBrowser();
    page = await browser.newPage();
    errors = watchForErrors(page);
    await openAs(page, owner);
  });
  afterAll(() => browser.close());

  test.each([
    ['the table', () => `/forms/${form.formId}/leads`],
    ['the lead', () => `/forms/${form.formId}/leads/${leadId}`],
    ['the overview', () => '/'],
    ['the forms', () => '/forms'],
    ['the tokens', () => '/tokens'],
  ])('%s shows it as text within its container', async (_, path) => {
    await goTo(page, path());
    await settled(page);
    await page.getByText('<script>').first().waitFor({ state: 'attached' });
    expect(await page.evaluate('window.broken')).toBeUndefined();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
    expect(await seriousFindings(page)).toEqual([]);
  });

  test('the lead shows every value in full', async () => {
    await goTo(page, `/forms/${form.formId}/leads/${leadId}`);
    await settled(page);
    const text = await page.locator('body').innerText();
    for (const value of [SCRIPT, EMOJI, FORMULA, 'שלום']) expect(text).toContain(value);
  });

  test('the export makes the formula harmless', async () => {
    await goTo(page, `/forms/${form.formId}/leads`);
    await settled(page);
    // Browsers without a file picker download the file.
    await page.evaluate('delete window.showSaveFilePicker');
    await page.getByRole('button', { name: /Export/ }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const csv = Buffer.concat(chunks).toString('utf8');
    expect(csv).toContain(LONG);
    expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"",""click"")"`);
  });

  test('the page had no errors', () => {
    expect(errors).toEqual([]);
  });
});

describe('a long form name', () => {
  /** The longest allowed name, without a place to break it. */
  const NAME = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3).slice(0, 100);
  const PAGES = [
    '/',
    '/alerts',
    '/alerts?alert=ALERT',
    '/forms',
    '/tokens',
    '/diagnostics?form=ID',
    '/send-test?form=ID',
    '/forms/ID',
    '/forms/ID/leads',
    '/forms/ID/delivery',
    '/forms?archived=shown',
  ];

  let browser: TestBrowser;
  let page: Page;
  let formId: string;
  let alertId: string;

  beforeAll(async () => {
    const { administration, newOwner } = openOwners();
    const owner = await newOwner();
    const newForm = () => administration.createForm({ workspaceId: owner.workspaceId, name: NAME });
    ({ formId } = await newForm());
    await administration.createToken({ formId, name: NAME });
    const { open, minutesAgo } = openAlerts(owner.workspaceId);
    const facts = { formId, formName: NAME, expectedLeads: 9 };
    ({ alertId } = await open({ kind: 'silence', subject: formId, since: minutesAgo(90), facts }, 5));
    await newForm();
    await administration.archiveForm((await newForm()).formId);
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
    await openAs(page, owner);
  });
  afterAll(() => browser.close());

  test.each(PAGES)('%s does not scroll sideways on a phone', async (path) => {
    await goTo(page, path.replace('ALERT', alertId).replace('ID', formId));
    await settled(page);
    await page.getByText(NAME.slice(0, 20)).first().waitFor({ state: 'attached' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(375);
  });
});
