import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DynamoDB,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
} from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { hashToken } from '../../lambdas/model/ingest-token.ts';
import type { DataDirectory } from '../../local/data-directory.ts';
import { recordCalls } from '../../local/fixture/recorded-calls.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../../local/local-account.ts';
import type { Assembly } from '../../local/synthesize.ts';
import type { TemplateReader } from '../../local/template.ts';
import { BODIES, gatewayEvent, LAMBDA_CONTEXT, SIZES } from '../fixtures/index.ts';
import type { UnitCount } from '../measure/write-units.ts';
import { makeOffTheShelf } from '../off-the-shelf/handler.ts';
import { makeCapacity } from '../units/capacity.ts';
import { recordWire } from '../units/wire-calls.ts';
import { FLOOR_TABLE, SHELF_TABLES } from './contender-names.ts';

/** The engines of the local stack without its functions, so that no background work disturbs a measurement. */
export interface Engines {
  readonly data: DataDirectory;
  readonly assembly: Assembly;
  readonly reader: TemplateReader;
  readonly client: DynamoDBClient;
  readonly dynamoDb: string;
  readonly sqs: string;
  readonly shelfQueueUrl: string;
}

/** The same index as ours, for listing leads by form. */
const BY_FORM: GlobalSecondaryIndex = {
  IndexName: 'byForm',
  KeySchema: [
    { AttributeName: 'formId', KeyType: 'HASH' },
    { AttributeName: 'leadId', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['workspaceId', 'surface', 'receivedAt'] },
};

export async function makeShelfTables(client: DynamoDBClient): Promise<void> {
  const make = (TableName: string, key: string, index?: GlobalSecondaryIndex) =>
    client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
        AttributeDefinitions: [key, ...(index ? ['formId'] : [])].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        GlobalSecondaryIndexes: index && [index],
      }),
    );
  await Promise.all([
    make(SHELF_TABLES.tokens, 'tokenHash'),
    // The key names that the libraries require: rate-limiter-flexible `key`, Powertools `id`.
    make(SHELF_TABLES.limits, 'key'),
    make(SHELF_TABLES.idempotency, 'id'),
    make(SHELF_TABLES.leads, 'leadId', BY_FORM),
    make(FLOOR_TABLE, 'leadId'),
  ]);
}

/** The off-the-shelf function on the same engines, with its calls recorded. */
export function openContenders(engines: Engines) {
  const settings = { region: LOCAL_REGION, credentials: LOCAL_CREDENTIALS };
  const dynamo = new DynamoDB({ ...settings, endpoint: engines.dynamoDb });
  const sqs = new SQSClient({ ...settings, endpoint: engines.sqs });
  const calls = recordCalls(dynamo);
  const messages = { count: 0 };
  sqs.middlewareStack.add(
    (next) => (args) => {
      messages.count += 1;
      return next(args);
    },
    { step: 'initialize', name: 'countMessages' },
  );
  const wire = recordWire(dynamo);
  const handler = makeOffTheShelf({ dynamo, sqs, queueUrl: engines.shelfQueueUrl, tables: SHELF_TABLES });

  return {
    calls,
    messages,
    wire,
    newToken: () => putShelfToken(engines.client),
    async send(token: string, body: string, idempotencyKey?: string) {
      const event = gatewayEvent(token, body, idempotencyKey);
      return handler(event as never, LAMBDA_CONTEXT as never);
    },
    close() {
      dynamo.destroy();
      sqs.destroy();
    },
  };
}

export type Contenders = ReturnType<typeof openContenders>;

/** Creates a sender. The token item has workspace and form, so one read is enough. */
export async function putShelfToken(
  client: DynamoDBClient,
  token = `shelf_${randomUUID()}`,
): Promise<string> {
  await DynamoDBDocumentClient.from(client).send(
    new PutCommand({
      TableName: SHELF_TABLES.tokens,
      Item: {
        tokenHash: hashToken(token),
        workspaceId: `ws_${randomUUID()}`,
        formId: `form_${randomUUID()}`,
      },
    }),
  );
  return token;
}

export interface ShelfCalls {
  readonly name: string;
  /** DynamoDB calls in sequence. */
  readonly inSequence: number;
  /** All DynamoDB calls. */
  readonly inAll: number;
  /** SQS requests, after the last DynamoDB call. */
  readonly messages: number;
}

/** The same counts for the off-the-shelf function. It caches no configuration, so warm and cold are the same. */
export async function countShelfCalls(shelf: Contenders): Promise<ShelfCalls[]> {
  const token = await shelf.newToken();
  const body = BODIES['400 B'];
  await shelf.send(token, body, 'first');

  async function count(name: string, status: number, send: () => Promise<{ statusCode: number }>) {
    shelf.calls.reset();
    shelf.messages.count = 0;
    const { statusCode } = await send();
    if (statusCode !== status) throw new Error(`${name}: ${statusCode}, not ${status}`);
    return {
      name,
      inSequence: shelf.calls.inSequence(),
      inAll: shelf.calls.commands().length,
      messages: shelf.messages.count,
    };
  }

  return [
    await count('accepted', 202, () => shelf.send(token, body)),
    await count('accepted, with key', 202, () => shelf.send(token, body, 'second')),
    await count('replay', 202, () => shelf.send(token, body, 'first')),
    await count('unknown token', 200, () => shelf.send('nobody', body)),
  ];
}

export async function countShelfUnits(
  shelf: Contenders,
  observer: Parameters<typeof makeCapacity>[0],
): Promise<UnitCount[]> {
  const capacityOf = makeCapacity(observer);
  const counts: UnitCount[] = [];
  for (const size of SIZES) {
    for (const keyed of [false, true]) {
      const token = await shelf.newToken();
      await shelf.send(token, BODIES[size]);
      shelf.wire.reset();
      await shelf.send(token, BODIES[size], keyed ? `of ${size}` : undefined);
      counts.push({ size, keyed, ...(await capacityOf(shelf.wire.list())) });
    }
  }
  return counts;
}

export async function makeShelfQueue(endpoint: string): Promise<string> {
  const client = new SQSClient({ endpoint, region: LOCAL_REGION, credentials: LOCAL_CREDENTIALS });
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'shelf' }));
  client.destroy();
  return QueueUrl as string;
}
