import { randomUUID } from 'node:crypto';
import { AdminGetUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach } from '@jest/globals';
import { OUTPUTS } from '#contract';
import { memberIdOf } from '#owner-api/principal.ts';
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

  async function newWorkspace(): Promise<Owner> {
    const { workspaceId } = await fixture.administration.createWorkspace({ name: 'Team' });
    return fixture.ownerOf(workspaceId);
  }

  beforeEach(async () => {
    parties.owner = await newWorkspace();
    parties.myUserId = randomUUID();
    parties.me = await fixture.join(parties.owner.workspaceId, parties.myUserId, 'owner');
  });

  return {
    ...fixture,
    UserPoolId,
    parties,
    newWorkspace,

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
      const { Items = [] } = await fixture.observer.send(
        new QueryCommand({
          TableName: fixture.stack.tables.members,
          KeyConditionExpression: 'workspaceId = :workspaceId',
          ExpressionAttributeValues: { ':workspaceId': workspaceId },
          ConsistentRead: true,
        }),
      );
      return Items.find((item) => memberIdOf(workspaceId, item.memberId) === memberId);
    },
  };
}
