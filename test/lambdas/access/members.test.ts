import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { memberIdOf } from '#owner-api/principal.ts';
import { until } from '../../until.ts';
import type { Owner } from '../owner-api/owner-fixture.ts';
import { address, openTeamFixture } from './team-fixture.ts';

const fixture = openTeamFixture();
const { parties, invite, members, userOf, itemOf, newWorkspace } = fixture;

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
    await fixture.join((await newWorkspace()).workspaceId, randomUUID(), 'owner');
    expect(await members()).toEqual([
      expect.objectContaining({ memberId: parties.me, role: 'owner', status: 'active', isYou: true }),
    ]);
    expect((await parties.owner.get('/members')).body.members[0].isYou).toBe(false);
  });
});

describe('removing', () => {
  test('deletes the user and leaves a note, without an address, that refuses the tokens', async () => {
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
  });

  test('can be followed by another invitation', async () => {
    const email = address();
    const first = (await invite(parties.owner, email)).body.memberId;
    await parties.owner.delete(`/members/${first}`);
    const second = (await invite(parties.owner, email)).body.memberId;
    expect(second).not.toBe(first);
    expect(memberIdOf(parties.owner.workspaceId, (await userOf(email))?.sub)).toBe(second);
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

  test('stays one', async () => {
    const viewer = await fixture.join(parties.owner.workspaceId, randomUUID(), 'viewer');
    expect(await parties.owner.delete(`/members/${parties.me}`)).toMatchObject(LAST);
    expect(await parties.owner.patch(`/members/${parties.me}`, { body: { role: 'viewer' } })).toMatchObject(
      LAST,
    );
    expect(await itemOf(parties.me)).toMatchObject({ role: 'owner' });
    expect((await parties.owner.delete(`/members/${viewer}`)).status).toBe(200);
  });

  test('is still the last one beside an owner who has never signed in', async () => {
    await invite(parties.owner, address(), 'owner');
    expect(await parties.owner.delete(`/members/${parties.me}`)).toMatchObject(LAST);
  });

  test('may leave once there is another', async () => {
    await fixture.join(parties.owner.workspaceId, randomUUID(), 'owner');
    expect((await parties.owner.patch(`/members/${parties.me}`, { body: { role: 'viewer' } })).status).toBe(
      200,
    );
    expect((await parties.owner.delete(`/members/${parties.me}`)).status).toBe(200);
  });

  test('is left if two owners remove each other at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const team = await newWorkspace();
      const both = await newOwners(team, 2);
      const responses = await Promise.all(both.map((each) => team.delete(`/members/${each}`)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect((await team.get('/members')).body.members).toHaveLength(1);
    }
  });

  test('is left if two owners make each other viewers at the same time', async () => {
    const team = await newWorkspace();
    const both = await newOwners(team, 2);
    const body = { role: 'viewer' };
    await Promise.all(both.map((each) => team.patch(`/members/${each}`, { body })));
    const { body: listed } = await team.get('/members');
    const roles = listed.members.map(({ role }: { role: string }) => role);
    expect(roles.sort()).toEqual(['owner', 'viewer']);
  });
});

test('addresses are not logged', () => {
  expect(fixture.logLines.length).toBeGreaterThan(20);
  expect(fixture.logLines.join()).not.toMatch(/@example\.com/i);
});
