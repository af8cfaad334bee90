import { randomUUID } from 'node:crypto';
import { CreateQueueCommand, GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { OUTPUTS } from '../../lambdas/contract.ts';

/** A queue with dead letters of one's own on the local SQS, as outputs: other tests count what they receive. */
export async function makeOwnQueues(client: SQSClient): Promise<Record<string, string>> {
  const make = async (name: string, Attributes = {}) => {
    const command = new CreateQueueCommand({ QueueName: `${name}-${randomUUID()}`, Attributes });
    return (await client.send(command)).QueueUrl as string;
  };
  const deadLetters = await make('dead-letters');
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
  );
  const policy = { deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: 5 };
  return {
    [OUTPUTS.queues.enrichment]: await make('queue', { RedrivePolicy: JSON.stringify(policy) }),
    [OUTPUTS.queues.enrichmentDeadLetters]: deadLetters,
  };
}
