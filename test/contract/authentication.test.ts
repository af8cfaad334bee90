import { createHash, createHmac } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { openContract, submissionId, submit } from './tenant.ts';

// Specification: Authentication
const contract = openContract();
const { administration } = contract;
const now = () => String(Math.floor(Date.now() / 1000));

describe('surface 1b', () => {
  test('verifies the raw bytes: a body that is no UTF-8 is signed as it is, and only then found to be no JSON', async () => {
    const tenant = await contract.newTenant();
    const body = Buffer.from([0xff, 0xfe, 0x0d, 0x0a, 0x00, 0x80]);
    const answer = await submit('1b', tenant, { body });
    expect(answer.status).toBe(200);
    expect(await contract.recordOf(answer, tenant.workspaceId)).toMatchObject({
      reason: 'body_invalid_json',
      authenticated: true,
    });
  });

  test('accepts the signature with prefix and in upper case', async () => {
    const tenant = await contract.newTenant();
    const timestamp = now();
    const body = '{"a":1}';
    const hex = createHmac('sha256', tenant.secret).update(`${timestamp}.${body}`).digest('hex');
    for (const signature of [hex, `sha256=${hex}`, hex.toUpperCase(), `sha256=${hex.toUpperCase()}`]) {
      submissionId(await submit('1b', tenant, { body, timestamp, signature }));
    }
    expect((await submit('1b', tenant, { body, timestamp, signature: `SHA256=${hex}` })).status).toBe(200);
  });

  test('refuses a signature over a body that was serialised again', async () => {
    const tenant = await contract.newTenant();
    const timestamp = now();
    const sign = (text: string) =>
      createHmac('sha256', tenant.secret).update(`${timestamp}.${text}`).digest('hex');
    const body = '{ "b": 1, "a": 2 }';
    for (const other of [JSON.stringify(JSON.parse(body)), '{"a":2,"b":1}', `${body}\n`]) {
      expect((await submit('1b', tenant, { body, timestamp, signature: sign(other) })).status).toBe(200);
    }
    submissionId(await submit('1b', tenant, { body, timestamp, signature: sign(body) }));
  });

  test('refuses a valid signature with another timestamp: the timestamp is signed too', async () => {
    const tenant = await contract.newTenant();
    const timestamp = now();
    const signature = createHmac('sha256', tenant.secret).update(`${timestamp}.{}`).digest('hex');
    submissionId(await submit('1b', tenant, { body: '{}', timestamp, signature }));
    const later = String(Number(timestamp) + 1);
    expect((await submit('1b', tenant, { body: '{}', timestamp: later, signature })).status).toBe(200);
  });

  test('has no mode without a signature: a Bearer token does not replace it', async () => {
    const tenant = await contract.newTenant();
    const headers = { 'X-SVC-Signature': null, Authorization: `Bearer ${tenant.token}` };
    expect((await submit('1b', tenant, { headers })).status).toBe(200);
  });

  test('takes a rotated secret at once, and the old one only during a grace period', async () => {
    const tenant = await contract.newTenant();
    submissionId(await submit('1b', tenant));
    const { secret: second } = await administration.rotateSecret({
      formId: tenant.formId,
      graceMilliseconds: 3_600_000,
    });
    submissionId(await submit('1b', tenant));
    submissionId(await submit('1b', tenant, { secret: second }));
    const { secret: third } = await administration.rotateSecret({ formId: tenant.formId });
    expect((await submit('1b', tenant, { secret: second })).status).toBe(200);
    submissionId(await submit('1b', tenant, { secret: third }));
  });
});

describe('surface 1a', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('takes %s for the scheme', async (scheme) => {
    const tenant = await contract.newTenant();
    submissionId(await submit('1a', tenant, { headers: { Authorization: `${scheme} ${tenant.token}` } }));
  });

  test('attributes leads to the form that the token is bound to', async () => {
    const tenant = await contract.newTenant();
    const { formId } = await administration.createForm({ workspaceId: tenant.workspaceId, name: 'Second' });
    const { token } = await administration.createToken({ formId });
    const id = submissionId(await submit('1a', tenant, { token }));
    expect((await contract.lead(id))?.formId).toBe(formId);
  });

  test('finds a token by its hash: the table does not hold the token', async () => {
    const { token } = await contract.newTenant();
    const tokenHash = createHash('sha256').update(token).digest('hex');
    const { Item } = await contract.client.send(
      new GetCommand({ TableName: contract.tables.tokens, Key: { tokenHash } }),
    );
    expect(Item).toMatchObject({ type: 'server', lastFour: token.slice(-4) });
    expect(JSON.stringify(Item)).not.toContain(token.slice('ingt_srv_'.length, 30));
  });
});

describe('what an owner changes holds for the next submission over HTTP, with warm functions', () => {
  test('suspend, resume, deactivate, activate, revoke', async () => {
    const tenant = await contract.newTenant();
    const { workspaceId, formId, tokenId } = tenant;
    const statuses = async () => [(await submit('1a', tenant)).status, (await submit('1b', tenant)).status];
    expect(await statuses()).toEqual([202, 202]);
    await administration.suspendWorkspace(workspaceId);
    expect(await statuses()).toEqual([200, 200]);
    await administration.resumeWorkspace(workspaceId);
    expect(await statuses()).toEqual([202, 202]);
    await administration.setFormActive({ formId, active: false });
    expect(await statuses()).toEqual([200, 200]);
    await administration.setFormActive({ formId, active: true });
    expect(await statuses()).toEqual([202, 202]);
    await administration.revokeToken(tokenId);
    expect(await statuses()).toEqual([200, 202]);
  });
});
