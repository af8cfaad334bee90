import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** As many as SQS takes in one call. */
const BATCH = 10;

export interface EnrichmentQueue {
  /** Puts ids on the queue, never bodies; gives back the ids that SQS did not take. */
  send(leadIds: readonly string[]): Promise<Set<string>>;
}

export function makeEnrichmentQueue(client: SQSClient, queueUrl: string): EnrichmentQueue {
  async function sendBatch(leadIds: readonly string[]): Promise<string[]> {
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: leadIds.map((leadId, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify({ leadId }),
        })),
      }),
    );
    return Failed.map(({ Id }) => leadIds[Number(Id)] as string);
  }

  return {
    async send(leadIds) {
      const refused = new Set<string>();
      for (let from = 0; from < leadIds.length; from += BATCH) {
        const batch = leadIds.slice(from, from + BATCH);
        // One batch that fails says nothing of the others.
        const failed = await sendBatch(batch).catch(() => batch);
        for (const leadId of failed) refused.add(leadId);
      }
      return refused;
    },
  };
}
