import {
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { itemBytes, writeUnits } from '../../lambdas/model/lead-item.ts';
import { fromWire, type WireCall, type WireInput, type WireItem } from './wire-calls.ts';

/** What calls cost, by AWS's rules. */
export interface Capacity {
  readonly writeUnits: number;
  readonly readUnits: number;
  /** For single writes only: what the engine reported, and what we computed for the same calls. */
  readonly check: { readonly reported: number; readonly computed: number };
}

const NOTHING: Capacity = { writeUnits: 0, readUnits: 0, check: { reported: 0, computed: 0 } };
const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem']);

/**
 * Computes what calls cost from the sizes of the items: one unit per started KB, for the table and for each index entry.
 * A transaction costs two per KB of the table, also for condition checks, and one per KB of an index. A write whose
 * condition fails costs the size of the stored item.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
 */
export function makeCapacity(observer: DynamoDBClient) {
  const indexes = makeTableIndexes(observer);

  async function storedItem(table: string, key: WireItem | undefined): Promise<Record<string, unknown>> {
    const { Item } = await observer.send(
      new GetItemCommand({ TableName: table, Key: key as never, ConsistentRead: true }),
    );
    return Item ? unmarshall(Item) : {};
  }

  async function single(input: WireInput, refused: boolean): Promise<{ table: number; index: number }> {
    const table = input.TableName as string;
    if (input.Item && !refused) {
      const item = fromWire(input.Item);
      const entries = await indexes.entriesOf(table, item);
      return {
        table: writeUnits(itemBytes(item)),
        index: entries.reduce((sum, entry) => sum + writeUnits(itemBytes(entry)), 0),
      };
    }
    const item = await storedItem(table, input.Key ?? (await keyOf(table, input.Item)));
    return { table: writeUnits(itemBytes(item)), index: 0 };
  }

  async function keyOf(table: string, item: WireItem = {}): Promise<WireItem> {
    const names = await indexes.keyOf(table);
    return Object.fromEntries(names.map((name) => [name, item[name] as WireItem[string]]));
  }

  /** Computed as well: unlike the engine, AWS charges for reads of missing items. */
  async function reads({
    TableName,
    Key,
    ConsistentRead,
    RequestItems,
  }: WireInput): Promise<number | undefined> {
    const read = async (table: string, key: WireItem, consistent = false) =>
      Math.max(1, Math.ceil(itemBytes(await storedItem(table, key)) / 4_096)) * (consistent ? 1 : 0.5);
    if (TableName && Key) return read(TableName, Key, ConsistentRead);
    if (!RequestItems) return undefined;
    const each = Object.entries(RequestItems).flatMap(([table, asked]) =>
      'Keys' in asked ? asked.Keys.map((key) => read(table, key, asked.ConsistentRead)) : [],
    );
    return (await Promise.all(each)).reduce((sum, units) => sum + units, 0);
  }

  async function ofCall({ action, input, refused, consumed }: WireCall): Promise<Capacity> {
    const reported = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    if (!WRITES.has(action))
      return { ...NOTHING, readUnits: (await reads(input)) ?? queried(input, reported) };
    if (action === 'TransactWriteItems') {
      const parts = (input.TransactItems ?? []).flatMap((item) => Object.values(item));
      const units = await Promise.all(parts.map((part) => single(part, refused)));
      return { ...NOTHING, writeUnits: units.reduce((sum, { table, index }) => sum + 2 * table + index, 0) };
    }
    if (action === 'BatchWriteItem') {
      const units = await Promise.all(writesOf(input).map((write) => single(write, refused)));
      return { ...NOTHING, writeUnits: units.reduce((sum, { table, index }) => sum + table + index, 0) };
    }
    const { table, index } = await single(input, refused);
    const computed = table + index;
    return { ...NOTHING, writeUnits: computed, check: refused ? NOTHING.check : { reported, computed } };
  }

  return async function capacityOf(calls: readonly WireCall[]): Promise<Capacity> {
    const each = await Promise.all(calls.map(ofCall));
    return each.reduce(
      (sum, one) => ({
        writeUnits: sum.writeUnits + one.writeUnits,
        readUnits: sum.readUnits + one.readUnits,
        check: {
          reported: sum.check.reported + one.check.reported,
          computed: sum.check.computed + one.check.computed,
        },
      }),
      NOTHING,
    );
  };
}

/** AWS also charges for a query that finds nothing. */
function queried({ ConsistentRead = false }: WireInput, reported: number): number {
  return Math.max(ConsistentRead ? 1 : 0.5, reported);
}

/** The parts of a BatchWriteItem as separate writes. */
function writesOf({ RequestItems = {} }: WireInput): WireInput[] {
  return Object.entries(RequestItems).flatMap(([TableName, asked]) =>
    'Keys' in asked
      ? []
      : asked.map(({ PutRequest, DeleteRequest }) => ({
          TableName,
          ...(PutRequest && { Item: PutRequest.Item }),
          ...(DeleteRequest && { Key: DeleteRequest.Key }),
        })),
  );
}

export interface TableIndexes {
  /** The entries of an item in the indexes of its table. An index whose key it lacks has none. */
  entriesOf(table: string, item: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>[]>;
  keyOf(table: string): Promise<string[]>;
}

/** Knows the indexes of tables as the engine describes them. */
export function makeTableIndexes(client: DynamoDBClient): TableIndexes {
  const known = new Map<string, Promise<TableDescription | undefined>>();

  function describe(table: string): Promise<TableDescription | undefined> {
    const found =
      known.get(table) ??
      client.send(new DescribeTableCommand({ TableName: table })).then(({ Table }) => Table);
    known.set(table, found);
    return found;
  }

  const names = (schema: { AttributeName?: string | undefined }[] = []) =>
    schema.map(({ AttributeName }) => AttributeName as string);

  return {
    keyOf: async (table) => names((await describe(table))?.KeySchema),

    async entriesOf(table, item) {
      const description = await describe(table);
      return (description?.GlobalSecondaryIndexes ?? []).flatMap(({ KeySchema, Projection }) => {
        const key = names(KeySchema);
        if (key.some((name) => item[name] === undefined)) return [];
        if (Projection?.ProjectionType === 'ALL') return [{ ...item }];
        const kept = new Set([
          ...key,
          ...names(description?.KeySchema),
          ...(Projection?.NonKeyAttributes ?? []),
        ]);
        return [Object.fromEntries(Object.entries(item).filter(([name]) => kept.has(name)))];
      });
    },
  };
}
