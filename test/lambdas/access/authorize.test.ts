import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { makeApiKeyLookup } from '#access/api-keys-store.ts';
import { makeAuthorize } from '#access/authorize/handler.ts';
import type { IdToken } from '#access/id-tokens-store.ts';
import { makeMemberLookup } from '#access/members-store.ts';
import { memberIdOf } from '#owner-api/principal.ts';
import { openContract } from '../../contract/tenant.ts';
import { localStack } from '../../local-stack.ts';
import { itemAt, setAttributes } from '../../stored-items.ts';

const { tables } = localStack();
const { administration, client } = openContract();
const NOW = Date.parse('2026-11-16T12:00:00Z');
const logLines: string[] = [];
const { workspaceId } = await administration.createWorkspace({ name: 'Access' });

/** Asks for the owner of a token that has been verified. */
function authorize(verify: (text: string) => Promise<IdToken | undefined>, authorization: string) {
  const lookUp = makeAuthorize({
    idTokens: { verify },
    members: makeMemberLookup({ client, tables, now: () => NOW }),
    apiKeys: makeApiKeyLookup({ client, tables, now: () => NOW }),
    write: (line) => void logLines.push(line),
  });
  return lookUp({ headers: { authorization }, requestContext: { requestId: 'r' } });
}

async function ask(token: IdToken | undefined, header = 'Bearer the-token') {
  const seen: string[] = [];
  const verify = async (text: string) => {
    seen.push(text);
    return token;
  };
  return { ...(await authorize(verify, header)), seen };
}

function tokenOf(changes: Partial<IdToken> = {}): IdToken {
  return { userId: randomUUID(), workspaceId, email: 'ada@example.com', invited: false, ...changes };
}

const memberItem = (memberId: string) => itemAt(client, tables.members, { workspaceId, memberId });

async function put(item: Record<string, unknown>) {
  await client.send(new PutCommand({ TableName: tables.members, Item: { workspaceId, ...item } }));
}

const REFUSED = { isAuthorized: true, context: { refusal: expect.any(String) } };

describe('an owner whom an operator made', () => {
  test('becomes a member with the first request, and the token says who they are', async () => {
    const token = tokenOf();
    expect(await ask(token)).toMatchObject({
      isAuthorized: true,
      context: {
        workspaceId,
        actor: `user:${memberIdOf(workspaceId, token.userId)}`,
        actorName: token.email,
        role: 'owner',
      },
    });
    expect(await memberItem(token.userId)).toEqual({
      workspaceId,
      memberId: token.userId,
      role: 'owner',
      email: token.email,
      joinedAt: '2026-11-16T12:00:00.000Z',
      v: 1,
    });
  });

  test('is the same member in simultaneous first requests', async () => {
    const token = tokenOf();
    const responses = await Promise.all(Array.from({ length: 8 }, () => ask(token)));
    expect(responses.map(({ isAuthorized }) => isAuthorized)).toEqual(Array(8).fill(true));
  });

  test('becomes none in a workspace that does not exist', async () => {
    const token = tokenOf({ workspaceId: 'ws_gone' });
    expect(await ask(token)).toMatchObject(REFUSED);
  });

  test('becomes none in a workspace that is being offboarded, which must end empty', async () => {
    const going = await administration.createWorkspace({ name: 'Going' });
    const offboarding = { status: 'suspended', offboardingSince: NOW };
    await setAttributes(client, tables.workspaces, { workspaceId: going.workspaceId }, offboarding);
    expect(await ask(tokenOf({ workspaceId: going.workspaceId }))).toMatchObject(REFUSED);
  });

  test('keeps access while the workspace is suspended', async () => {
    const { workspaceId: suspended } = await administration.createWorkspace({ name: 'Suspended' });
    await administration.suspendWorkspace(suspended);
    expect(await ask(tokenOf({ workspaceId: suspended }))).toMatchObject({ isAuthorized: true });
  });
});

describe('somebody who was invited', () => {
  test('has the role of the invitation, and joins with the first request', async () => {
    const token = tokenOf({ invited: true });
    await put({ memberId: token.userId, role: 'viewer', email: token.email, invitedAt: 'then' });
    expect(await ask(token)).toMatchObject({ isAuthorized: true, context: { role: 'viewer' } });
    const joined = await memberItem(token.userId);
    expect(joined).toMatchObject({ role: 'viewer', joinedAt: '2026-11-16T12:00:00.000Z' });
  });

  test('has no access without an item: a lost table makes nobody an owner', async () => {
    const token = tokenOf({ invited: true });
    expect(await ask(token)).toMatchObject(REFUSED);
    expect(await memberItem(token.userId)).toBeUndefined();
  });

  test('reaches no workspace but the one of the token', async () => {
    const { workspaceId: other } = await administration.createWorkspace({ name: 'Other' });
    const token = tokenOf({ invited: true });
    await put({ memberId: token.userId, role: 'owner', email: token.email });
    expect(await ask({ ...token, workspaceId: other })).toMatchObject(REFUSED);
  });
});

test.each([false, true])('a removed member is refused at once (invited: %s)', async (invited) => {
  const token = tokenOf({ invited });
  await put({ memberId: token.userId, role: 'owner', email: token.email });
  expect(await ask(token)).toMatchObject({ isAuthorized: true });
  await put({ memberId: token.userId, removedAt: 'now' });
  expect(await ask(token)).toMatchObject(REFUSED);
  expect(await memberItem(token.userId)).toEqual({ workspaceId, memberId: token.userId, removedAt: 'now' });
});

test.each(['', 'bearer ', 'Bearer ', 'BEARER  '])('the token may follow %j', async (prefix) => {
  expect((await ask(undefined, `${prefix}abc`)).seen).toEqual(['abc']);
});

test('no valid token, no access, and no read of a table', async () => {
  expect(await ask(undefined)).toMatchObject(REFUSED);
  expect(logLines.at(-1)).toBe(
    '{"level":"INFO","code":"access.refused","requestId":"r","reason":"invalid_token"}',
  );
});

test('a failure is an error without the message of its cause, and nobody gets in', async () => {
  const asked = authorize(() => Promise.reject(new Error('secret detail')), 'Bearer the-token');
  await expect(asked).rejects.toThrow('The authorizer failed');
  expect(JSON.parse(logLines.at(-1) ?? '')).toMatchObject({ level: 'ERROR', code: 'access.defect' });
});

test('neither a token nor an address is logged', () => {
  expect(logLines.length).toBeGreaterThan(3);
  expect(logLines.join()).not.toMatch(/the-token|ada@|secret detail/);
});

test('a member item that was deleted by hand is made again for an owner of an operator', async () => {
  const token = tokenOf();
  await ask(token);
  const Key = { workspaceId, memberId: token.userId };
  await client.send(new DeleteCommand({ TableName: tables.members, Key }));
  expect(await ask(token)).toMatchObject({ context: { role: 'owner' } });
});
