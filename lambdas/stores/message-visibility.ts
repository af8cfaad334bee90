import type { SQSClient, SQSClientConfig } from '@aws-sdk/client-sqs';

export interface MessageVisibility {
  /** The message comes back after so many seconds, rather than after the queue's whole visibility timeout. */
  comeBackIn(seconds: number, receiptHandle: string, signal: AbortSignal): Promise<void>;
}

/** The SDK is loaded at the first delay: most environments never see a failure. */
export function makeMessageVisibility(queueUrl: string, options: SQSClientConfig = {}): MessageVisibility {
  let client: SQSClient | undefined;

  return {
    async comeBackIn(seconds, receiptHandle, signal) {
      const sdk = await import('@aws-sdk/client-sqs');
      client ??= new sdk.SQSClient({
        maxAttempts: 2,
        requestHandler: { connectionTimeout: 500, requestTimeout: 1_500, throwOnRequestTimeout: true },
        ...options,
      });
      const command = new sdk.ChangeMessageVisibilityCommand({
        QueueUrl: queueUrl,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      });
      await client.send(command, { abortSignal: signal });
    },
  };
}
