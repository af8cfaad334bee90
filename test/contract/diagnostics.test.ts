import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { until } from '../until.ts';
import { call, newOwner } from './owner-api.ts';
import { openContract, type Submission, submit, type Tenant } from './tenant.ts';

// What owners see about rejected requests, over HTTP and with the running recorders.
const contract = openContract();
const AUTHENTICATED: Submission = { body: '[]' };
const UNAUTHENTICATED: Submission = { secret: 'whsec_not_the_right_one' };

/** Recording a stranger's rejection gives up after 300 ms: a busy machine may need another one. */
const recorded = (tenant: Tenant, submission: Submission) =>
  until(
    async () => contract.recordOf(await submit('1b', tenant, submission), tenant.workspaceId),
    (record) => record !== undefined,
  );

test('a request id that a client used twice shows both requests', async () => {
  const tenant = await contract.newTenant();
  const owner = (await newOwner(tenant)).id;
  const chosen = randomUUID();
  const headers = { 'x-amzn-RequestId': chosen };
  await recorded(tenant, { ...UNAUTHENTICATED, headers });
  await recorded(tenant, { ...AUTHENTICATED, headers });
  // A request of another workspace with this id must not appear.
  await recorded(await contract.newTenant(), { ...AUTHENTICATED, headers });
  const { status, json } = await call(owner, 'GET', `/diagnostics/requests/${chosen}`);
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
  const { json } = await until(
    () => call(id, 'GET', '/diagnostics?by=minute'),
    (summary) => summary.json.reusedKeys.total > 0,
  );
  expect([json.rejected.total, json.reusedKeys.total]).toEqual([0, 1]);
});
