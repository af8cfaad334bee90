import { randomUUID } from 'node:crypto';
import { AdminGetUserCommand, AdminSetUserPasswordCommand } from '@aws-sdk/client-cognito-identity-provider';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { OUTPUTS } from '#contract';
import { type Owner, openOwnerWorkbench } from '../settings/owner-workbench.ts';

const bench = openOwnerWorkbench(Date.parse('2026-11-16T10:00:00Z'));
const UserPoolId = bench.stack.output(OUTPUTS.userPoolId);
const address = () => `member-${randomUUID()}@example.com`;

let owner: Owner;
let me: string;

async function newWorkspace(): Promise<Owner> {
  const { workspaceId } = await bench.administration.createWorkspace({ name: 'Team' });
  return bench.ownerOf(workspaceId);
}

beforeEach(async () => {
  owner = await newWorkspace();
  me = await bench.join(owner.workspaceId, randomUUID(), 'owner');
});

const asMe = () => ({ authorized: { actor: `user:${me}` } });
const invite = (by: Owner, email: string, role = 'viewer') => by.post('/members', { body: { email, role } });

async function members(of = owner): Promise<Record<string, unknown>[]> {
  return (await of.get('/members', asMe())).body.members;
}

async function userOf(email: string) {
  const user = await bench.cognito
    .send(new AdminGetUserCommand({ UserPoolId, Username: email }))
    .catch(() => undefined);
  const attributes = user?.UserAttributes?.map(({ Name, Value }) => [Name, Value]) ?? [];
  return user && Object.fromEntries(attributes);
}

async function itemOf(memberId: string, { workspaceId } = owner) {
  const { Item } = await bench.observer.send(
    new GetCommand({
      TableName: bench.stack.tables.members,
      Key: { workspaceId, memberId },
      ConsistentRead: true,
    }),
  );
  return Item;
}

describe('inviting', () => {
  test("makes a user of the owner's workspace with the mark of an invitation", async () => {
    const email = address();
    const { body } = await invite(owner, email);
    expect(await userOf(email)).toMatchObject({
      sub: body.memberId,
      email,
      'custom:workspace_id': owner.workspaceId,
      'custom:invited': 'yes',
    });
    expect(await itemOf(body.memberId)).toMatchObject({ role: 'viewer', email, v: 1 });
  });

  test('ignores case, and takes nothing but an address and a role', async () => {
    const email = address();
    expect((await invite(owner, email.toUpperCase())).body.email).toBe(email);
    for (const body of [
      {},
      { email },
      { email, role: 'admin' },
      { email: 'nobody', role: 'viewer' },
      { email: 'a b@example.com', role: 'viewer' },
      { email, role: 'viewer', workspaceId: 'ws_other' },
    ]) {
      expect((await owner.post('/members', { body })).status).toBe(400);
    }
  });

  test('an address that another workspace uses looks the same, and changes nothing there', async () => {
    const theirs = await newWorkspace();
    const [taken, free] = [address(), address()];
    const { body: theirMember } = await invite(theirs, taken, 'owner');
    bench.calls.reset();
    bench.clock.now += 1_000;
    const first = await invite(owner, free);
    const callsForFree = bench.calls.commands();
    bench.calls.reset();
    bench.clock.now += 1_000;
    const second = await invite(owner, taken);
    expect(bench.calls.commands()).toEqual(callsForFree);
    expect({ ...second, body: undefined, text: undefined }).toEqual({
      ...first,
      body: undefined,
      text: undefined,
    });
    expect(second.body).toEqual({ memberId: expect.any(String), email: taken, role: 'viewer' });
    expect(second.body.memberId).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.body.memberId).not.toBe(theirMember.memberId);
    const listed = await members();
    expect(listed.map(({ email, status }) => [email, status])).toEqual([
      [`${me}@example.com`, 'active'],
      [free, 'invited'],
      [taken, 'invited'],
    ]);
    // It can be removed like any other, and the user of the other workspace stays.
    expect((await owner.delete(`/members/${second.body.memberId}`)).status).toBe(204);
    expect(await userOf(taken)).toMatchObject({ 'custom:workspace_id': theirs.workspaceId });
    expect(await itemOf(theirMember.memberId, theirs)).toMatchObject({ role: 'owner' });
  });

  test('a member of the own workspace is not invited twice, and keeps the role', async () => {
    const email = address();
    const first = await invite(owner, email, 'owner');
    const second = await invite(owner, email, 'viewer');
    expect(second).toMatchObject({ status: 202, body: { memberId: first.body.memberId, role: 'owner' } });
    expect(await members()).toHaveLength(2);
  });

  test('an invitation whose answer was lost is completed by the next one', async () => {
    const email = address();
    const lost = await bench.users.invite(email, owner.workspaceId);
    const { body } = await invite(owner, email);
    expect(body.memberId).toBe((lost as { userId: string }).userId);
    expect(await members()).toHaveLength(2);
  });

  test('a user of the own workspace who has signed in is not taken over by an invitation', async () => {
    const email = address();
    const made = await bench.users.invite(email, owner.workspaceId);
    const Password = `Aa1!${randomUUID()}`;
    await bench.cognito.send(
      new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password, Permanent: true }),
    );
    expect((await invite(owner, email)).body.memberId).not.toBe((made as { userId: string }).userId);
  });

  test('is possible 20 times per UTC day, also for taken addresses', async () => {
    const email = address();
    for (let n = 0; n < 20; n += 1) expect((await invite(owner, email)).status).toBe(202);
    expect((await owner.get('/members')).body.invitationsLeftToday).toBe(0);
    expect(await invite(owner, address())).toMatchObject({
      status: 429,
      body: {
        type: 'urn:lead-ingest:problem:limit-reached',
        detail: 'A workspace can invite 20 people per day (UTC). Try again tomorrow.',
      },
    });
    expect((await invite(await newWorkspace(), address())).status).toBe(202);
    bench.clock.now += 14 * 60 * 60 * 1000;
    expect((await invite(owner, address())).status).toBe(202);
  });
});

