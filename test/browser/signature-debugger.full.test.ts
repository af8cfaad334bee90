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

const now = () => Math.floor(Date.now() / 1000);
const sign = (timestamp: string, body = BODY) =>
  createHmac('sha256', form.secret).update(`${timestamp}.${body}`).digest('hex');
const explain = () => page.getByRole('button', { name: 'Check signature' }).click();

test('empty fields are reported, and white space around pasted values is ignored', async () => {
  await explain();
  await shows(page, 'Enter the timestamp.');
  await shows(page, 'Enter the signature.');
  expect(await seriousFindings(page)).toEqual([]);
  const timestamp = String(now());
  await page.getByLabel('X-SVC-Timestamp').fill(` ${timestamp} `);
  await page.getByLabel('X-SVC-Signature').fill(`\t${sign(timestamp)} `);
  await page.getByRole('textbox', { name: 'Body' }).fill(BODY);
  // So that every space of the body can be seen.
  const font = `getComputedStyle(document.querySelector('textarea')).fontFamily`;
  expect(await page.evaluate(font)).toBe('monospace');
  await explain();
  await shows(page, 'This request would be accepted');
});

test('a curl command whose body was serialized again after signing is explained', async () => {
  const timestamp = String(now());
  const headers = `-H 'X-SVC-Timestamp: ${timestamp}' -H 'X-SVC-Signature: ${sign(timestamp)}'`;
  const url = `http://127.0.0.1/api/v1/ingest/${form.slug}`;
  await page.getByRole('button', { name: 'curl command' }).click();
  const command = page.getByRole('textbox', { name: 'curl command' });
  await command.fill(`curl '${url}' ${headers} --data-raw '{"name": "Ada Byron"}'`);
  await explain();
  await shows(page, /serialized again|different spacing/i);
});

test('opens from a rejection with what is known filled in, and compares the body', async () => {
  const timestamp = String(now() - 1_000);
  const rejected = await submit('1b', form, { timestamp, body: BODY });
  await goTo(page, `/diagnostics?request=${rejected.headers['x-amzn-requestid']}`);
  await page.getByRole('dialog').getByRole('link', { name: 'Signature debugger of “Contact us”' }).click();
  await shows(page, 'Rejected: Timestamp');
  await shows(page, `${BODY.length} bytes`, { exact: true });
  await settled(page);
  expect(await page.getByLabel('X-SVC-Timestamp').inputValue()).toBe(timestamp);
  await page.getByLabel('X-SVC-Signature').fill(sign(timestamp));
  await page.getByRole('textbox', { name: 'Body' }).fill(`${BODY} `);
  await explain();
  await shows(page, `The rejected body had ${BODY.length} bytes, this one has ${BODY.length + 1} bytes.`);
  await page.getByRole('textbox', { name: 'Body' }).fill(BODY);
  await explain();
  await shows(page, 'The body is the one that was rejected, byte for byte.');
});
