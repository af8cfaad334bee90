import { randomUUID } from 'node:crypto';
import { AdminGetUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { beforeEach } from '@jest/globals';
import { OUTPUTS } from '#contract';
import { memberIdOf } from '#owner-api/principal.ts';
import { itemsOf } from '../../stored-items.ts';
import { type Owner, openOwnerFixture } from '../owner-api/owner-fixture.ts';

export const address = () => `member-${randomUUID()}@example.com`;

interface Parties {
  owner: Owner;
  /** An owner of the workspace who has signed in: the user and the same person as a member. */
  myUserId: string;
  me: string;
}

/** A new workspace with one owner for each test. */
export function openTeamFixture() {
  const fixture = openOwnerFixture(Date.parse('2026-11-16T10:00:00Z'));
  const UserPoolId = fixture.stack.output(OUTPUTS.userPoolId);
  const parties = {} as Parties;

  beforeEach(async () => {
    parties.owner = await fixture.newOwner();
    parties.myUserId = randomUUID();
    parties.me = await fixture.join(parties.owner.workspaceId, parties.myUserId, 'owner');
  });

  return {
    ...fixture,
    UserPoolId,
    parties,

    invite: (by: Owner, email: string, role = 'viewer') => by.post('/members', { body: { email, role } }),

    async members(of = parties.owner): Promise<Record<string, unknown>[]> {
      return (await of.get('/members', { authorized: { actor: `user:${parties.me}` } })).body.members;
    },

    async userOf(email: string) {
      const user = await fixture.cognito
        .send(new AdminGetUserCommand({ UserPoolId, Username: email }))
        .catch(() => undefined);
      const attributes = user?.UserAttributes?.map(({ Name, Value }) => [Name, Value]) ?? [];
      return user && Object.fromEntries(attributes);
    },

    /** What is stored of a member. The table's key is the user's id. */
    async itemOf(memberId: string, { workspaceId } = parties.owner) {
      const members = await itemsOf(fixture.observer, fixture.stack.tables.members, { workspaceId });
      return members.find((member) => memberIdOf(workspaceId, String(member.memberId)) === memberId);
    },
  };
}
