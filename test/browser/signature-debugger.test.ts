import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { submit, type Tenant } from '../contract/tenant.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { goTo, openAs, seriousFindings, settled, shows, watchForErrors } from './console.ts';
import { openOwners } from './owners.ts';
import { newForm } from './seed-items.ts';

const BODY = '{"name":"Ada Byron"}';
const TYPE = "-H 'Content-Type: application/json'";

let browser: TestBrowser;
let page: Page;
let errors: string[];
let url: string;
let secret: string;
let form: Tenant;

beforeAll(async () => {
  const { administration, newOwner } = openOwners();
  const owner = await newOwner();
  form = await newForm(administration, owner.workspaceId, 'Contact us');
  secret = form.secret;
  browser = await openBrowser();
  page = await browser.newPage();
  errors = watchForErrors(page);
  await openAs(page, owner, `/forms/${form.formId}/delivery`);
  await page.getByRole('button', { name: 'Copy webhook URL' }).click();
  url = (await page.evaluate('navigator.clipboard.readText()')) as string;
});
afterAll(() => browser.close());

function signed() {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return { timestamp, signature: createHmac('sha256', secret).update(`${timestamp}.${BODY}`).digest('hex') };
}

function command(rest: string, to = url): string {
  const { timestamp, signature } = signed();
  return `curl '${to}' -H 'X-SVC-Timestamp: ${timestamp}' -H 'X-SVC-Signature: ${signature}' -d '${BODY}' ${rest}`;
}

const explain = () => page.getByRole('button', { name: 'Check signature' }).click();
const commandField = () => page.getByRole('textbox', { name: 'curl command' });
const verdicts = () => page.getByText(/would be accepted|The signature is correct, but|Rejected:/);

test('empty fields are reported', async () => {
  await explain();
  await shows(page, 'Enter the timestamp.');
  await shows(page, 'Enter the signature.');
  expect(await verdicts().count()).toBe(0);
  expect(await seriousFindings(page)).toEqual([]);
});

test('ignores white space around pasted values, and shows every space of the body', async () => {
  const { timestamp, signature } = signed();
  await page.getByLabel('X-SVC-Timestamp').fill(` ${timestamp} `);
  await page.getByLabel('X-SVC-Signature').fill(`\t${signature} `);
  await page.getByRole('textbox', { name: 'Body' }).fill(BODY);
  expect(await page.evaluate(`getComputedStyle(document.querySelector('textarea')).fontFamily`)).toBe(
    'monospace',
  );
  await explain();
  await shows(page, 'This request would be accepted');
});

test.each([
  ['right', () => command(TYPE), 'This request would be accepted', undefined],
  [
    'no type',
    () => command(''),
    'The signature is correct, but the request will be rejected',
    /Add --header/,
  ],
  [
    '-G',
    () => command(`-G ${TYPE}`),
    'The signature is correct, but the request will be rejected',
    /no body/,
  ],
  [
    'another address',
    () => command(TYPE, `${url}-2`),
    'The signature is correct, but the request goes to another URL',
    /The request goes to/,
  ],
])('a command gets one verdict: %s', async (_, write, headline, reason) => {
  await page.getByRole('button', { name: 'curl command' }).click();
  await commandField().fill(write());
  await explain();
  const shown = verdicts().filter({ visible: true });
  await shown.first().waitFor();
  // A hidden announcement repeats it to screen readers.
  expect(new Set(await shown.allInnerTexts())).toEqual(new Set([headline]));
  if (reason) await shows(page, reason);
});

test('parses the curl snippet and names what to fill in', async () => {
  await page.getByRole('button', { name: 'Copy code for curl' }).click();
  await commandField().fill((await page.evaluate('navigator.clipboard.readText()')) as string);
  await shows(page, 'X-SVC-Timestamp contains $timestamp');
  await shows(page, 'X-SVC-Signature contains $signature');
  await explain();
  await shows(page, 'The command doesn’t contain the whole request.');
  expect(await verdicts().filter({ visible: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Enter values separately' }).click();
  expect(await page.getByLabel('X-SVC-Timestamp').inputValue()).toBe('');
  expect(await page.getByRole('textbox', { name: 'Body' }).inputValue()).toMatch(/^\{".*"\}$/);
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
  expect(await seriousFindings(page)).toEqual([]);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${BODY}`).digest('hex');
  await page.getByLabel('X-SVC-Signature').fill(signature);
  await page.getByRole('textbox', { name: 'Body' }).fill(`${BODY} `);
  await explain();
  await shows(page, `The rejected body had ${BODY.length} bytes, this one has ${BODY.length + 1} bytes.`);
  await page.getByRole('textbox', { name: 'Body' }).fill(BODY);
  await explain();
  await shows(page, 'The body is the one that was rejected, byte for byte.');
  expect(await seriousFindings(page)).toEqual([]);
  expect(errors).toEqual([]);
});
