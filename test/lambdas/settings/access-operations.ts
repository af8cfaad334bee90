import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { until } from '../../until.ts';
import type { Owner, OwnerFixture } from '../owner-api/owner-fixture.ts';

/** The part of every-operation.test.ts about who may use the API, on its fixture. */
export function testAccessOperations(fixture: OwnerFixture, newOwner: () => Promise<Owner>): void {
  describe('API keys and the activity log', () => {
    test('a key is made, listed and revoked, and the log has both changes', async () => {
      const owner = await newOwner();
      const body = { name: 'Zapier', scopes: ['leads:read'] };
      const { body: made } = await owner.post('/api-keys', { body });
      const { apiKey, ...key } = made;
      const listed = await until(
        async () => (await owner.get('/api-keys')).body.apiKeys as unknown[],
        (keys) => keys.length > 0,
      );
      expect(listed).toEqual([key]);
      expect((await owner.delete(`/api-keys/${key.keyId}`)).body).toMatchObject({ keyId: key.keyId });
      const { activity } = (await owner.get('/activity')).body;
      expect(activity.map(({ action }: { action: string }) => action).sort()).toEqual([
        'DELETE /settings/api-keys/{keyId}',
        'POST /settings/api-keys',
      ]);
    });
  });

  describe('members', () => {
    test('are invited, listed, given another role and removed', async () => {
      const owner = await newOwner();
      const email = `grace-${randomUUID()}@example.com`;
      const invited = await owner.post('/members', { body: { email, role: 'viewer' } });
      expect(invited).toMatchObject({ status: 202, body: { email, role: 'viewer' } });
      const { memberId } = invited.body;
      const at = `/members/${memberId}`;
      expect((await owner.get('/members')).body).toEqual({
        members: [
          {
            memberId,
            email,
            role: 'viewer',
            status: 'invited',
            invitedAt: new Date(fixture.clock.now).toISOString(),
            isYou: false,
          },
        ],
        invitationsLeftToday: 19,
      });
      expect((await owner.patch(at, { body: { role: 'owner' } })).body).toMatchObject({ role: 'owner' });
      // An owner who has never signed in: somebody else must stay.
      expect((await owner.delete(at)).status).toBe(409);
      expect((await owner.patch(at, { body: { role: 'viewer' } })).status).toBe(409);
      await fixture.join(owner.workspaceId, randomUUID(), 'owner');
      expect((await owner.delete(at)).body).toEqual({ memberId, apiKeys: [] });
      expect((await owner.get('/members')).body.members).toHaveLength(1);
    });
  });
}
