import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submissionId, submit, type Tenant } from '../contract/tenant.ts';
import { goTo, settled } from './console.ts';
import { openOwners } from './owners.ts';
import { newForm, untilListed } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const browser = browserForTests();

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

let page: Page;
let form: Tenant;
let leadId: string;

beforeAll(async () => {
  const owners = openOwners();
  const owner = await owners.newOwner(SCRIPT.slice(0, 90));
  form = await newForm(owner.workspaceId, SCRIPT.slice(0, 90));
  await owners.administration.createToken({ formId: form.formId, name: SCRIPT.slice(0, 90) });
  leadId = submissionId(await submit('1b', form, { body: BODY }));
  await untilListed(form, 1);
  page = await browser.openAs(owner);
});

test.each([
  ['the table', () => `/forms/${form.formId}/leads`],
  ['the lead', () => `/forms/${form.formId}/leads/${leadId}`],
  ['the overview', () => '/'],
  ['the forms', () => '/forms'],
  ['the tokens', () => '/tokens'],
])('%s shows a hostile lead as text within its container', async (_, path) => {
  await goTo(page, path());
  await settled(page);
  await page.getByText('<script>').first().waitFor({ state: 'attached' });
  expect(await page.evaluate('window.broken')).toBeUndefined();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
});

test('the lead shows every value in full', async () => {
  await goTo(page, `/forms/${form.formId}/leads/${leadId}`);
  await settled(page);
  const text = await page.locator('body').innerText();
  for (const value of [SCRIPT, EMOJI, FORMULA, 'שלום']) expect(text).toContain(value);
});
