import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  GetCommand,
  PutCommand,
  paginateQuery,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { concurrentChange } from '../settings/administration/items-store.ts';
import { isRemoved, type Member, type MemberItem } from './members-store.ts';
import type { Role } from './principal.ts';

/** Per workspace and UTC day. */
export const INVITATIONS_PER_DAY = 20;

/** Sorts before every member: their ids are UUIDs. */
const COUNTER = '#invitations#';
const DAY_SECONDS = 24 * 60 * 60;
/** Far longer than the hour for which a token is valid. */
const NOTE_SECONDS = 7 * DAY_SECONDS;
/** More than simultaneous changes by people ever need. */
const MOST_TRIES = 5;

/** `last_owner`: nobody else could change anything afterwards. */
export type Change<Result> = Result | 'not_found' | 'last_owner';

/** The members of a workspace, for the people who manage them. */
export interface Team {
  /** Oldest first, without those who were removed. */
  list(workspaceId: string): Promise<{ members: Member[]; invitationsLeft: number }>;
  /** False if the workspace has used up its invitations of the day. */
  countInvitation(workspaceId: string): Promise<boolean>;
  /** False if there is a member with this id, also a removed one. */
  add(member: Member): Promise<boolean>;
  changeRole(workspaceId: string, memberId: string, role: Role): Promise<Change<Member>>;
  /** Refuses the member's tokens from now on. Can be repeated. */
  remove(workspaceId: string, memberId: string): Promise<Change<'removed'>>;
  /** The same without any condition, for operators: they may remove the last owner, and one who is no member yet. */
  dismiss(workspaceId: string, memberId: string): Promise<void>;
  /** The user is deleted, so the note about the removal is needed only until the last token has expired. */
  noteUserDeleted(workspaceId: string, memberId: string): Promise<void>;
}

type Context = StoreContext<'members'> & { readonly now: () => number };

