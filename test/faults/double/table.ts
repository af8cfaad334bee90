import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import { INDEXES, type TableKey } from '#contract';
import type { Change } from './dynamodb-double.ts';
import { pick } from './reads.ts';
import { type AttributeValue, type Item, invalid, requireKnownTypes, Unsupported } from './wire-format.ts';

/** Items by key. Items are replaced, never changed, so a copy of the map is a copy of the table. */
export class Table {
  readonly definition: TableDefinition;
  #items = new Map<string, Item>();
  /** Each item before its latest write, which eventually consistent reads may still return. */
  readonly #before = new Map<string, Item | undefined>();

  constructor(definition: TableDefinition) {
    this.definition = definition;
  }

  /** The item's key as one string; throws if it is not a key of this table. */
  addressOf(key: Item, exactly = true): string {
    const { keys } = this.definition;
    if (exactly && Object.keys(key).length !== keys.length) {
      throw invalid('The provided key element does not match the schema');
    }
    return keys.map((name) => textOf(name, key[name])).join('\u0000');
  }

  get(address: string, consistent = true): Item | undefined {
    if (!consistent && this.#before.has(address)) return this.#before.get(address);
    return this.#items.get(address);
  }

  set(address: string, item: Item | undefined): void {
    this.#before.set(address, this.#items.get(address));
    if (item === undefined) {
      this.#items.delete(address);
      return;
    }
    requireKnownTypes(item);
    for (const { keys } of Object.values(this.definition.indexes)) {
      for (const name of keys) if (item[name] !== undefined) textOf(name, item[name]);
    }
    this.#items.set(address, item);
  }

  all(consistent = true): Item[] {
    if (consistent) return [...this.#items.values()];
    const addresses = new Set([...this.#items.keys(), ...this.#before.keys()]);
    return [...addresses].map((address) => this.get(address, false)).filter((item) => item !== undefined);
  }

  /** The items of an index, with its projection. Items without its keys are not in it. */
  entries(indexName: string, consistent: boolean): { keys: readonly string[]; items: Item[] } {
    const index = this.definition.indexes[indexName];
    if (!index) throw new Unsupported(`the index ${indexName}`);
    const { keys, projects } = index;
    const items = this.all(consistent).filter((item) => keys.every((name) => item[name] !== undefined));
    const names = projects === 'all' ? undefined : [...keys, ...this.definition.keys, ...projects];
    return { keys, items: names ? items.map((item) => pick(item, names)) : items };
  }

  snapshot(): ReadonlyMap<string, Item> {
    return new Map(this.#items);
  }

  restore(snapshot: ReadonlyMap<string, Item>): void {
    this.#items = new Map(snapshot);
    this.#before.clear();
  }
}

function textOf(name: string, value: AttributeValue | undefined): string {
  if (value === undefined) throw invalid(`Missing the key ${name} in the item`);
  if (typeof value.S !== 'string') throw invalid(`Type mismatch for key ${name}`);
  if (value.S === '') throw invalid(`The key ${name} must not be empty`);
  return value.S;
}

interface IndexDefinition {
  readonly keys: readonly string[];
  /** Projected attributes in addition to the keys. */
  readonly projects: 'all' | readonly string[];
}

interface TableDefinition {
  readonly keys: readonly string[];
  readonly indexes: Readonly<Record<string, IndexDefinition>>;
}

/** The shapes of lib/tables/shapes.ts. The conformance suite compares these with the tables of the running stack. */
export const TABLE_DEFINITIONS: Readonly<Record<TableKey, TableDefinition>> = {
  workspaces: { keys: ['workspaceId'], indexes: {} },
  forms: {
    keys: ['slug', 'formId'],
    indexes: {
      [INDEXES.formsByWorkspace]: { keys: ['workspaceId', 'formId'], projects: 'all' },
      [INDEXES.formsById]: { keys: ['formId'], projects: [] },
    },
  },
  formSecrets: { keys: ['slug', 'formId'], indexes: {} },
  tokens: {
    keys: ['tokenHash'],
    indexes: {
      [INDEXES.tokensByWorkspace]: { keys: ['workspaceId', 'tokenId'], projects: 'all' },
      [INDEXES.tokensById]: { keys: ['tokenId'], projects: [] },
    },
  },
  leads: {
    keys: ['leadId', 'part'],
    indexes: {
      [INDEXES.leadsByForm]: {
        keys: ['formId', 'leadId'],
        projects: ['workspaceId', 'surface', 'score', 'clean', 'receivedAt'],
      },
    },
  },
  idempotency: { keys: ['keyHash'], indexes: {} },
  rejections: { keys: ['requestId', 'sk'], indexes: {} },
  unauthenticatedRejections: { keys: ['requestId', 'sk'], indexes: {} },
  diagnostics: { keys: ['workspaceId', 'sk'], indexes: {} },
  stats: { keys: ['workspaceId', 'sk'], indexes: {} },
  destinations: { keys: ['workspaceId', 'destinationId'], indexes: {} },
  destinationSecrets: { keys: ['destinationId'], indexes: {} },
  alerts: { keys: ['workspaceId', 'sk'], indexes: {} },
  leadIndex: { keys: ['bucket', 'leadId'], indexes: {} },
  members: { keys: ['workspaceId', 'memberId'], indexes: {} },
  apiKeys: {
    keys: ['keyHash'],
    indexes: { [INDEXES.apiKeysByWorkspace]: { keys: ['workspaceId', 'keyId'], projects: 'all' } },
  },
  activity: { keys: ['workspaceId', 'activityId'], indexes: {} },
  recipients: { keys: ['recipientKey'], indexes: {} },
  messages: {
    keys: ['destinationId', 'sk'],
    indexes: {
      [INDEXES.messagesByDueTime]: {
        keys: ['queue', 'dueAt'],
        projects: ['workspaceId', 'leadId', 'type', 'formId', 'createdAt', 'nextAttemptAt'],
      },
    },
  },
};

export interface StreamShard {
  readonly shardId: string;
  readonly streamArn: string;
  readonly records: readonly DynamoDBRecord[];
}

/** Just below a longer number, so that comparing sequence numbers as text would fail. */
const FIRST_SEQUENCE_NUMBER = 96;

/** The stream of a table: each shard has its changes in order, with the new image. */
export class TableStream {
  readonly shards: readonly (StreamShard & { readonly records: DynamoDBRecord[] })[];
  readonly #keys: readonly [partition: string, ...sort: string[]];

  constructor(table: TableKey, shards: number) {
    this.#keys = TABLE_DEFINITIONS[table].keys as [string];
    const streamArn = `arn:aws:dynamodb:eu-central-1:111122223333:table/${table}/stream/2026-11-01T00:00:00.000`;
    this.shards = Array.from({ length: shards }, (_, at) => ({
      shardId: `shardId-${at + 1}`,
      streamArn,
      records: [],
    }));
  }

  add({ before, after }: Change): void {
    // A write that changes nothing makes no record.
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

  /** By partition key, like DynamoDB. */
  #shardOf(image: Item) {
    const partition = String(image[this.#keys[0]]?.S);
    const hash = createHash('md5').update(partition).digest().readUInt16BE();
    return this.shards[hash % this.shards.length] as (typeof this.shards)[number];
  }
}

export function makeStreams() {
  return {
    leads: new TableStream('leads', 2),
    rejections: new TableStream('rejections', 2),
    unauthenticatedRejections: new TableStream('unauthenticatedRejections', 2),
  };
}