describe('the list', () => {
  test('marks the reader, and shows the members of no other workspace', async () => {
    await bench.join((await newWorkspace()).workspaceId, randomUUID(), 'owner');
    expect(await members()).toEqual([
      expect.objectContaining({ memberId: me, role: 'owner', status: 'active', isYou: true }),
    ]);
    expect((await owner.get('/members')).body.members[0].isYou).toBe(false);
  });
});

describe('removing', () => {
  test('deletes the user and leaves a note, without an address, that refuses the tokens', async () => {
    const email = address();
    const { memberId } = (await invite(owner, email)).body;
    expect((await owner.delete(`/members/${memberId}`)).status).toBe(204);
    expect(await userOf(email)).toBeUndefined();
    const note = await itemOf(memberId);
    expect(note).toEqual({
      workspaceId: owner.workspaceId,
      memberId,
      removedAt: new Date(bench.clock.now).toISOString(),
      expiresAt: Math.floor(bench.clock.now / 1000) + 7 * 24 * 60 * 60,
      v: 1,
    });
    expect(await members()).toHaveLength(1);
    expect((await owner.delete(`/members/${memberId}`)).status).toBe(204);
    expect((await owner.patch(`/members/${memberId}`, { body: { role: 'owner' } })).status).toBe(404);
  });

  test('can be followed by another invitation', async () => {
    const email = address();
    const first = (await invite(owner, email)).body.memberId;
    await owner.delete(`/members/${first}`);
    const second = (await invite(owner, email)).body.memberId;
    expect(second).not.toBe(first);
    expect(await userOf(email)).toMatchObject({ sub: second });
  });

  test.each(['', '#invitations#2026-11-16', 'x'.repeat(300)])('%j is nobody', async (memberId) => {
    await invite(owner, address());
    const at = `/members/${encodeURIComponent(memberId) || 'x'}`;
    expect((await owner.delete(at)).status).toBe(404);
    expect((await owner.patch(at, { body: { role: 'viewer' } })).status).toBe(404);
  });
});

describe('the last owner', () => {
  const LAST = { status: 409, body: { type: 'urn:lead-ingest:problem:conflict' } };

  test('stays one', async () => {
    const viewer = await bench.join(owner.workspaceId, randomUUID(), 'viewer');
    expect(await owner.delete(`/members/${me}`)).toMatchObject(LAST);
    expect(await owner.patch(`/members/${me}`, { body: { role: 'viewer' } })).toMatchObject(LAST);
    expect(await itemOf(me)).toMatchObject({ role: 'owner' });
    expect((await owner.delete(`/members/${viewer}`)).status).toBe(204);
  });

  test('is still the last one beside an owner who has never signed in', async () => {
    await invite(owner, address(), 'owner');
    expect(await owner.delete(`/members/${me}`)).toMatchObject(LAST);
  });

  test('may leave once there is another', async () => {
    await bench.join(owner.workspaceId, randomUUID(), 'owner');
    expect((await owner.patch(`/members/${me}`, { body: { role: 'viewer' } })).status).toBe(200);
    expect((await owner.delete(`/members/${me}`)).status).toBe(204);
  });

  test('is left if two owners remove each other at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const team = await newWorkspace();
      const both = [randomUUID(), randomUUID()];
      for (const each of both) await bench.join(team.workspaceId, each, 'owner');
      const answers = await Promise.all(both.map((each) => team.delete(`/members/${each}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
      expect((await team.get('/members')).body.members).toHaveLength(1);
    }
  });

  test('is left if two owners make each other viewers at the same time', async () => {
    const team = await newWorkspace();
    const both = [randomUUID(), randomUUID()];
    for (const each of both) await bench.join(team.workspaceId, each, 'owner');
    const body = { role: 'viewer' };
    await Promise.all(both.map((each) => team.patch(`/members/${each}`, { body })));
    const { body: listed } = await team.get('/members');
    const roles = listed.members.map(({ role }: { role: string }) => role);
    expect(roles.sort()).toEqual(['owner', 'viewer']);
  });
});

test('addresses are not logged', () => {
  expect(bench.logLines.length).toBeGreaterThan(50);
  expect(bench.logLines.join()).not.toMatch(/@example\.com/i);
});
