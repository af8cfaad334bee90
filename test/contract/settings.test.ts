import { createHash, createHmac } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { memberIdOf } from '../../lambdas/owner-api/principal.ts';
import { messageId } from '../../lambdas/sending/message.ts';
import { makeStoredAlerts } from '../lambdas/alerts/stored-alerts.ts';
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
  test('an owner reads their own workspace with the ID token', async () => {
    const { status, json } = await call(me.id, 'GET', '/workspace');
    expect([status, json.workspaceId]).toEqual([200, mine.workspaceId]);
  });

  test.each([
    ['an access token', () => me.access],
    ['changed claims', () => forge(me.id, { 'custom:workspace_id': theirs.workspaceId })],
    ['alg none', () => unsigned(me.id)],
    ['a self-signed token', () => selfSigned(me.id)],
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

describe('an id of another workspace', () => {
  test('gets the same response as an unknown id, on every route that takes one', async () => {
    const lead = submissionId(await submit('1a', theirs));
    const ids: Record<string, string> = {
      formId: theirs.formId,
      tokenId: theirs.tokenId,
      leadId: lead,
      requestId: lead,
      ...(await destinationOf(theirs, lead)),
      memberId: memberIdOf(theirs.workspaceId, decodeJwt((await newOwner(theirs)).id).sub ?? ''),
      keyId: await apiKeyOf(theirs),
      alertId: (await makeStoredAlerts(contract).open(theirs.workspaceId, { at: Date.now() })).alertId,
    };
    const bodies: Record<string, unknown> = { PATCH: { name: 'Taken over' }, PUT: {}, POST: {} };
    for (const { method, path } of OPERATIONS.filter((each) => each.path.includes('{'))) {
      const verb = method.toUpperCase();
      const fill = (value: (name: string) => string) =>
        path.replace('/settings', '').replace(/\{(\w+)\}/g, (_, name: string) => value(name));
      const foreign = await call(
        me.id,
        verb,
        fill((name) => ids[name] ?? ''),
        bodies[verb],
      );
      const unknown = await call(
        me.id,
        verb,
        fill((name) => `${(ids[name] ?? '').slice(0, -1)}0`),
        bodies[verb],
      );
      expect([path, foreign.status, foreign.text]).toEqual([path, unknown.status, unknown.text]);
      expect(foreign.status === 404 || foreign.status === 400).toBe(true);
    }
    expect((await submit('1a', theirs)).status).toBe(202);
    expect(await contract.lead(lead)).toBeDefined();
  });
});

async function apiKeyOf(tenant: Tenant): Promise<string> {
  const { id } = await newOwner(tenant);
  const body = { name: 'Theirs', scopes: ['leads:read'] };
  return (await call(id, 'POST', '/api-keys', body)).json.keyId;
}

/** Cognito's id of the owner, who becomes a member with the first request. */

/** Slack, because its address is not resolved when it is saved; and paused, so that nothing is sent. */
async function destinationOf(tenant: Tenant, leadId: string) {
  const { id } = await newOwner(tenant);
  const url = 'https://hooks.slack.com/services/T000/B000/none';
  const { destinationId } = (await call(id, 'POST', '/destinations', { kind: 'slack', url })).json;
  await call(id, 'PATCH', `/destinations/${destinationId}`, { status: 'paused' });
  return { destinationId, messageId: messageId({ destinationId, leadId, type: 'lead.accepted' }) };
}

describe('changes of an owner apply to the next submission', () => {
  test('creating a form, secret and token; rotating, revoking and archiving', async () => {
    const form = (await call(me.id, 'POST', '/forms', { name: 'Quotes' })).json;
    const secret = (await call(me.id, 'PUT', `/forms/${form.formId}/delivery/secret`, {})).json.secret;
    const token = (await call(me.id, 'POST', '/tokens', { formId: form.formId, name: 'CRM' })).json;
    const sender = { ...mine, formId: form.formId, slug: form.slug, secret, token: token.token };
    const statuses = async () => [(await submit('1a', sender)).status, (await submit('1b', sender)).status];
    expect(await statuses()).toEqual([202, 202]);

    const rotated = await call(me.id, 'POST', `/forms/${form.formId}/delivery/rotate`, {
      graceSeconds: 3600,
    });
    expect(await statuses()).toEqual([202, 202]);
    expect((await submit('1b', { ...sender, secret: rotated.json.secret })).status).toBe(202);
    expect(
      (await call(me.id, 'DELETE', `/forms/${form.formId}/delivery/previous-secret`)).status,
    ).toBeLessThan(300);
    expect(await statuses()).toEqual([202, 200]);

    expect((await call(me.id, 'DELETE', `/tokens/${token.tokenId}`)).status).toBeLessThan(300);
    expect(await statuses()).toEqual([200, 200]);
    expect((await call(me.id, 'POST', `/forms/${form.formId}/archive`)).status).toBeLessThan(300);
    expect((await submit('1b', { ...sender, secret: rotated.json.secret })).status).toBe(200);
  });

  test('secrets and tokens are shown only once', async () => {
    const seen: string[] = [];
    for (const path of ['/forms', '/tokens', `/forms/${mine.formId}/delivery`])
      seen.push((await call(me.id, 'GET', path)).text);
    for (const secret of [mine.secret, mine.token]) expect(seen.join()).not.toContain(secret);
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
});

describe('leads and reasons', () => {
  test('a lead is listed, read, exported and erased', async () => {
    const body = '{"email":"grace@harbourlight.co.uk","note":"=1+1","nested":{"a":1}}';
    const id = submissionId(await submit('1b', mine, { body }));
    const page = (await call(me.id, 'GET', `/forms/${mine.formId}/leads?limit=5`)).json;
    expect(page.columns).toEqual(expect.arrayContaining(['email', 'note']));
    expect(page.columns).not.toContain('nested');
    const whole = await call(me.id, 'GET', `/leads/${id}`);
    expect(whole.text).toContain(JSON.stringify(body));

    const csv = await call(me.id, 'GET', `/forms/${mine.formId}/leads/export?format=csv`);
    expect(csv.text.split('\r\n')[0]).toContain('submission_id');
    expect(csv.text).toContain("'=1+1");
    const ndjson = await call(me.id, 'GET', `/forms/${mine.formId}/leads/export?format=ndjson`);
    expect(ndjson.text).toContain(body);

    expect((await call(me.id, 'DELETE', `/leads/${id}`)).status).toBeLessThan(300);
    expect((await call(me.id, 'GET', `/leads/${id}`)).status).toBe(404);
  });

  test('a rejection is found by the request id of the response, with the likely mistake', async () => {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', mine.secret).update('{}').digest('hex');
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const response = await submit('1b', mine, { body: '{}', timestamp, signature });
      const found = await call(me.id, 'GET', `/diagnostics/requests/${response.headers['x-amzn-requestid']}`);
      // Recording gives up after 300 ms: a busy machine may need another try.
      if (found.status !== 200) continue;
      expect(found.json).toMatchObject({
        reason: 'signature_mismatch',
        detail: { likelyMistake: 'message_body_alone' },
      });
      const debugged = await call(me.id, 'POST', `/forms/${mine.formId}/delivery/debug`, {
        timestamp,
        signature,
        bodyBase64: Buffer.from('{}').toString('base64'),
      });
      expect(JSON.stringify(debugged.json)).toContain('message_body_alone');
      expect(debugged.text).not.toContain(mine.secret);
      return;
    }
    throw new Error('the rejection was not recorded');
  });

  test('bad requests say which field is wrong', async () => {
    const { status, contentType, text } = await call(me.id, 'POST', '/forms', { nmae: 'typo' });
    expect([status, contentType]).toEqual([400, expect.stringContaining('application/problem+json')]);
    expect(text).toContain('nmae');
  });
});

describe('a test submission from the settings area', () => {
  test('goes through the webhook endpoint, and its lead is marked as a test', async () => {
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

  test.each<[reason: string, cause: (tenant: Tenant, token: string) => Promise<unknown>]>([
    ['form_inactive', ({ formId }, token) => call(token, 'PATCH', `/forms/${formId}`, { active: false })],
    ['workspace_suspended', ({ workspaceId }) => contract.administration.suspendWorkspace(workspaceId)],
    ['rate_limited_minute', (tenant) => contract.exhaust(tenant, '1b', 'minute')],
  ])('that is rejected as %s is found by its request id', async (reason, cause) => {
    const tenant = await contract.newTenant();
    const { id: token } = await newOwner(tenant);
    await cause(tenant, token);
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const { json } = await call(token, 'POST', `/forms/${tenant.formId}/test`);
      expect(json).toMatchObject({ outcome: 'rejected', status: 200, requestId: expect.any(String) });
      const found = await call(token, 'GET', `/diagnostics/requests/${json.requestId}`);
      // Recording gives up after 300 ms: a busy machine may need another try.
      if (found.status !== 200) continue;
      expect(found.json).toMatchObject({ reason, formId: tenant.formId, userAgent: 'lead-ingest-test' });
      return;
    }
    throw new Error('the rejection was not recorded');
  });
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());

function forge(jwt: string, claims: Record<string, unknown>): string {
  const [header, , signature] = jwt.split('.');
  return [header, part({ ...claimsOf(jwt), ...claims }), signature].join('.');
}

function unsigned(jwt: string): string {
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claimsOf(jwt))}.`;
}

/** HS256 with a known key, such as the public key of the pool. */
function selfSigned(jwt: string): string {
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claimsOf(jwt))}`;
  return `${signed}.${createHmac('sha256', 'guess').update(signed).digest('base64url')}`;
}
