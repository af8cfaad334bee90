import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openStack } from '../../bin/operator/open-stack.ts';
import { casesOf, nameOf } from '../../conformance/row.ts';
import { type Outcome, runCases, SUITE } from '../../conformance/suite.ts';
import { atOnce, openHttp, type SeenResponse } from '../../conformance/world/http.ts';
import { makeThrowAways, openOwnerAccounts } from '../../conformance/world/throw-away.ts';
import { setUpWorld } from '../../conformance/world/world.ts';
import { LIMITS } from '../../lambdas/model/limits.ts';
import { localStack } from '../local-stack.ts';
import { until } from '../until.ts';
import { checkedByDocument } from './ingest-api-document.ts';
import { openContract, rejectRecorded, submissionId, submit } from './tenant.ts';

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
});

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

// How a URL is parsed is up to API Gateway, so a live stack is not tested for these.
describe('unusual slugs', () => {
  test.each([
    ['%00', '%00'],
    ['a NUL within', 'contact%00-5af3'],
    ['..', '..'],
    ['../ encoded', '..%2F..%2Fetc'],
    ['a slash encoded', 'a%2Fb'],
    ['broken percent-encoding', '%E0%A4%A'],
    ['a lone percent sign', '%'],
    ['2,000 characters', 'x'.repeat(2_000)],
    ['UTF-8', '%F0%9F%9A%80'],
    ['white space', '%20'],
    ['nothing', ''],
  ])('a slug of %s gets the opaque rejection', async (_, slug) => {
    const { status, body } = await submit('1b', await contract.newTenant(), { slug });
    expect([status, body]).toEqual([200, '{"status":"rejected"}']);
  });

  test('a slug may be percent-encoded even if it need not be', async () => {
    const tenant = await contract.newTenant();
    const [first = '', ...rest] = tenant.slug;
    const slug = `%${first.charCodeAt(0).toString(16)}${rest.join('')}`;
    submissionId(await submit('1b', tenant, { slug }));
  });
});

test('the limits are those of the specification', () => {
  expect(LIMITS).toMatchObject({ submissionsPerMinute: 1_000, submissionsPerDay: 50_000 });
});

describe.each(['1a', '1b'] as const)('on surface %s', (surface) => {
  test.each(['minute', 'day'] as const)(
    'a submission beyond the limit per %s gets the opaque rejection and is recorded',
    async (window) => {
      const tenant = await contract.newTenant();
      await contract.exhaust(tenant, surface, window);
      const { record } = await rejectRecorded(contract, surface, tenant);
      expect(record).toMatchObject({ reason: `rate_limited_${window}`, surface, formId: tenant.formId });
      expect(await contract.leadIds(tenant)).toEqual([]);
    },
  );

  test('a full minute leaves the other surface open', async () => {
    const tenant = await contract.newTenant();
    await contract.exhaust(tenant, surface, 'minute');
    expect((await submit(surface, tenant)).status).toBe(200);
    expect((await submit(surface === '1a' ? '1b' : '1a', tenant)).status).toBe(202);
  });
});

test('Diagnostics counts rate limits separately from all other reasons', async () => {
  const tenant = await contract.newTenant();
  await submit('1a', tenant, { body: '[]' });
  await contract.exhaust(tenant, '1a', 'minute');
  await submit('1a', tenant);
  const reasons = async (prefix: string) => {
    const read = () => contract.diagnostics(tenant.workspaceId, prefix);
    const counters = await until(read, (found) => found.length > 0);
    return new Set(counters.map(({ sk }) => String(sk).split('#').at(-2)));
  };
  expect(await reasons('limited#')).toEqual(new Set(['rate_limited_minute']));
  expect(await reasons('rejected#')).toEqual(new Set(['body_not_object']));
});
