import { randomUUID } from 'node:crypto';
import { DynamoDB, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { hashToken } from '../../lambdas/submission/server-token.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION } from '../../local/local-account.ts';
import { recordCalls } from '../../local/workbench/recorded-calls.ts';
import { makeOffTheShelf } from '../off-the-shelf/handler.ts';
import { recordWire } from '../units/wire-calls.ts';
import { gatewayEvent, LAMBDA_CONTEXT } from './gateway-event.ts';
import { SHELF_TABLES } from './shelf-tables.ts';
import type { Engines } from './start-engines.ts';

/** The composition from the shelf over the same engines, with its calls seen. */
export function openShelfBench(engines: Engines) {
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

export type ShelfBench = ReturnType<typeof openShelfBench>;

/** Somebody who may send: the token names workspace and form, so that one read is enough. */
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
