import { SQSClient } from '@aws-sdk/client-sqs';

export function makeQueueClient(): SQSClient {
  return new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 500, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
}
