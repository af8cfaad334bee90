import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { isBeingOffboarded } from '../aws/removed-workspaces.ts';
import { memberIdOf, type Role } from '../owner-api/principal.ts';

/** A person's place in a workspace. */
export interface Member {
  readonly workspaceId: string;
  /** Cognito's `sub`, or a random id if the address belonged to a user already. Never leaves the service. */
  readonly userId: string;
  /** What the API calls them. */
  readonly memberId: string;
  readonly role: Role;
  readonly email: string;
  /** Absent for owners that an operator made. */
  readonly invitedAt?: string;
  /** The first request. */
  readonly joinedAt?: string;
}

/** Kept of a removed member until all their tokens have expired: requests with these are refused. */
export interface RemovedMember extends Pick<Member, 'workspaceId' | 'userId' | 'memberId'> {
  readonly removedAt: string;
  /** Only until the removal is complete: keys of earlier versions are found by it. */
  readonly email?: string;
}

export type MemberItem = Member | RemovedMember;

export function isRemoved(item: MemberItem): item is RemovedMember {
  return 'removedAt' in item;
}

export type NewMember = Omit<Member, 'memberId'>;

/** The table's sort key is called `memberId` since the time when it was also the id in the API. */
export const memberKey = ({ workspaceId, userId }: Pick<Member, 'workspaceId' | 'userId'>) => ({
  workspaceId,
  memberId: userId,
});

export function toItem({ workspaceId, userId, ...rest }: NewMember) {
  return { ...memberKey({ workspaceId, userId }), ...rest, v: 1 };
}

export function fromItem(item: Readonly<Record<string, unknown>>): MemberItem {
  const { memberId: userId, v: _v, ...rest } = item as { memberId: string; v: number; workspaceId: string };
  return { ...rest, userId, memberId: memberIdOf(rest.workspaceId, userId) } as MemberItem;
}

export type Newcomer = Pick<Member, 'workspaceId' | 'userId' | 'email'>;

/** What the authorizer asks about a user on every request. */
export interface MemberLookup {
  find(workspaceId: string, userId: string): Promise<MemberItem | undefined>;
  /** Remembers the first request of somebody who was invited. */
  noteJoined(member: Member): Promise<void>;
  /**
   * Makes a user who has no item an owner. Undefined if the workspace is gone or going: a token outlives it by up to an
   * hour, and must leave nothing behind.
   */
  adoptOwner(newcomer: Newcomer): Promise<MemberItem | undefined>;
}

type Context = StoreContext<'members' | 'workspaces'> & { readonly now: () => number };

export function makeMemberLookup({ client, tables, now }: Context): MemberLookup {
  async function find(workspaceId: string, userId: string): Promise<MemberItem | undefined> {
    const Key = memberKey({ workspaceId, userId });
    // Consistent: a removal applies to the next request.
    const { Item } = await client.send(
      new GetCommand({ TableName: tables.members, Key, ConsistentRead: true }),
    );
    return Item && fromItem(Item);
  }

  return {
    find,

    async noteJoined(member) {
      const command = new UpdateCommand({
        TableName: tables.members,
        Key: memberKey(member),
        UpdateExpression: 'SET joinedAt = if_not_exists(joinedAt, :now)',
        ConditionExpression: 'attribute_exists(memberId) AND attribute_not_exists(removedAt)',
        ExpressionAttributeValues: { ':now': new Date(now()).toISOString() },
      });
      await client.send(command).catch((error: unknown) => {
        // Removed in this moment.
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },

    async adoptOwner({ workspaceId, userId, email }) {
      const workspace = await client.send(
        new GetCommand({ TableName: tables.workspaces, Key: { workspaceId }, ConsistentRead: true }),
      );
      if (!workspace.Item || isBeingOffboarded(workspace.Item)) return undefined;
      const joinedAt = new Date(now()).toISOString();
      const member: NewMember = { workspaceId, userId, role: 'owner', email, joinedAt };
      try {
        await client.send(
          new PutCommand({
            TableName: tables.members,
            Item: toItem(member),
            ConditionExpression: 'attribute_not_exists(memberId)',
          }),
        );
        return { ...member, memberId: memberIdOf(workspaceId, userId) };
      } catch (error) {
        // Another request of the same user was first, or the user has just been removed.
        if (error instanceof ConditionalCheckFailedException) return find(workspaceId, userId);
        throw error;
      }
    },
  };
}
