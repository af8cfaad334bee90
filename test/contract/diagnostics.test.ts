import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { crowd } from '../lambdas/submission/submission-fixture.ts';
import { waitFor } from '../until.ts';
import { call, newOwner } from './owner-api.ts';
import { openContract, rejectRecorded, type Submission, submit, type Tenant } from './tenant.ts';

// What owners see about rejected requests, over HTTP and with the running recorders.
const contract = openContract();
/** More than the events that Diagnostics keeps per minute, for both kinds of senders. */
const FLOOD = 70;

let tenant: Tenant;
let owner: string;
beforeAll(async () => {
  tenant = await contract.newTenant();
  owner = (await newOwner(tenant)).id;
});

const AUTHENTICATED: Submission = { body: '[]' };
const UNAUTHENTICATED: Submission = { secret: 'whsec_not_the_right_one' };

/** Returns the request id. */
const reject = async (submission: Submission, of = tenant) =>
  (await rejectRecorded(contract, '1b', of, submission)).requestId;

const lookUp = (requestId: string) => call(owner, 'GET', `/diagnostics/requests/${requestId}`);

test.each([
  ['authenticated', AUTHENTICATED, 'body_not_object'],
  ['unauthenticated', UNAUTHENTICATED, 'signature_mismatch'],
] as const)(
  'every request of a flood from %s senders is found by its request id',
  async (kind, submission, reason) => {
    const requestIds = await crowd(FLOOD, 4, () => reject(submission));
    const found = await crowd(FLOOD, 4, (index) => lookUp(requestIds[index] as string));
    expect(found.map(({ status, json }) => [status, json.requestId])).toEqual(
      requestIds.map((requestId) => [200, requestId]),
    );
    expect(found[0]?.json).toMatchObject({
      reason,
      formId: tenant.formId,
      authenticated: kind === 'authenticated',
      otherMatches: [],
    });
  },
);

test('a request id that a client used twice shows both requests', async () => {
  const chosen = randomUUID();
  const headers = { 'x-amzn-RequestId': chosen };
  expect(await reject({ ...UNAUTHENTICATED, headers })).toBe(chosen);
  expect(await reject({ ...AUTHENTICATED, headers })).toBe(chosen);
  // A request of another workspace with this id must not appear.
  await reject({ ...AUTHENTICATED, headers }, await contract.newTenant());
  const { status, json } = await lookUp(chosen);
  expect([status, json]).toMatchObject([
    200,
    {
      requestId: chosen,
      reason: 'body_not_object',
      authenticated: true,
      otherMatches: [{ requestId: chosen, reason: 'signature_mismatch', authenticated: false }],
    },
  ]);
  expect(json.otherMatches).toHaveLength(1);
  expect(json.extendedRequestId).not.toBe(json.otherMatches[0].extendedRequestId);
});

test('a key reused with another body is found by request id, and counted separately from rejections', async () => {
  const mine = await contract.newTenant();
  const { id } = await newOwner(mine);
  const headers = { 'X-SVC-Idempotency-Key': randomUUID() };
  const first = await submit('1a', mine, { headers, body: '{"email":"ada@example.com"}' });
  const again = await submit('1a', mine, { headers, body: '{"email":"eve@example.com"}' });
  expect([again.status, again.body]).toEqual([202, first.body]);
  const found = await call(id, 'GET', `/diagnostics/requests/${again.headers['x-amzn-requestid']}`);
  expect(found.json).toMatchObject({
    reason: 'idempotency_key_reused',
    detail: { originalSubmissionId: JSON.parse(first.body).submission_id },
  });
  const { json } = await waitFor(async () => {
    const summary = await call(id, 'GET', '/diagnostics?by=minute');
    return summary.json.reusedKeys.total > 0 && summary;
  });
  expect([json.rejected.total, json.reusedKeys.total]).toEqual([0, 1]);
});

test('the counts catch up, and say how far behind they are', async () => {
  const mine = await contract.newTenant();
  const { id } = await newOwner(mine);
  await reject(AUTHENTICATED, mine);
  const { json } = await waitFor(async () => {
    const summary = await call(id, 'GET', '/diagnostics?by=minute');
    return summary.json.rejected.total > 0 && summary;
  });
  expect(json.rejected.counts).toMatchObject([{ reason: 'body_not_object', authenticated: true, count: 1 }]);
  expect(Date.parse(json.newestCountedAt)).toBeGreaterThanOrEqual(Date.parse(json.newestAt));
});
