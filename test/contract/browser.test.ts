import { beforeAll, expect, test } from '@jest/globals';
import { checkedByDocument } from './ingest-api-document.ts';
import {
  allowPages,
  newNonce,
  ORIGIN,
  openContract,
  openPage,
  send,
  submissionId,
  type Tenant,
} from './tenant.ts';

const contract = openContract();
const faults = new Set<string>();
const sendChecked = checkedByDocument(send, faults);
const REJECTED = '{"status":"rejected"}';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await contract.newTenant();
  await allowPages(contract, tenant);
});

test('a page sends a lead once, however often it repeats, and can read the responses', async () => {
  const page = openPage(sendChecked, tenant);
  const nonce = newNonce();
  const responses = [await page.submit(nonce), await page.submit(nonce)];
  expect(new Set(responses.map(submissionId)).size).toBe(1);
  for (const { headers } of responses) expect(headers['access-control-allow-origin']).toBe('*');
  expect(await contract.lead(submissionId(responses[0] ?? noResponse()))).toMatchObject({
    formId: tenant.formId,
    surface: '2',
  });
  expect([...faults]).toEqual([]);
});

test('a page of another origin gets a token and no lead', async () => {
  const response = await openPage(sendChecked, tenant, 'https://evil.example').submit(newNonce());
  expect([response.status, response.body]).toEqual([200, REJECTED]);
  expect(response.headers['access-control-allow-origin']).toBe('*');
  expect([...faults]).toEqual([]);
});

test('a token is no server token', async () => {
  const token = await openPage(send, tenant).mint(newNonce());
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await send({ method: 'POST', path: '/api/v1/ingest', headers, body: '{}' });
  expect([response.status, response.body]).toEqual([200, REJECTED]);
});

test.each(['token', 'submissions'])('the preflight request for %s gets a response', async (route) => {
  const request = {
    method: 'OPTIONS',
    path: `/api/v1/browser/${route}`,
    headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' },
  };
  const { status, headers, body } = await sendChecked(request);
  expect([status, body]).toEqual([204, '']);
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'authorization, content-type',
  });
  expect(headers).not.toHaveProperty('access-control-allow-credentials');
});

test.each([
  ['POST', '/api/v1/ingest'],
  ['OPTIONS', '/api/v1/ingest'],
  ['OPTIONS', '/api/v1/ingest/contact-us'],
  ['GET', '/api/v1/browser/token'],
])('%s %s has no CORS headers', async (method, path) => {
  const { headers } = await send({ method, path, headers: { Origin: ORIGIN } });
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

function noResponse(): never {
  throw new Error('there is no answer');
}
