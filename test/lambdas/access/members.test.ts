import { randomUUID } from 'node:crypto';
import { AdminSetUserPasswordCommand } from '@aws-sdk/client-cognito-identity-provider';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { restOfStep } from '#access/members/handler.ts';
import { memberIdOf } from '#owner-api/principal.ts';
import { until } from '../../until.ts';
import type { Owner, Responded } from '../owner-api/owner-fixture.ts';
import { address, openTeamFixture } from './team-fixture.ts';

const fixture = openTeamFixture();
const { parties, invite, members, userOf, itemOf, newOwner, UserPoolId } = fixture;

const newOwners = ({ workspaceId }: Owner, count: number) =>
  Promise.all(Array.from({ length: count }, () => fixture.join(workspaceId, randomUUID(), 'owner')));

interface Key {
  readonly keyId: string;
  readonly revokedAt?: string;
}

const keys = async (): Promise<Key[]> => (await parties.owner.get('/api-keys')).body.apiKeys;

/** Such keys have the address of the owner who made them, and no id. */
async function keyOfEarlierVersion(createdBy: string): Promise<string> {
  const keyId = `key_${randomUUID()}`;
  const { workspaceId } = parties.owner;
  const record = {
    keyHash: randomUUID(),
    workspaceId,
    keyId,
    name: 'Old',
    scopes: ['stats:read'],
    createdBy,
  };
  const Item = { ...record, createdAt: '2026-01-01T00:00:00.000Z', v: 1 };
  await fixture.observer.send(new PutCommand({ TableName: fixture.stack.tables.apiKeys, Item }));
  return keyId;
}

describe('the list', () => {
  test('marks the reader, and shows the members of no other workspace', async () => {
    await fixture.join((await newOwner()).workspaceId, randomUUID(), 'owner');
    expect(await members()).toEqual([
      expect.objectContaining({ memberId: parties.me, role: 'owner', status: 'active', isYou: true }),
    ]);
    expect((await parties.owner.get('/members')).body.members[0].isYou).toBe(false);
  });
});

describe('removing', () => {
  test('deletes the user, who can be invited again, and leaves a note without an address that refuses the tokens', async () => {
    const email = address();
    const { memberId } = (await invite(parties.owner, email)).body;
    const userId = (await userOf(email))?.sub;
    expect((await parties.owner.delete(`/members/${memberId}`)).status).toBe(200);
    expect(await userOf(email)).toBeUndefined();
    const note = await itemOf(memberId);
    expect(note).toEqual({
      workspaceId: parties.owner.workspaceId,
      memberId: userId,
      removedAt: new Date(fixture.clock.now).toISOString(),
      expiresAt: Math.floor(fixture.clock.now / 1000) + 7 * 24 * 60 * 60,
      v: 1,
    });
    expect(await members()).toHaveLength(1);
    expect((await parties.owner.delete(`/members/${memberId}`)).status).toBe(200);
    expect((await parties.owner.patch(`/members/${memberId}`, { body: { role: 'owner' } })).status).toBe(404);
    const again = (await invite(parties.owner, email)).body.memberId;
    expect(again).not.toBe(memberId);
    expect(memberIdOf(parties.owner.workspaceId, (await userOf(email))?.sub)).toBe(again);
  });

  test('lists the API keys that the member made, and revokes them if asked', async () => {
    const { owner } = parties;
    const userId = randomUUID();
    const mate = { authorized: { actor: `user:${await fixture.join(owner.workspaceId, userId, 'owner')}` } };
    const memberId = mate.authorized.actor.slice('user:'.length);
    const body = { name: 'Zapier', scopes: ['leads:read'] };
    const { apiKey, ...made } = (await owner.post('/api-keys', { body, ...mate })).body;
    const earlier = await keyOfEarlierVersion(`${userId}@EXAMPLE.com`);
    const revoked = (await owner.post('/api-keys', { body, ...mate })).body.keyId;
    await owner.post('/api-keys', { body });
    await until(keys, (listed) => listed.length === 4);
    await owner.delete(`/api-keys/${revoked}`);

    const kept = await owner.delete(`/members/${memberId}`);
    expect(kept.body.apiKeys.map(({ keyId }: { keyId: string }) => keyId).sort()).toEqual(
      [made.keyId, earlier].sort(),
    );
    expect(kept.body).toMatchObject({ memberId, apiKeys: expect.arrayContaining([made]) });
    expect((await keys()).filter(({ revokedAt }) => revokedAt === undefined)).toHaveLength(3);
    // The address is gone by now, by which the key of the earlier version was found.
    const { body: done } = await owner.delete(`/members/${memberId}`, { query: { revokeApiKeys: 'true' } });
    expect(done.apiKeys).toEqual([{ ...made, revokedAt: new Date(fixture.clock.now).toISOString() }]);
    const { activity } = (await owner.get('/activity')).body;
    expect(activity).toContainEqual(
      expect.objectContaining({
        action: 'DELETE /settings/api-keys/{keyId}',
        targets: { keyId: made.keyId },
      }),
    );
  });

  test('finds the keys of earlier versions again after an interruption', async () => {
    const { owner } = parties;
    const userId = randomUUID();
    const memberId = await fixture.join(owner.workspaceId, userId, 'viewer');
    const keyId = await keyOfEarlierVersion(`${userId}@example.com`);
    await until(keys, (listed) => listed.length === 1);
    fixture.calls.injectBefore((command, input) => {
      const isKey = (input as { TableName?: string }).TableName === fixture.stack.tables.apiKeys;
      return isKey && command === 'UpdateItem' ? new Error('interrupted') : undefined;
    });
    const query = { revokeApiKeys: 'true' };
    expect((await owner.delete(`/members/${memberId}`, { query })).status).toBe(500);
    expect(await itemOf(memberId)).toMatchObject({ removedAt: expect.any(String) });
    fixture.calls.injectBefore(undefined);
    const { body } = await owner.delete(`/members/${memberId}`, { query });
    expect(body.apiKeys).toMatchObject([{ keyId, revokedAt: expect.any(String) }]);
    expect(await itemOf(memberId)).not.toHaveProperty('email');
  });

  test.each(['', '#invitations#2026-11-16', 'x'.repeat(300), 'my user'])('%j is nobody', async (who) => {
    await invite(parties.owner, address());
    const memberId = who === 'my user' ? parties.myUserId : who;
    const at = `/members/${encodeURIComponent(memberId) || 'x'}`;
    expect((await parties.owner.delete(at)).status).toBe(404);
    expect((await parties.owner.patch(at, { body: { role: 'viewer' } })).status).toBe(404);
  });
});

