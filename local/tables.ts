import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttributeDefinition,
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  type LocalSecondaryIndex,
  ResourceNotFoundException,
  type StreamSpecification,
  type TableDescription,
  type TimeToLiveSpecification,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { StartupError } from './lifecycle.ts';
import type { Resource, TemplateReader } from './template.ts';

/** A table as in the template. */
interface TableShape {
  readonly name: string;
  readonly attributes: AttributeDefinition[];
  readonly key: KeySchemaElement[];
  readonly globalIndexes: GlobalSecondaryIndex[];
  readonly localIndexes: LocalSecondaryIndex[];
  readonly stream: StreamSpecification | undefined;
  readonly timeToLive: TimeToLiveSpecification | undefined;
}

/**
 * Creates missing tables. Returns true if all were missing: the database is new. DynamoDB Local deletes expired items
 * within seconds, by the real clock, unless they are kept.
 */
export async function makeTables(
  client: DynamoDBClient,
  reader: TemplateReader,
  { keepExpired = false } = {},
): Promise<boolean> {
  const shapes = reader
    .resources('AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table')
    .map((resource) => readShape(resource, reader))
    .map((shape) => (keepExpired ? { ...shape, timeToLive: undefined } : shape));
  const made = await Promise.all(shapes.map((shape) => makeTable(client, shape)));
  return made.every(Boolean);
}

/** Tells the reader the ARNs of the streams, which the database generates. */
export async function findStreams(client: DynamoDBClient, reader: TemplateReader): Promise<void> {
  const tables = reader.resources('AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table');
  const find = async ({ logicalId }: Resource) => {
    const arn = (await describe(client, reader.ref(logicalId)))?.LatestStreamArn;
    if (arn !== undefined) reader.setAttribute(logicalId, 'StreamArn', arn);
  };
  await Promise.all(tables.filter((table) => table.property('StreamSpecification')).map(find));
}

function readShape(table: Resource, reader: TemplateReader): TableShape {
  const stream = table.property<StreamSpecification>('StreamSpecification');
  return {
    name: reader.ref(table.logicalId),
    attributes: table.required('AttributeDefinitions'),
    key: table.required('KeySchema'),
    globalIndexes: table.property('GlobalSecondaryIndexes') ?? [],
    localIndexes: table.property('LocalSecondaryIndexes') ?? [],
    // CloudFormation implies this; the API requires it.
    stream: stream && { ...stream, StreamEnabled: true },
    timeToLive: table.property('TimeToLiveSpecification'),
  };
}

async function makeTable(client: DynamoDBClient, shape: TableShape): Promise<boolean> {
  const existing = await describe(client, shape.name);
  if (existing === undefined) {
    await client.send(
      new CreateTableCommand({
        TableName: shape.name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: shape.attributes,
        KeySchema: shape.key,
        GlobalSecondaryIndexes: undefinedIfEmpty(shape.globalIndexes.map(pickIndexShape)),
        LocalSecondaryIndexes: undefinedIfEmpty(shape.localIndexes),
        StreamSpecification: shape.stream,
      }),
    );
  } else {
    await adjust(client, shape, existing);
  }
  await setTimeToLive(client, shape);
  return existing === undefined;
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Adds new indexes and a new stream to a kept table. Other changes are rejected. */
async function adjust(client: DynamoDBClient, shape: TableShape, existing: TableDescription): Promise<void> {
  const wanted = new Map(shape.globalIndexes.map((index) => [index.IndexName, index]));
  const found = new Map((existing.GlobalSecondaryIndexes ?? []).map((index) => [index.IndexName, index]));
  const same =
    keyOf(existing.KeySchema, existing.AttributeDefinitions) === keyOf(shape.key, shape.attributes) &&
    [...found].every(([name, index]) => {
      const counterpart = wanted.get(name);
      return (
        counterpart !== undefined &&
        indexShape(index, existing.AttributeDefinitions) === indexShape(counterpart, shape.attributes)
      );
    });
  if (!same) {
    throw new StartupError(
      `The keys or indexes of the kept table ${shape.name} don't match the stack: another version wrote it. To keep the data, start that version with this data folder and run leadctl backup --to FOLDER; leadctl restore --from FOLDER brings it into this version. Delete the data folder to start again.`,
    );
  }
  for (const [name, index] of wanted) {
    if (found.has(name)) continue;
    await client.send(
      new UpdateTableCommand({
        TableName: shape.name,
        AttributeDefinitions: shape.attributes,
        GlobalSecondaryIndexUpdates: [{ Create: pickIndexShape(index) }],
      }),
    );
    await waitForIndexes(client, shape.name);
  }
  if (shape.stream !== undefined && !existing.StreamSpecification?.StreamEnabled) {
    await client.send(new UpdateTableCommand({ TableName: shape.name, StreamSpecification: shape.stream }));
  }
}

/** A new index is built in the background. Until then the table can't be changed, nor the index queried. */
async function waitForIndexes(client: DynamoDBClient, name: string): Promise<void> {
  for (;;) {
    const table = await describe(client, name);
    if (table?.GlobalSecondaryIndexes?.every(({ IndexStatus }) => IndexStatus === 'ACTIVE')) return;
    await sleep(50);
  }
}

async function setTimeToLive(client: DynamoDBClient, shape: TableShape): Promise<void> {
  if (!shape.timeToLive?.Enabled) return;
  const { TimeToLiveDescription: present } = await client.send(
    new DescribeTimeToLiveCommand({ TableName: shape.name }),
  );
  // Setting it twice is an error.
  if (present?.TimeToLiveStatus === 'ENABLED') return;
  await client.send(
    new UpdateTimeToLiveCommand({ TableName: shape.name, TimeToLiveSpecification: shape.timeToLive }),
  );
}

/** The template may contain more, for example capacity. */
function pickIndexShape({ IndexName, KeySchema, Projection }: GlobalSecondaryIndex): GlobalSecondaryIndex {
  return { IndexName, KeySchema, Projection };
}

interface IndexLike {
  readonly KeySchema?: KeySchemaElement[];
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: string[] };
}

function indexShape(
  { KeySchema, Projection }: IndexLike,
  attributes: AttributeDefinition[] | undefined,
): string {
  const included = [...(Projection?.NonKeyAttributes ?? [])].sort();
  return [keyOf(KeySchema, attributes), Projection?.ProjectionType, ...included].join(' ');
}

/** The key with its types in a comparable form: `HASH slug S, RANGE formId S`. */
function keyOf(key: KeySchemaElement[] = [], attributes: AttributeDefinition[] = []): string {
  const typeOf = (name: string | undefined) =>
    attributes.find((attribute) => attribute.AttributeName === name)?.AttributeType;
  return key
    .map(({ KeyType, AttributeName }) => `${KeyType} ${AttributeName} ${typeOf(AttributeName)}`)
    .sort()
    .join(', ');
}

function undefinedIfEmpty<Item>(items: Item[]): Item[] | undefined {
  return items.length === 0 ? undefined : items;
}
