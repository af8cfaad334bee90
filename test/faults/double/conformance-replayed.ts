import { createHash } from 'node:crypto';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type PutItemCommandInput,
  QueryCommand,
  ScanCommand,
  type TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { TableNames } from '#aws/dynamodb.ts';
import type { ExecutedCall } from './dynamodb-double.ts';

const COMMANDS: Readonly<Record<string, unknown>> = {
  GetItem: GetItemCommand,
  BatchGetItem: BatchGetItemCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  PutItem: PutItemCommand,
  UpdateItem: UpdateItemCommand,
  DeleteItem: DeleteItemCommand,
  BatchWriteItem: BatchWriteItemCommand,
  TransactWriteItems: TransactWriteItemsCommand,
};

/** Which segment has an item is up to DynamoDB. */
export const isComparable = ({ input }: ExecutedCall): boolean => Number(input.TotalSegments ?? 1) === 1;

/** What the double answered, as far as callers may rely on it. */
export function responseOf({ operation, reply: { statusCode, body } }: ExecutedCall): unknown {
  const { __type, message: _, Message: __, ...members } = body;
  const error = statusCode === 200 ? {} : { error: String(__type).split('#')[1] };
  return inAnyOrder(operation, { ...error, ...members });
}

/** Sends the call to DynamoDB Local. Returns what it answered, in the same form. */
export async function replay(
  client: DynamoDBClient,
  tables: TableNames,
  { operation, input }: Pick<ExecutedCall, 'operation' | 'input'>,
): Promise<unknown> {
  const Command = COMMANDS[operation] as typeof PutItemCommand;
  const renamed = withNames(input, (name) => tables[name as keyof TableNames]);
  const backwards = new Map(Object.entries(tables).map(([noun, name]) => [name, noun]));
  const nouns = (response: object) => withNames(plain(response), (name) => backwards.get(name) ?? name);
  try {
    const sent = await client.send(new Command(withBytes(renamed) as PutItemCommandInput));
    // DynamoDB Local returns the capacity of a delete that found nothing even when not requested.
    const { $metadata: _, ConsumedCapacity: __, ...output } = sent;
    return inAnyOrder(operation, nouns(output));
  } catch (error) {
    const { name, Item, CancellationReasons } = error as TransactionCanceledException & {
      Item?: object;
    };
    const members = { ...(Item && { Item }), ...(CancellationReasons && { CancellationReasons }) };
    return inAnyOrder(operation, { error: name, ...nouns(members) });
  }
}

type Members = Readonly<Record<string, unknown>>;

/** Only queries have an order. And no code reads messages, which DynamoDB Local sometimes ends with a period. */
function inAnyOrder(
  operation: string,
  { CancellationReasons, Items, Responses, ...members }: Members,
): Members {
  const sorted = (items: unknown) => (items as object[]).map(textOf).sort();
  const reasons = (CancellationReasons as Members[] | undefined)?.map(({ Message: _, ...reason }) => reason);
  const byTable = Object.entries((Responses ?? {}) as Members);
  return {
    ...members,
    ...(reasons && { reasons }),
    ...(Items !== undefined && { Items: operation === 'Scan' ? sorted(Items) : Items }),
    ...(Responses !== undefined && {
      Responses: Object.fromEntries(byTable.map(([table, items]) => [table, sorted(items)])),
    }),
  };
}

/** The same text for the same item, whatever the order of its attributes. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 36);

/** Renames the tables in a call or a response, and the tokens of transactions. */
function withNames(members: Members, rename: (name: string) => string): Members {
  const KEYED = ['RequestItems', 'Responses', 'UnprocessedKeys', 'UnprocessedItems'];
  return Object.fromEntries(
    Object.entries(members).map(([member, value]) => {
      if (member === 'TableName') return [member, rename(String(value))];
      // DynamoDB Local remembers tokens whatever the tables, and schedules repeat them.
      if (member === 'ClientRequestToken') return [member, shortHash(`${rename('leads')} ${value}`)];
      if (member === 'TransactItems') {
        const renamed = (value as Record<string, Members>[]).map((item) =>
          Object.fromEntries(Object.entries(item).map(([action, of]) => [action, withNames(of, rename)])),
        );
        return [member, renamed];
      }
      if (!KEYED.includes(member)) return [member, value];
      return [
        member,
        Object.fromEntries(Object.entries(value as Members).map(([table, of]) => [rename(table), of])),
      ];
    }),
  );
}

/** As the SDK takes them: bytes are text only on the wire. */
const withBytes = (value: unknown) => mapBytes(value, (text) => Buffer.from(String(text), 'base64'));

/** As they are on the wire, without members that are not there. */
const plain = (value: unknown): Members =>
  JSON.parse(JSON.stringify(mapBytes(value, (bytes) => Buffer.from(bytes as Uint8Array).toString('base64'))));

function mapBytes(value: unknown, change: (bytes: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapBytes(each, change));
  if (typeof value !== 'object' || value === null) return value;
  const isBytes = 'B' in value && Object.keys(value).length === 1;
  if (isBytes) return { B: change(value.B) };
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapBytes(each, change)]));
}