describe('the last owner', () => {
  const LAST = { status: 409, body: { type: 'urn:lead-ingest:problem:conflict' } };

  test('stays one, until there is another', async () => {
    const viewer = await fixture.join(parties.owner.workspaceId, randomUUID(), 'viewer');
    expect(await parties.owner.delete(`/members/${parties.me}`)).toMatchObject(LAST);
    expect(await parties.owner.patch(`/members/${parties.me}`, { body: { role: 'viewer' } })).toMatchObject(
      LAST,
    );
    expect(await itemOf(parties.me)).toMatchObject({ role: 'owner' });
    expect((await parties.owner.delete(`/members/${viewer}`)).status).toBe(200);
    // One who has never signed in does not count.
    await invite(parties.owner, address(), 'owner');
    expect(await parties.owner.delete(`/members/${parties.me}`)).toMatchObject(LAST);
    await fixture.join(parties.owner.workspaceId, randomUUID(), 'owner');
    expect((await parties.owner.delete(`/members/${parties.me}`)).status).toBe(200);
  });

  test.each<[string, (team: Owner, member: string) => Promise<Responded>]>([
    ['remove each other', (team, member) => team.delete(`/members/${member}`)],
    [
      'make each other viewers',
      (team, member) => team.patch(`/members/${member}`, { body: { role: 'viewer' } }),
    ],
  ])('is left if two owners %s at the same time', async (_, act) => {
    for (let round = 0; round < 3; round += 1) {
      const team = await newOwner();
      const both = await newOwners(team, 2);
      const responses = await Promise.all(both.map((each) => act(team, each)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
      const { body } = await team.get('/members');
      expect(body.members.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1);
    }
  });
});

describe('invitations', () => {
  /** The names of the calls to Cognito since the last look. */
  const cognitoCalls: string[] = [];
  fixture.cognito.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        cognitoCalls.push(String(commandName));
        return next(args);
      },
    { step: 'initialize', name: 'cognitoCalls' },
  );

  /** A response with all the calls that led to it. */
  async function watch<HttpResponse>(act: () => Promise<HttpResponse>) {
    fixture.clock.now += 1_000;
    fixture.calls.reset();
    cognitoCalls.length = 0;
    fixture.pauses.length = 0;
    const response = await act();
    const dynamodb = fixture.calls.commands();
    return { response, calls: { dynamodb, cognito: [...cognitoCalls], pauses: [...fixture.pauses] } };
  }

  /** Everything about a response but the address, with letters and digits of the id made equal. */
  function shapeOf({ status, headers, text }: Responded, email: string) {
    const shape = text
      .replace(email, 'EMAIL')
      .replace(/(?<="memberId":"mem_)[0-9A-Za-z]+/, ({ length }) => `${length}`);
    return { status, headers, shape };
  }

  describe('inviting', () => {
    test("makes a user of the owner's workspace with the mark of an invitation, once", async () => {
      const email = address();
      const { body } = await invite(parties.owner, email);
      expect(body.memberId).toMatch(/^mem_[0-9A-Za-z]{22}$/);
      const user = await userOf(email);
      expect(memberIdOf(parties.owner.workspaceId, user?.sub)).toBe(body.memberId);
      expect(user).toMatchObject({
        email,
        'custom:workspace_id': parties.owner.workspaceId,
        'custom:invited': 'yes',
      });
      expect(await itemOf(body.memberId)).toMatchObject({ role: 'viewer', email, v: 1 });
      const again = await invite(parties.owner, email, 'owner');
      expect(again).toMatchObject({ status: 202, body: { memberId: body.memberId, role: 'viewer' } });
      expect(await members()).toHaveLength(2);
    });

    test('ignores case, and takes nothing but an address and a role', async () => {
      const email = address();
      expect((await invite(parties.owner, email.toUpperCase())).body.email).toBe(email);
      for (const body of [
        { email, role: 'admin' },
        { email: 'a b@example.com', role: 'viewer' },
        { email, role: 'viewer', workspaceId: 'ws_other' },
      ]) {
        expect((await parties.owner.post('/members', { body })).status).toBe(400);
      }
    });

    test('an address that another workspace uses looks the same, and changes nothing there', async () => {
      const theirs = await newOwner();
      const [taken, free] = [address(), address()];
      const { body: theirMember } = await invite(theirs, taken, 'owner');
      const first = await watch(() => invite(parties.owner, free));
      const second = await watch(() => invite(parties.owner, taken));
      expect(second.calls).toEqual(first.calls);
      expect(second.calls).toEqual({
        dynamodb: expect.arrayContaining(['PutItem']),
        cognito: ['AdminGetUserCommand', 'AdminCreateUserCommand'],
        pauses: [2_000],
      });
      expect(shapeOf(second.response, taken)).toEqual(shapeOf(first.response, free));
      expect(second.response.body.memberId).not.toBe(theirMember.memberId);
      const listed = await members();
      expect(listed.map(({ email, status }) => [email, status])).toEqual([
        [`${parties.myUserId}@example.com`, 'active'],
        [free, 'invited'],
        [taken, 'invited'],
      ]);
      // It can be removed like any other, and the user of the other workspace stays.
      const [freed, untaken] = [first, second].map(({ response }) => `/members/${response.body.memberId}`);
      const [removal, other] = [
        await watch(() => parties.owner.delete(freed ?? '')),
        await watch(() => parties.owner.delete(untaken ?? '')),
      ];
      expect(other.calls).toEqual(removal.calls);
      expect(shapeOf(other.response, taken)).toEqual(shapeOf(removal.response, free));
      expect(removal).toMatchObject({ response: { status: 200 }, calls: { pauses: [2_000] } });
      expect(await userOf(taken)).toMatchObject({ 'custom:workspace_id': theirs.workspaceId });
      expect(await itemOf(theirMember.memberId, theirs)).toMatchObject({ role: 'owner' });
    });

    test('an invitation whose response was lost is completed by the next one', async () => {
      const email = address();
      const lost = await fixture.users.invite(email, parties.owner.workspaceId);
      const { body } = await invite(parties.owner, email);
      expect(body.memberId).toBe(memberIdOf(parties.owner.workspaceId, (lost as { userId: string }).userId));
      expect(await members()).toHaveLength(2);
    });

    test('a user of the own workspace who has signed in is not taken over by an invitation', async () => {
      const email = address();
      const made = await fixture.users.invite(email, parties.owner.workspaceId);
      const Password = `Aa1!${randomUUID()}`;
      await fixture.cognito.send(
        new AdminSetUserPasswordCommand({ UserPoolId, Username: email, Password, Permanent: true }),
      );
      const theirId = memberIdOf(parties.owner.workspaceId, (made as { userId: string }).userId);
      expect((await invite(parties.owner, email)).body.memberId).not.toBe(theirId);
    });

    test('is possible 20 times per UTC day, also for taken addresses', async () => {
      const email = address();
      for (let n = 0; n < 20; n += 1) expect((await invite(parties.owner, email)).status).toBe(202);
      expect((await parties.owner.get('/members')).body.invitationsLeftToday).toBe(0);
      expect(await invite(parties.owner, address())).toMatchObject({
        status: 429,
        body: {
          type: 'urn:lead-ingest:problem:limit-reached',
          detail: 'A workspace can invite 20 people per day (UTC). Try again tomorrow.',
        },
      });
      expect((await invite(await newOwner(), address())).status).toBe(202);
      fixture.clock.now += 14 * 60 * 60 * 1000;
      expect((await invite(parties.owner, address())).status).toBe(202);
    });
  });

  test.each([
    [0, 2_000],
    [1, 1_999],
    [2_000, 0],
    [2_001, 1_999],
  ])('after %i ms, a response waits for %i ms more', (elapsed, rest) => {
    expect(restOfStep(elapsed)).toBe(rest);
  });

  test('addresses are not logged', () => {
    expect(fixture.logLines.length).toBeGreaterThan(40);
    expect(fixture.logLines.join()).not.toMatch(/@example\.com/i);
  });
});
