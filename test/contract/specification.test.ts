import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStack } from '../../bin/operator/open-stack.ts';
import { casesOf, nameOf } from '../../conformance/row.ts';
import { type Outcome, runCases, SUITE } from '../../conformance/suite.ts';
import { atOnce, openHttp, type SeenResponse } from '../../conformance/world/http.ts';
import { makeThrowAways, openOwnerAccounts } from '../../conformance/world/throw-away.ts';
import { setUpWorld } from '../../conformance/world/world.ts';
import { localStack } from '../local-stack.ts';
import { checkedByDocument } from './ingest-api-document.ts';
import { newNonce, ORIGIN, openContract, openPage, submit } from './tenant.ts';

// The rows that `npm run conformance` runs on a deployment. The full tier runs that command, and also the rows that use
// up the per-minute limit: here limits.test.ts sets the counters instead.
const cases = casesOf(SUITE);
const run = cases.filter(({ row }) => !('skipped' in row) && !('when' in row && row.when === 'burst'));
const faults = new Set<string>();
const outcomes = new Map<string, Outcome>();
let seen: readonly SeenResponse[];

const stack = openStack(localStack().outputsFile);
const http = openHttp(stack.outputs.ingestUrl);
const sources = openHttp(localStack().sourcesUrl);
const accounts = openOwnerAccounts(stack.outputs, atOnce, 'contract');

// All rows at once, like the command: one after the other they would take minutes.
beforeAll(async () => {
  const world = await setUpWorld(stack, makeThrowAways(stack, accounts, 'Contract'), {
    send: checkedByDocument(http.send, faults),
    sendToSources: sources.send,
    inTurn: atOnce,
    gentle: false,
    signal: new AbortController().signal,
  });
  const tried = await runCases(run, world, { quick: true, gentle: false });
  for (const outcome of tried) outcomes.set(nameOf(outcome), outcome);
  seen = world.log.seen();
}, 300_000); // Only a bound on hanging: a busy machine takes minutes.

afterAll(() => {
  http.close();
  sources.close();
  accounts.close();
  stack.client.destroy();
  stack.queueClient.destroy();
});

describe.each([...new Set(run.map(({ section }) => section))])('$title', (section) => {
  const own = run.filter((each) => each.section === section);
  test.each(own.map((each) => ({ name: nameOf(each), rule: each.row.rule })))('$name: $rule', ({ name }) => {
    const { result, message } = outcomes.get(name) as Outcome;
    expect([result, message]).toEqual(['passed', undefined]);
  });
});

test('every row has its own id', () => {
  expect(new Set(cases.map(nameOf)).size).toBe(cases.length);
});

test('the OpenAPI document allows every request that was accepted, and describes every response', () => {
  expect([...faults]).toEqual([]);
});

test('every rejection has the same bytes, and no headers that could tell causes apart', () => {
  const rejections = seen.filter(({ status, retired }) => status === 200 && !retired);
  expect(rejections).toMatchObject([
    { headerNames: 'content-length, content-type', rejection: 'application/json {"status":"rejected"}' },
  ]);
});

const contract = openContract();

describe('a page of any origin', () => {
  test('can read the response, also if it is a rejection', async () => {
    const page = openPage(http.send, await contract.newTenant());
    const { body, headers } = await page.submit(newNonce());
    expect([body, headers['access-control-allow-origin']]).toEqual(['{"status":"rejected"}', '*']);
  });

  test.each([
    ['POST', '/api/v1/ingest'],
    ['OPTIONS', '/api/v1/ingest'],
    ['OPTIONS', '/api/v1/ingest/contact-us'],
    ['GET', '/api/v1/browser/token'],
  ])('cannot read the response to %s %s', async (method, path) => {
    const { headers } = await http.send({ method, path, headers: { Origin: ORIGIN } });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('the ingest API and the API of providers', () => {
  const REFUSED = [503, '{"status":"rejected"}'];

  test('do not know the paths of each other', async () => {
    const { token } = await contract.newTenant();
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const request = { method: 'POST', headers, body: '{"email":"ada@example.com"}' };
    const { status, body } = await http.send({ ...request, path: '/sources/v1' });
    expect([status, body]).toEqual([200, '{"status":"rejected"}']);
    const other = await sources.send({ ...request, path: '/api/v1/ingest' });
    expect([other.status, other.body]).toEqual(REFUSED);
  });

  test('the latter refuses a body that no function can take with 503', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(5_000_000) });
    const headers = { 'Content-Type': 'application/json' };
    const large = await sources.send({ method: 'POST', path: '/sources/v1/contact', headers, body });
    expect([large.status, large.body]).toEqual(REFUSED);
  });
});

describe.each(['1a', '1b'] as const)('on surface %s', (surface) => {
  test.each(['minute', 'day'] as const)(
    'a submission beyond the limit per %s gets the opaque rejection and is recorded',
    async (window) => {
      const tenant = await contract.newTenant();
      await contract.exhaust(tenant, surface, window);
      const response = await submit(surface, tenant);
      expect([response.status, response.body]).toEqual([200, '{"status":"rejected"}']);
      expect(await contract.recordOf(response, tenant.workspaceId)).toMatchObject({
        reason: `rate_limited_${window}`,
        surface,
        formId: tenant.formId,
      });
      expect(await contract.leadIds(tenant)).toEqual([]);
    },
  );
});
