import { createHmac } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submit, type Tenant } from '../contract/tenant.ts';
import { goTo, seriousFindings, settled, shows } from './console.ts';
import { newOwnerWithForm } from './seed-items.ts';
import { browserForTests } from './shared-browser.ts';

const BODY = '{"name":"Ada Byron"}';

const browser = browserForTests();
let page: Page;
let form: Tenant;

beforeAll(async () => {
  const created = await newOwnerWithForm();
  ({ form } = created);
  page = await browser.openAs(created.owner, `/forms/${form.formId}/delivery`);
});

const explain = () => page.getByRole('button', { name: 'Check signature' }).click();

test('empty fields are reported, and white space around pasted values is ignored', async () => {
  await explain();
  await shows(page, 'Enter the timestamp.');
  await shows(page, 'Enter the signature.');
  expect(await seriousFindings(page)).toEqual([]);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', form.secret).update(`${timestamp}.${BODY}`).digest('hex');
  await page.getByLabel('X-SVC-Timestamp').fill(` ${timestamp} `);
  await page.getByLabel('X-SVC-Signature').fill(`\t${signature} `);
  await page.getByRole('textbox', { name: 'Body' }).fill(BODY);
  // So that every space of the body can be seen.
  const font = `getComputedStyle(document.querySelector('textarea')).fontFamily`;
  expect(await page.evaluate(font)).toBe('monospace');
  await explain();
  await shows(page, 'This request would be accepted');
});

test('opens from a rejection with what is known filled in, and compares the body', async () => {
  const timestamp = String(Math.floor(Date.now() / 1000) - 1_000);
  const rejected = await submit('1b', form, { timestamp, body: BODY });
  await goTo(page, `/diagnostics?request=${rejected.headers['x-amzn-requestid']}`);
  await page.getByRole('dialog').getByRole('link', { name: 'Signature debugger of “Contact us”' }).click();
  await shows(page, 'Rejected: Timestamp');
  await shows(page, `${BODY.length} bytes`, { exact: true });
  await settled(page);
  expect(await page.getByLabel('X-SVC-Timestamp').inputValue()).toBe(timestamp);
  const signature = createHmac('sha256', form.secret).update(`${timestamp}.${BODY}`).digest('hex');
  await page.getByLabel('X-SVC-Signature').fill(signature);
  await page.getByRole('textbox', { name: 'Body' }).fill(`${BODY} `);
  await explain();
  await shows(page, `The rejected body had ${BODY.length} bytes, this one has ${BODY.length + 1} bytes.`);
  await page.getByRole('textbox', { name: 'Body' }).fill(BODY);
  await explain();
  await shows(page, 'The body is the one that was rejected, byte for byte.');
});
