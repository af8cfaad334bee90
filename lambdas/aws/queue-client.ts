import { SQSClient } from '@aws-sdk/client-sqs';
import { makeSocketPool } from './socket-pool.ts';

const TIMEOUT_MS = 2_000;

export function makeQueueClient(): SQSClient {
  return new SQSClient({ maxAttempts: 3, requestHandler: makeSocketPool()(TIMEOUT_MS) });
}
