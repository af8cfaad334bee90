import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { makeSocketPool } from './socket-pool.ts';

interface ClientPatience {
  readonly maxAttempts: number;
  readonly timeoutMilliseconds: number;
}

/** A stalled connection is dropped long before the submission's own deadline, which leaves time for a second try. */
const PATIENT: ClientPatience = { maxAttempts: 3, timeoutMilliseconds: 1_500 };

/** These take about 4 % of a request's CPU time, for a logger that nobody sets and a header that nobody reads. */
const UNUSED_MIDDLEWARE = ['loggerMiddleware', 'getUserAgentMiddleware'];

export function makeDocumentClient(
  sockets = makeSocketPool(),
  { maxAttempts, timeoutMilliseconds }: ClientPatience = PATIENT,
): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts,
    requestHandler: sockets(timeoutMilliseconds),
  });
  for (const name of UNUSED_MIDDLEWARE) client.middlewareStack.remove(name);
  return toDocumentClient(client);
}

export function toDocumentClient(client: DynamoDBClient): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}
