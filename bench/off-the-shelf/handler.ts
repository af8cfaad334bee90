import { createHash, randomUUID } from 'node:crypto';
import { IdempotencyConfig } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { makeHandlerIdempotent } from '@aws-lambda-powertools/idempotency/middleware';
import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { RateLimiterDynamo, RateLimiterUnion } from 'rate-limiter-flexible';

export interface OffTheShelfDependencies {
  /** The aggregated client, as rate-limiter-flexible requires (wiki "DynamoDB"). All libraries share it. */
  readonly dynamo: DynamoDB;
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  readonly tables: {
    readonly tokens: string;
    readonly limits: string;
    readonly idempotency: string;
    readonly leads: string;
  };
}

interface Token {
  readonly workspaceId: string;
  readonly formId: string;
}

type ShelfEvent = Omit<APIGatewayProxyEvent, 'body'> & {
  body: unknown;
  token?: Token;
  idempotencyKey?: string;
};

const REJECTED: APIGatewayProxyResult = {
  statusCode: 200,
  headers: { 'Content-Type': 'application/json' },
  body: '{"status":"rejected"}',
};

/** The ingest function that a team would build from existing libraries. See README.md in this folder. */
export function makeOffTheShelf({ dynamo, sqs, queueUrl, tables }: OffTheShelfDependencies) {
  // lib-dynamodb, README "Constructor" and "Configuration".
  const documents = DynamoDBDocumentClient.from(dynamo, { marshallOptions: { removeUndefinedValues: true } });
  const limits = limitsOf(dynamo, tables.limits);

  return (
    middy<ShelfEvent, APIGatewayProxyResult>()
      .use({
        onError: async (request) => {
          request.response = REJECTED;
        },
      })
      // @middy/http-json-body-parser, "Sample usage".
      .use(httpJsonBodyParser())
      .use({
        before: async ({ event }) => {
          event.token = await findToken(documents, tables.tokens, event);
          const key = event.headers['X-SVC-Idempotency-Key'];
          if (key !== undefined) event.idempotencyKey = `${event.token.workspaceId}#${key}`;
        },
      })
      // Powertools idempotency, README "Middy middleware".
      .use(
        makeHandlerIdempotent({
          // README "DynamoDB persistence layer"; its option awsSdkV3Client saves a second client with its own connections.
          persistenceStore: new DynamoDBPersistenceLayer({
            tableName: tables.idempotency,
            awsSdkV3Client: dynamo,
          }),
          config: new IdempotencyConfig({
            eventKeyJmesPath: 'idempotencyKey',
            throwOnNoIdempotencyKey: false,
            expiresAfterSeconds: 24 * 60 * 60,
          }),
        }),
      )
      .handler(async ({ token, body }) => {
        const { workspaceId, formId } = token as Token;
        // rate-limiter-flexible, README "Basic Example": rejects when there are no points left.
        await limits.consume(workspaceId);
        const leadId = randomUUID();
        const receivedAt = new Date().toISOString();
        await documents.send(
          new PutCommand({
            TableName: tables.leads,
            Item: { leadId, workspaceId, formId, receivedAt, surface: '1a', body },
          }),
        );
        // client-sqs, README "Usage".
        await sqs.send(
          new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify({ leadId }) }),
        );
        return {
          statusCode: 202,
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ submission_id: leadId }),
        };
      })
  );
}

/** Both limits at the same time: rate-limiter-flexible, wiki "RateLimiterUnion". */
function limitsOf(dynamo: DynamoDB, tableName: string): RateLimiterUnion {
  // Wiki "DynamoDB": the table exists and has its TTL. Blocked keys are kept in memory, which saves calls.
  const shared = { storeClient: dynamo, tableName, tableCreated: true, ttlSet: true };
  return new RateLimiterUnion(
    new RateLimiterDynamo({
      ...shared,
      keyPrefix: 'minute',
      points: 1_000,
      duration: 60,
      inMemoryBlockOnConsumed: 1_000,
    }),
    new RateLimiterDynamo({
      ...shared,
      keyPrefix: 'day',
      points: 50_000,
      duration: 24 * 60 * 60,
      inMemoryBlockOnConsumed: 50_000,
    }),
  );
}

async function findToken(
  documents: DynamoDBDocumentClient,
  table: string,
  event: ShelfEvent,
): Promise<Token> {
  const [, token] = /^Bearer (\S+)$/.exec(event.headers.Authorization ?? '') ?? [];
  if (token === undefined) throw new Error('no token');
  const tokenHash = createHash('sha256').update(token).digest('hex');
  const { Item } = await documents.send(new GetCommand({ TableName: table, Key: { tokenHash } }));
  if (Item === undefined || Item.revokedAt !== undefined) throw new Error('token is not known');
  return Item as Token;
}
