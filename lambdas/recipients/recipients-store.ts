import { DeleteCommand, GetCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext, unlessConditionFails } from '../aws/dynamodb.ts';
import {
  ASK_EVERY_MS,
  type RecipientLink,
  type SuppressionReason,
  sameAddress,
  tokenHash,
} from './recipient.ts';

export interface Suppression {
  readonly addressHash: string;
  /** Absent if no workspace may write to the address. */
  readonly workspaceId?: string | undefined;
  readonly reason: SuppressionReason;
  readonly at: string;
}

const linkKey = (token: string) => `link#${tokenHash(token)}`;
const askedKey = (addressHash: string) => `asked#${addressHash}`;
const suppressionKey = ({
  addressHash,
  workspaceId = '*',
}: Pick<Suppression, 'addressHash' | 'workspaceId'>) => `suppressed#${workspaceId}#${addressHash}`;

/** What a recipient does with the links in mails. */
export interface RecipientLinks {
  find(token: string, signal: AbortSignal): Promise<RecipientLink | undefined>;
  /** Outlives the destination. Repeating it keeps the first reason. */
  suppress(suppression: Suppression, signal: AbortSignal): Promise<void>;
}

export function makeRecipientLinks({ client, tables }: StoreContext<'recipients'>): RecipientLinks {
  return {
    async find(token, signal) {
      const get = new GetCommand({
        TableName: tables.recipients,
        Key: { recipientKey: linkKey(token) },
        ConsistentRead: true,
      });
      const { Item } = await client.send(get, { abortSignal: signal });
      return Item as RecipientLink | undefined;
    },

    async suppress(suppression, signal) {
      const Item = { recipientKey: suppressionKey(suppression), ...suppression, v: 1 };
      const put = new PutCommand({
        TableName: tables.recipients,
        Item,
        ConditionExpression: 'attribute_not_exists(recipientKey)',
      });
      await unlessConditionFails(client.send(put, { abortSignal: signal }));
    },
  };
}

/** What the send function asks and writes before it mails somebody. */
export interface RecipientStore {
  keepLink(token: string, link: RecipientLink, signal: AbortSignal): Promise<void>;
  isSuppressed(workspaceId: string, addressHash: string, signal: AbortSignal): Promise<boolean>;
  /** False if the address was asked within a day, by any workspace. */
  claimAsking(addressHash: string, nowMilliseconds: number, signal: AbortSignal): Promise<boolean>;
  /** The mail could not be sent, so it does not count. */
  releaseAsking(addressHash: string, claimedAt: number, signal: AbortSignal): Promise<void>;
  /** Whether the address is that of a member who has signed in, and so has proved that it is theirs. */
  isMember(workspaceId: string, email: string, signal: AbortSignal): Promise<boolean>;
}

export function makeRecipientStore({
  client,
  tables,
}: StoreContext<'recipients' | 'members'>): RecipientStore {
  const TableName = tables.recipients;
  return {
    async keepLink(token, link, signal) {
      const Item = { recipientKey: linkKey(token), ...link, v: 1 };
      await client.send(new PutCommand({ TableName, Item }), { abortSignal: signal });
    },

    async isSuppressed(workspaceId, addressHash, signal) {
      const keys = [{ addressHash }, { addressHash, workspaceId }].map(suppressionKey);
      const found = await batchGet(
        client,
        keys.map((recipientKey) => ({ table: TableName, key: { recipientKey } })),
        signal,
      );
      return found.some((item) => item !== undefined);
    },

    claimAsking(addressHash, nowMilliseconds, signal) {
      const put = new PutCommand({
        TableName,
        Item: {
          recipientKey: askedKey(addressHash),
          askedAt: nowMilliseconds,
          expiresAt: Math.ceil((nowMilliseconds + 2 * ASK_EVERY_MS) / 1000),
          v: 1,
        },
        ConditionExpression: 'attribute_not_exists(askedAt) OR askedAt <= :before',
        ExpressionAttributeValues: { ':before': nowMilliseconds - ASK_EVERY_MS },
      });
      return unlessConditionFails(client.send(put, { abortSignal: signal }));
    },

    async releaseAsking(addressHash, claimedAt, signal) {
      const command = new DeleteCommand({
        TableName,
        Key: { recipientKey: askedKey(addressHash) },
        ConditionExpression: 'askedAt = :claimedAt',
        ExpressionAttributeValues: { ':claimedAt': claimedAt },
      });
      await unlessConditionFails(client.send(command, { abortSignal: signal }));
    },

    async isMember(workspaceId, email, signal) {
      const pages = paginateQuery(
        { client },
        {
          TableName: tables.members,
          KeyConditionExpression: 'workspaceId = :workspaceId',
          // Without members who never signed in: anybody's address can be invited.
          FilterExpression: 'attribute_exists(joinedAt) AND attribute_not_exists(removedAt)',
          ProjectionExpression: 'email',
          ExpressionAttributeValues: { ':workspaceId': workspaceId },
          ConsistentRead: true,
        },
        { abortSignal: signal },
      );
      for await (const { Items = [] } of pages) {
        if (Items.some((member) => sameAddress(String(member.email), email))) return true;
      }
      return false;
    },
  };
}

/** For operators: the recipient wants these mails after all. Returns how many suppressions there were. */
export async function allowAgain(
  { client, tables }: StoreContext<'recipients'>,
  workspaceId: string,
  addressHash: string,
): Promise<number> {
  let removed = 0;
  for (const suppression of [{ addressHash }, { addressHash, workspaceId }]) {
    const { Attributes } = await client.send(
      new DeleteCommand({
        TableName: tables.recipients,
        Key: { recipientKey: suppressionKey(suppression) },
        ReturnValues: 'ALL_OLD',
      }),
    );
    if (Attributes) removed += 1;
  }
  return removed;
}
