import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../aws/dynamodb.ts';
import { INDEXES } from '../contract.ts';
import { type Destination, isStrained } from './destination.ts';
import { healthAddress } from './health-store.ts';
import type { Message, MessageKey } from './message.ts';
import { messageAddress, toMessage } from './messages-store.ts';
import type { DestinationHealth } from './retry-schedule.ts';
import { type LaneItem, laneAddress } from './slow-lane-store.ts';

/** What the index by due time has of a message. It lags behind a little. */
export type WaitingMessage = MessageKey & Pick<Message, 'createdAt' | 'nextAttemptAt'>;

/** What the owner sees of messages. Writing them is left to the send function. */
export interface MessageReader {
  /** Newest first. `before` is the sort key at which the last page ended. */
  list(
    destinationId: string,
    options: {
      readonly before?: string | undefined;
      readonly limit: number;
      readonly status?: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<{ messages: Message[]; before: string | undefined }>;
  find(keys: readonly MessageKey[], signal: AbortSignal): Promise<Message[]>;
  /** The first messages that wait for a destination, by when they are due. Test events are left out. */
  waiting(destinationId: string, signal: AbortSignal): Promise<WaitingMessage[]>;
  healthOf(
    destinationIds: readonly string[],
    signal: AbortSignal,
  ): Promise<(DestinationHealth | undefined)[]>;
  /**
   * How a new destination or URL begins: as slow if one of the workspace's destinations is, or any was within a day,
   * also a deleted one. Otherwise making a new one would be a way back to the fast lane.
   */
  slowStart(
    workspaceId: string,
    destinations: readonly Destination[],
    signal: AbortSignal,
  ): Promise<Pick<Destination, 'slowStartAt'>>;
}

/** A slow destination that was deleted is remembered for so long. */
const SLOW_MEMORY_MS = 24 * 60 * 60 * 1000;

/** Enough to know the next attempt, and with what to try. */
const MAX_WAITING = 20;

/** A page looks at so many messages at most, whatever the filter. */
const MAX_LOOKED_AT = 500;

export function makeMessageReader({
  client,
  tables,
  now,
}: StoreContext<'messages'> & { readonly now: () => number }): MessageReader {
  const table = tables.messages;
  const isLive = (item: Record<string, unknown>) => !(Number(item.expiresAt) <= now() / 1000);
  const healthOf: MessageReader['healthOf'] = async (destinationIds, signal) => {
    const addresses = destinationIds.map((destinationId) => healthAddress(table, destinationId));
    return (await batchGet(client, addresses, signal)) as (DestinationHealth | undefined)[];
  };
  return {
    healthOf,
    async slowStart(workspaceId, destinations, signal) {
      const addresses = destinations.map(({ destinationId }) => healthAddress(table, destinationId));
      const [lane, ...health] = await batchGet(
        client,
        [laneAddress(table, workspaceId), ...addresses],
        signal,
      );
      const lastSlowAt = Date.parse((lane as LaneItem | undefined)?.lastSlowAt ?? '');
      const isSlow = destinations.some((destination, index) =>
        isStrained(destination, health[index] as DestinationHealth | undefined),
      );
      const begins = isSlow || now() - lastSlowAt < SLOW_MEMORY_MS;
      return begins ? { slowStartAt: new Date(now()).toISOString() } : {};
    },
    async list(destinationId, { before, limit, status }, signal) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'destinationId = :destinationId AND sk BETWEEN :first AND :last',
          FilterExpression: status === undefined ? undefined : '#status = :status',
          ExpressionAttributeNames: status === undefined ? undefined : { '#status': 'status' },
          ExpressionAttributeValues: {
            ':destinationId': destinationId,
            ':first': '0',
            ':last': 'g',
            ...(status !== undefined && { ':status': status }),
          },
          ScanIndexForward: false,
          Limit: status === undefined ? limit : MAX_LOOKED_AT,
          ExclusiveStartKey: before === undefined ? undefined : { destinationId, sk: before },
        }),
        { abortSignal: signal },
      );
      const messages = Items.filter(isLive);
      const page = messages.slice(0, limit);
      const isCut = page.length < messages.length;
      return {
        messages: page.map(toMessage),
        before: isCut ? (page.at(-1)?.sk as string) : (LastEvaluatedKey?.sk as string | undefined),
      };
    },
    async waiting(destinationId, signal) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: INDEXES.messagesByDueTime,
          KeyConditionExpression: '#queue = :destinationId',
          ExpressionAttributeNames: { '#queue': 'queue' },
          ExpressionAttributeValues: { ':destinationId': destinationId },
          Limit: MAX_WAITING,
        }),
        { abortSignal: signal },
      );
      return Items.map(toMessage).filter(({ type }) => type !== 'destination.test');
    },
    async find(keys, signal) {
      const items = await batchGet(
        client,
        keys.map((key) => messageAddress(table, key)),
        signal,
      );
      return items
        .filter((item) => item !== undefined && isLive(item))
        .map((item) => toMessage(item as Record<string, unknown>));
    },
  };
}
