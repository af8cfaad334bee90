import type { Call } from './evaluate.ts';
import type { QueueResource, Resources, TableResource } from './resources.ts';

/** The actions that IAM checks. A batch needs those of its parts. */
const ACTIONS: Readonly<Record<string, string>> = {
  SendMessage: 'SendMessage',
  SendMessageBatch: 'SendMessage',
  ReceiveMessage: 'ReceiveMessage',
  DeleteMessage: 'DeleteMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibility: 'ChangeMessageVisibility',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
  GetQueueAttributes: 'GetQueueAttributes',
};

/**
 * The key permissions that senders and receivers of an encrypted queue need.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 */
const KEY_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  SendMessage: ['kms:GenerateDataKey', 'kms:Decrypt'],
  ReceiveMessage: ['kms:Decrypt'],
};

/** What IAM must allow for an SQS request. */
export function sqsCalls(
  operation: string,
  body: { readonly QueueUrl?: string },
  resources: Resources,
): Call[] {
  const action = ACTIONS[operation];
  if (action === undefined) throw new Error(`the permissions of sqs:${operation} are not known`);
  const name = body.QueueUrl?.split('/').at(-1) ?? '';
  const queue = resources.queues.get(name);
  if (queue === undefined) throw new Error(`the template has no queue ${name}`);
  return [{ action: `sqs:${action}`, resource: queue.arn }, ...keyCalls(queue, KEY_ACTIONS[action] ?? [])];
}

function keyCalls({ keyArn, arn }: QueueResource, actions: readonly string[]): Call[] {
  if (keyArn === undefined) return [];
  const [, , , region, account] = arn.split(':');
  return actions.map((action) => ({
    action,
    resource: keyArn,
    context: {
      'kms:ViaService': `sqs.${region}.amazonaws.com`,
      'kms:CallerAccount': account,
      'kms:EncryptionContext:aws:sqs:arn': arn,
    },
  }));
}

type AttributeValue = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, AttributeValue>>;

/** One operation on one table: a request, or part of a batch or transaction. */
interface TablePart {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly Keys?: readonly Item[];
  readonly KeyConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
  readonly Select?: string;
  readonly ReturnValues?: string;
}

/** The parts of a request's body that permissions depend on. */
interface Body extends TablePart {
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, TablePart>>[];
  readonly StreamArn?: string;
  readonly ShardIterator?: string;
}

/** Reads the calls of an operation from its body. */
type ReadCalls = (operation: string, body: Body, find: FindTable) => TableCall[];
type FindTable = (nameOrArn: string) => TableResource;

interface TableCall {
  readonly operation: string;
  readonly part: TablePart;
  readonly table: TableResource;
  readonly enclosing?: string;
  readonly keys?: readonly Item[];
}

const onTable: ReadCalls = (operation, body, find) => [
  { operation, part: body, table: find(body.TableName) },
];

const batchGet: ReadCalls = (operation, { RequestItems = {} }, find) =>
  Object.entries(RequestItems).map(([name, part]) => ({
    operation,
    part: part as TablePart,
    table: find(name),
    keys: (part as TablePart).Keys ?? [],
  }));

