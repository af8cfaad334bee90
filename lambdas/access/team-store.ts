import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  PutCommand,
  paginateQuery,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import type { Role } from '../owner-api/principal.ts';
import { CHANGED, revise } from '../owner-api/revise.ts';
import {
  fromItem,
  isRemoved,
  type Member,
  type MemberItem,
  memberKey,
  type NewMember,
  type RemovedMember,
  toItem,
} from './members-store.ts';

/** Per workspace and UTC day. */
export const INVITATIONS_PER_DAY = 20;

/** Sorts before every member: their keys are UUIDs. */
const COUNTER = '#invitations#';
const DAY_SECONDS = 24 * 60 * 60;
/** Far longer than the hour for which a token is valid. */
const NOTE_SECONDS = 7 * DAY_SECONDS;

/** `last_owner`: refused, because the workspace would have no owner. */
export type Change<Result> = Result | 'not_found' | 'last_owner';

/** The members of a workspace, for the people who manage them. */
export interface Team {
  /** Oldest first, without those who were removed. */
  list(workspaceId: string): Promise<{ members: Member[]; invitationsLeft: number }>;
  /** False if the workspace has used up its invitations of the day. */
  countInvitation(workspaceId: string): Promise<boolean>;
  /** False if the user is a member, also a removed one. */
  add(member: NewMember): Promise<boolean>;
  changeRole(workspaceId: string, memberId: string, role: Role): Promise<Change<Member>>;
  /** Refuses the member's tokens from now on. Can be repeated. */
  remove(workspaceId: string, memberId: string): Promise<Change<RemovedMember>>;
  /** The same without any condition, for operators: they may remove the last owner, and one who is no member yet. */
  dismiss(workspaceId: string, userId: string): Promise<void>;
  /** The removal is complete, so its note is needed only until the last token has expired, without the address. */
  noteUserDeleted(workspaceId: string, userId: string): Promise<void>;
}

type Outcome = 'written' | 'last_owner' | typeof CHANGED;
interface Found {
  readonly found: MemberItem | undefined;
  readonly everyone: readonly MemberItem[];
}
type Context = StoreContext<'members'> & { readonly now: () => number };

export function makeTeam({ client, tables, now }: Context): Team {
  const table = tables.members;
  const counterKey = (workspaceId: string) => ({
    workspaceId,
    memberId: `${COUNTER}${new Date(now()).toISOString().slice(0, 10)}`,
  });

  /** Everything about the members, the removed ones included. */
  async function read(workspaceId: string) {
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
    const everyone = items.filter(({ memberId }) => !String(memberId).startsWith(COUNTER)).map(fromItem);
    return { everyone, used: Number(today?.used ?? 0) };
  }

  /** By the id in the API, which is not the table's key: a workspace has few members. */
  async function find(workspaceId: string, memberId: string): Promise<Found> {
    const { everyone } = await read(workspaceId);
    return { found: everyone.find((each) => each.memberId === memberId), everyone };
  }

  /**
   * Writes if another owner stays. Two owners who remove each other at the same time both pass the check that reads, so
   * the write repeats it: the other one must still be an owner.
   */
  async function writeUnlessLast(
    member: Member,
    write: Write,
    everyone: readonly MemberItem[],
  ): Promise<Outcome> {
    const other = everyone.find(
      (each) =>
        !isRemoved(each) &&
        each.userId !== member.userId &&
        each.role === 'owner' &&
        each.joinedAt !== undefined,
    );
    if (other === undefined) return 'last_owner';
    const check = {
      TableName: table,
      Key: memberKey(other),
      ConditionExpression: '#role = :owner AND attribute_not_exists(removedAt)',
      ExpressionAttributeNames: { '#role': 'role' },
      ExpressionAttributeValues: { ':owner': 'owner' },
    };
    const done = await succeeds(
      client.send(new TransactWriteCommand({ TransactItems: [write, { ConditionCheck: check }] })),
    );
    return done ? 'written' : CHANGED;
  }

  /** A viewer can always be changed; an owner only if another owner stays. */
  async function write(member: Member, item: Write, everyone: readonly MemberItem[]): Promise<Outcome> {
    if (member.role === 'owner') return writeUnlessLast(member, item, everyone);
    const done = await succeeds(client.send(new TransactWriteCommand({ TransactItems: [item] })));
    return done ? 'written' : CHANGED;
  }

  /** Unless somebody has changed the role or removed the member since it was read. */
  const unchanged = ({ role }: Member) => ({
    ConditionExpression: '#role = :seen AND attribute_not_exists(removedAt)',
    ExpressionAttributeNames: { '#role': 'role' },
    ExpressionAttributeValues: { ':seen': role },
  });

  /** Without an expiry until the user is deleted: one whom an operator made would become an owner again. */
  const noteOf = (
    member: Pick<Member, 'workspaceId' | 'userId'>,
    rest: Pick<RemovedMember, 'email'> = {},
  ) => ({
    TableName: table,
    Item: { ...memberKey(member), ...rest, removedAt: new Date(now()).toISOString(), v: 1 },
  });

  function toRole(member: Member, role: Role): Write {
    const { ExpressionAttributeValues, ...condition } = unchanged(member);
    return {
      Update: {
        TableName: table,
        Key: memberKey(member),
        UpdateExpression: 'SET #role = :role',
        ...condition,
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':role': role },
      },
    };
  }

  return {
    async list(workspaceId) {
      const { everyone, used } = await read(workspaceId);
      const since = ({ invitedAt, joinedAt }: Member) => invitedAt ?? joinedAt ?? '';
      return {
        members: everyone
          .filter((item): item is Member => !isRemoved(item))
          .sort((a, b) => since(a).localeCompare(since(b))),
        invitationsLeft: Math.max(0, INVITATIONS_PER_DAY - used),
      };
    },

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
        Item: toItem(member),
        ConditionExpression: 'attribute_not_exists(memberId)',
      });
      return succeeds(client.send(command));
    },

    changeRole(workspaceId, memberId, role) {
      return revise<Found, Change<Member>>(
        () => find(workspaceId, memberId),
        async ({ found: member, everyone }) => {
          if (!member || isRemoved(member)) return 'not_found';
          if (member.role === role) return member;
          const outcome = await write(member, toRole(member, role), everyone);
          return outcome === 'written' ? { ...member, role } : outcome;
        },
      );
    },

    remove(workspaceId, memberId) {
      return revise<Found, Change<RemovedMember>>(
        () => find(workspaceId, memberId),
        async ({ found: member, everyone }) => {
          if (!member) return 'not_found';
          if (isRemoved(member)) return member;
          const note = noteOf(member, { email: member.email });
          const outcome = await write(member, { Put: { ...note, ...unchanged(member) } }, everyone);
          return outcome === 'written' ? { ...member, removedAt: note.Item.removedAt } : outcome;
        },
      );
    },

    async dismiss(workspaceId, userId) {
      await client.send(new PutCommand(noteOf({ workspaceId, userId })));
    },

    async noteUserDeleted(workspaceId, userId) {
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: memberKey({ workspaceId, userId }),
          UpdateExpression: 'SET expiresAt = :expiresAt REMOVE email',
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
