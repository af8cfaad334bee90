import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import type { TableNoun } from '#contract';
import type { Item } from './attribute-value.ts';
import type { Change } from './dynamodb-double.ts';
import { TABLE_DEFINITIONS } from './table-definitions.ts';

export interface StreamShard {
  readonly shardId: string;
  readonly streamArn: string;
  readonly records: readonly DynamoDBRecord[];
}

/** So that the numbers soon get longer: compared as text, they would be out of order. */
const FIRST_SEQUENCE_NUMBER = 96;

/** The stream of a table: in each shard every change in the order in which it was made, with the new image. */
export class TableStream {
  readonly shards: readonly (StreamShard & { readonly records: DynamoDBRecord[] })[];
  readonly #keys: readonly [partition: string, ...sort: string[]];

  constructor(table: TableNoun, shards: number) {
    this.#keys = TABLE_DEFINITIONS[table].keys as [string];
    const streamArn = `arn:aws:dynamodb:eu-central-1:111122223333:table/${table}/stream/2026-11-01T00:00:00.000`;
    this.shards = Array.from({ length: shards }, (_, at) => ({
      shardId: `shardId-${at + 1}`,
      streamArn,
      records: [],
    }));
  }

  add({ before, after }: Change): void {
    // A write that changes nothing leaves no record.
    if (isDeepStrictEqual(before, after)) return;
    const image = (after ?? before) as Item;
    const { records } = this.#shardOf(image);
    const sequence = String(FIRST_SEQUENCE_NUMBER + records.length);
    records.push({
      eventID: `event-${sequence}`,
      eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
      eventSource: 'aws:dynamodb',
      dynamodb: {
        SequenceNumber: sequence,
        Keys: Object.fromEntries(this.#keys.map((name) => [name, image[name]])),
        ...(after && { NewImage: after }),
      },
    } as unknown as DynamoDBRecord);
  }

  /** By the partition key, as DynamoDB does it. */
  #shardOf(image: Item) {
    const partition = String(image[this.#keys[0]]?.S);
    const hash = createHash('md5').update(partition).digest().readUInt16BE();
    return this.shards[hash % this.shards.length] as (typeof this.shards)[number];
  }
}

export function makeStreams() {
  return {
    leads: new TableStream('leads', 1),
    rejections: new TableStream('rejections', 2),
    unauthenticatedRejections: new TableStream('unauthenticatedRejections', 2),
  };
}