export function makeTeam({ client, tables, now }: Context): Team {
  const table = tables.members;
  const counterKey = (workspaceId: string) => ({
    workspaceId,
    memberId: `${COUNTER}${new Date(now()).toISOString().slice(0, 10)}`,
  });

  async function list(workspaceId: string) {
    const items: Record<string, unknown>[] = [];
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: 'workspaceId = :workspaceId',
        ExpressionAttributeValues: { ':workspaceId': workspaceId },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) items.push(...Items);
    const today = items.find(({ memberId }) => memberId === counterKey(workspaceId).memberId);
    const members = items.filter(
      ({ memberId }) => !String(memberId).startsWith(COUNTER),
    ) as Partial<Member>[];
    const since = ({ invitedAt, joinedAt }: Member) => invitedAt ?? joinedAt ?? '';
    return {
      members: (members as MemberItem[])
        .filter((item): item is Member => !isRemoved(item))
        .sort((a, b) => since(a).localeCompare(since(b))),
      invitationsLeft: Math.max(0, INVITATIONS_PER_DAY - Number(today?.used ?? 0)),
    };
  }

  async function find(workspaceId: string, memberId: string): Promise<MemberItem | undefined> {
    // DynamoDB takes no empty key and none over 1,024 bytes, and the counter is no member.
    if (memberId === '' || memberId.length > 200 || memberId.startsWith(COUNTER)) return undefined;
    const Key = { workspaceId, memberId };
    const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item as MemberItem | undefined;
  }

  /**
   * Writes if another owner stays. Two owners who remove each other at the same time both pass the check that reads, so
   * the write repeats it: the other one must still be an owner.
   */
  async function writeUnlessLast(
    member: Member,
    write: Write,
  ): Promise<'written' | 'last_owner' | 'changed'> {
    const { members } = await list(member.workspaceId);
    const other = members.find(
      ({ memberId, role, joinedAt }) =>
        memberId !== member.memberId && role === 'owner' && joinedAt !== undefined,
    );
    if (other === undefined) return 'last_owner';
    const check = {
      TableName: table,
      Key: { workspaceId: other.workspaceId, memberId: other.memberId },
      ConditionExpression: '#role = :owner AND attribute_not_exists(removedAt)',
      ExpressionAttributeNames: { '#role': 'role' },
      ExpressionAttributeValues: { ':owner': 'owner' },
    };
    const done = await succeeds(
      client.send(new TransactWriteCommand({ TransactItems: [write, { ConditionCheck: check }] })),
    );
    return done ? 'written' : 'changed';
  }

  /** Nobody looks at a viewer, and an owner needs another one. */
  async function write(member: Member, item: Write): Promise<'written' | 'last_owner' | 'changed'> {
    if (member.role === 'owner') return writeUnlessLast(member, item);
    const done = await succeeds(client.send(new TransactWriteCommand({ TransactItems: [item] })));
    return done ? 'written' : 'changed';
  }

  /** Unless somebody has changed the role or removed the member since it was read. */
  const unchanged = ({ role }: Member) => ({
    ConditionExpression: '#role = :seen AND attribute_not_exists(removedAt)',
    ExpressionAttributeNames: { '#role': 'role' },
    ExpressionAttributeValues: { ':seen': role },
  });

  function toNote(member: Member): Write {
    const { workspaceId, memberId } = member;
    const removedAt = new Date(now()).toISOString();
    // Without an expiry until the user is deleted: one whom an operator made would become an owner again.
    const Item = { workspaceId, memberId, removedAt, v: 1 };
    return { Put: { TableName: table, Item, ...unchanged(member) } };
  }

  function toRole(member: Member, role: Role): Write {
    const { ExpressionAttributeValues, ...condition } = unchanged(member);
    return {
      Update: {
        TableName: table,
        Key: { workspaceId: member.workspaceId, memberId: member.memberId },
        UpdateExpression: 'SET #role = :role',
        ...condition,
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':role': role },
      },
    };
  }

  return {
    list,

    async countInvitation(workspaceId) {
      const command = new UpdateCommand({
        TableName: table,
        Key: counterKey(workspaceId),
        UpdateExpression: 'SET expiresAt = :expiresAt, v = :v ADD used :one',
        ConditionExpression: 'attribute_not_exists(used) OR used < :most',
        ExpressionAttributeValues: {
          ':one': 1,
          ':most': INVITATIONS_PER_DAY,
          ':expiresAt': Math.floor(now() / 1000) + 2 * DAY_SECONDS,
          ':v': 1,
        },
      });
      return succeeds(client.send(command));
    },

    async add(member) {
      const command = new PutCommand({
        TableName: table,
        Item: { ...member, v: 1 },
        ConditionExpression: 'attribute_not_exists(memberId)',
      });
      return succeeds(client.send(command));
    },

    async changeRole(workspaceId, memberId, role) {
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        const member = await find(workspaceId, memberId);
        if (!member || isRemoved(member)) return 'not_found';
        if (member.role === role) return member;
        const outcome = await write(member, toRole(member, role));
        if (outcome === 'last_owner') return outcome;
        if (outcome === 'written') return { ...member, role };
      }
      throw concurrentChange();
    },

    async remove(workspaceId, memberId) {
      for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
        const member = await find(workspaceId, memberId);
        if (!member) return 'not_found';
        if (isRemoved(member)) return 'removed';
        const outcome = await write(member, toNote(member));
        if (outcome === 'last_owner') return outcome;
        if (outcome === 'written') return 'removed';
      }
      throw concurrentChange();
    },

    async dismiss(workspaceId, memberId) {
      const Item = { workspaceId, memberId, removedAt: new Date(now()).toISOString(), v: 1 };
      await client.send(new PutCommand({ TableName: table, Item }));
    },

    async noteUserDeleted(workspaceId, memberId) {
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { workspaceId, memberId },
          UpdateExpression: 'SET expiresAt = :expiresAt',
          ConditionExpression: 'attribute_exists(removedAt)',
          ExpressionAttributeValues: { ':expiresAt': Math.floor(now() / 1000) + NOTE_SECONDS },
        }),
      );
    },
  };
}

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** False if its condition does not hold, or another transaction is changing the same item. */
async function succeeds(sent: Promise<unknown>): Promise<boolean> {
  try {
    await sent;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    if (error instanceof TransactionCanceledException) return false;
    throw error;
  }
}