interface WriteRequest {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

const batchWrite: ReadCalls = (operation, { RequestItems = {} }, find) =>
  Object.entries(RequestItems).map(([name, requests]) => ({
    operation,
    part: { TableName: name },
    table: find(name),
    keys: (requests as WriteRequest[]).map(
      ({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {},
    ),
  }));

/** IAM checks the actions of a transaction's parts: `Put` is `PutItem`. */
const transaction: ReadCalls = (operation, { TransactItems = [] }, find) =>
  TransactItems.flatMap((item) =>
    Object.entries(item).map(([kind, part]) => ({
      operation: `${kind}Item`,
      part,
      table: find(part.TableName),
      enclosing: operation,
    })),
  );

/** The supported operations. Others, such as PartiQL, must be added before they are used. */
const OPERATIONS: Readonly<Record<string, ReadCalls>> = {
  GetItem: onTable,
  PutItem: onTable,
  UpdateItem: onTable,
  DeleteItem: onTable,
  Query: onTable,
  Scan: onTable,
  DescribeTable: onTable,
  DescribeTimeToLive: onTable,
  BatchGetItem: batchGet,
  BatchWriteItem: batchWrite,
  TransactGetItems: transaction,
  TransactWriteItems: transaction,
};

/** They read no items, so they need no key. */
const METADATA = new Set(['DescribeTable', 'DescribeTimeToLive']);

/** What IAM must allow for a DynamoDB request. */
export function dynamoDbCalls(
  operation: string,
  body: Body,
  resources: Resources,
  hasConditionOn: (conditionKey: string) => boolean,
): Call[] {
  const read = OPERATIONS[operation];
  if (read === undefined) throw new Error(`the permissions of dynamodb:${operation} are not known`);
  const calls = read(operation, body, (nameOrArn) => findTable(nameOrArn, resources));
  const encrypted = new Set(METADATA.has(operation) ? [] : calls.map(({ table }) => table));
  return [
    ...calls.map((call) => ({
      action: `dynamodb:${call.operation}`,
      resource: call.part.IndexName ? `${call.table.arn}/index/${call.part.IndexName}` : call.table.arn,
      context: {
        'dynamodb:EnclosingOperation': call.enclosing,
        'dynamodb:Select': call.part.Select,
        'dynamodb:ReturnValues': call.part.ReturnValues,
        ...(hasConditionOn('dynamodb:LeadingKeys') && { 'dynamodb:LeadingKeys': leadingKeys(call) }),
        // Of what is put and updated. No policy restricts the attributes of other calls.
        ...(hasConditionOn('dynamodb:Attributes') && { 'dynamodb:Attributes': writtenAttributes(call.part) }),
      },
    })),
    ...[...encrypted].flatMap(decryptTable),
  ];
}

/** The attributes that a write names, in its expressions too; of nested ones only the first name. */
function writtenAttributes({ Item, Key, UpdateExpression, ConditionExpression, ...part }: TablePart) {
  if (Item) return Object.keys(Item);
  if (UpdateExpression === undefined) return undefined;
  const names =
    `${UpdateExpression} ${ConditionExpression ?? ''}`.match(/(?<![\w:.#])#?[A-Za-z]\w*(?!\w*\()/g) ?? [];
  const attributes = names.filter((name) => !KEYWORDS.has(name));
  const resolved = attributes.map((name) => part.ExpressionAttributeNames?.[name] ?? name);
  return [...new Set([...Object.keys(Key ?? {}), ...resolved])];
}

const KEYWORDS = new Set(['SET', 'REMOVE', 'ADD', 'DELETE', 'AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

/** What IAM must allow for a request to a table's stream. */
export function streamCalls(operation: string, body: Body, resources: Resources): Call[] {
  const action = `dynamodb:${operation}`;
  if (operation === 'ListStreams') return [{ action, resource: '*' }];
  // An iterator contains its stream's ARN.
  const arn = body.StreamArn ?? /arn:aws:dynamodb:[^|]+/.exec(body.ShardIterator ?? '')?.[0];
  if (arn === undefined) throw new Error(`the stream of a ${operation} is not known`);
  const table = findTable(arn, resources);
  return [{ action, resource: arn }, ...(operation === 'GetRecords' ? decryptTable(table) : [])];
}

/** By name or ARN. A stream's ARN begins with the table's. */
function findTable(nameOrArn: string, { tables }: Resources): TableResource {
  const name = nameOrArn.startsWith('arn:') ? (nameOrArn.split('/')[1] ?? '') : nameOrArn;
  const table = tables.get(name);
  if (table === undefined) throw new Error(`the template has no table ${name}`);
  return table;
}

/**
 * DynamoDB uses the key of an encrypted table with the permissions of the caller.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
function decryptTable({ keyArn, name, arn }: TableResource): Call[] {
  if (keyArn === undefined) return [];
  const [, , , region, account] = arn.split(':');
  return [
    {
      action: 'kms:Decrypt',
      resource: keyArn,
      context: {
        'kms:ViaService': `dynamodb.${region}.amazonaws.com`,
        'kms:CallerAccount': account,
        'kms:EncryptionContext:aws:dynamodb:tableName': name,
        'kms:EncryptionContext:aws:dynamodb:subscriberId': account,
      },
    },
  ];
}

/** The partition key values of a call. A scan has none. */
function leadingKeys({ operation, part, table, keys }: TableCall): readonly string[] | undefined {
  const attribute = table.partitionKeys.get(part.IndexName ?? '') ?? '';
  if (operation === 'Query') return queriedKey(part, attribute);
  const items = keys ?? [part.Key ?? part.Item ?? []].flat();
  return items.length === 0 ? undefined : items.map((item) => textOf(item[attribute]));
}

function queriedKey(part: TablePart, attribute: string): string[] {
  const { KeyConditionExpression = '', ExpressionAttributeNames: names = {} } = part;
  const equality = [...KeyConditionExpression.matchAll(/([#\w.-]+)\s*=\s*(:\w+)/g)].find(
    ([, name = '']) => (names[name] ?? name) === attribute,
  );
  if (equality === undefined) throw new Error(`the query names no value of ${attribute} that can be read`);
  return [textOf(part.ExpressionAttributeValues?.[equality[2] ?? ''])];
}

function textOf(value: AttributeValue | undefined): string {
  return String(Object.values(value ?? {})[0]);
}
