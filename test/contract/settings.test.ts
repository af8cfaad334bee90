import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { OPERATIONS } from '../lambdas/owner-api/api-document.ts';
import { call, newOwner, type Tokens } from './owner-api.ts';
import { openContract, submissionId, submit, type Tenant } from './tenant.ts';

// The settings API over HTTP, with tokens issued by Cognito.
const contract = openContract();
let mine: Tenant;
let theirs: Tenant;
let me: Tokens;

beforeAll(async () => {
  [mine, theirs] = await Promise.all([contract.newTenant(), contract.newTenant()]);
  me = await newOwner(mine);
});

describe('authorization', () => {
  test.each([
    ['an access token', () => me.access],
    ['changed claims', () => forge(me.id, theirs)],
    ['nonsense', () => 'nonsense'],
  ])('%s gets a 401', async (_, token) => {
    const { status, json } = await call(token(), 'GET', '/workspace');
    expect([status, json.detail]).toEqual([401, 'The ID token has expired or is not valid. Sign in again.']);
  });

  test('no route of the document responds without a token', async () => {
    for (const { method, path } of OPERATIONS) {
      const filled = path.replace('/settings', '').replace(/\{\w+\}/g, 'some-id');
      expect([path, (await call(undefined, method.toUpperCase(), filled)).status]).toEqual([path, 401]);
    }
  });
});

test('the table contains the hash of a token, not the token', async () => {
  const { token } = mine;
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const { Item } = await contract.client.send(
    new GetCommand({ TableName: contract.tables.tokens, Key: { tokenHash } }),
  );
  expect(Item).toMatchObject({ type: 'server', lastFour: token.slice(-4) });
  expect(JSON.stringify(Item)).not.toContain(token.slice('ingt_srv_'.length, 30));
});

test('a lead is exported and erased', async () => {
  const body = '{"email":"grace@harbourlight.co.uk","note":"=1+1","nested":{"a":1}}';
  const id = submissionId(await submit('1b', mine, { body }));
  const csv = await call(me.id, 'GET', `/forms/${mine.formId}/leads/export?format=csv`);
  expect(csv.text.split('\r\n')[0]).toContain('submission_id');
  expect(csv.text).toContain("'=1+1");
  const ndjson = await call(me.id, 'GET', `/forms/${mine.formId}/leads/export?format=ndjson`);
  expect(ndjson.text).toContain(body);
  expect((await call(me.id, 'DELETE', `/leads/${id}`)).status).toBe(204);
  expect((await call(me.id, 'GET', `/leads/${id}`)).status).toBe(404);
});

test('a test submission goes through the webhook endpoint, and its lead is marked as a test', async () => {
  const form = (await call(me.id, 'POST', '/forms', { name: 'Tried out' })).json;
  const at = `/forms/${form.formId}`;
  expect((await call(me.id, 'POST', `${at}/test`)).status).toBe(409);
  const { secret } = (await call(me.id, 'PUT', `${at}/delivery/secret`, {})).json;
  const { json, text } = await call(me.id, 'POST', `${at}/test`, { body: { email: 'ada@example.com' } });
  expect(json).toMatchObject({
    outcome: 'accepted',
    status: 202,
    sent: { url: form.url, bodyText: '{"email":"ada@example.com","_test":true}' },
  });
  expect(text).not.toContain(secret);
  const [row] = (await call(me.id, 'GET', `${at}/leads`)).json.rows;
  expect(row).toMatchObject({ submissionId: json.submissionId, surface: '1b', test: true });
  const lead = (await call(me.id, 'GET', `/leads/${json.submissionId}`)).json;
  expect(lead).toMatchObject({ body: json.sent.bodyText, test: true });
  const deliveries = (await call(me.id, 'GET', '/deliveries')).json.deliveries;
  expect(deliveries).toContainEqual((await call(me.id, 'GET', `${at}/delivery`)).json);
});

/** The token with the claims of another workspace. */
function forge(jwt: string, { workspaceId }: Tenant): string {
  const [header, claims = '', signature] = jwt.split('.');
  const changed = {
    ...JSON.parse(Buffer.from(claims, 'base64url').toString()),
    'custom:workspace_id': workspaceId,
  };
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}
