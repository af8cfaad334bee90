import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../aws/dynamodb.ts';
import { IN_TURN_PARTITION } from './in-turn-source.ts';

/** How far the shards of a stream have been read: the last sequence number, or that there are no more records. */
export type ShardPositions = Readonly<Record<string, string>>;

export const SHARD_END = 'end';

export interface ShardPositionsStore {
  read(reader: string): Promise<ShardPositions>;
  write(reader: string, positions: ShardPositions): Promise<void>;
}

/** In Stats, in a partition of their own. A reader is a function: two may follow one stream. */
export function makeShardPositions({ client, tables }: StoreContext<'stats'>): ShardPositionsStore {
  const key = (reader: string) => ({ workspaceId: IN_TURN_PARTITION, sk: reader });
  return {
    async read(reader) {
      const command = new GetCommand({ TableName: tables.stats, Key: key(reader), ConsistentRead: true });
      return ((await client.send(command)).Item?.shards ?? {}) as ShardPositions;
    },
    async write(reader, shards) {
      await client.send(new PutCommand({ TableName: tables.stats, Item: { ...key(reader), shards } }));
    },
  };
}
