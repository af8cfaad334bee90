import type { Call } from './evaluate.ts';
import type { QueueResource, Resources } from './resources.ts';

/** The actions that IAM checks. A batch needs those of its parts. */
const ACTIONS: Readonly<Record<string, string>> = {
  SendMessage: 'SendMessage',
  SendMessageBatch: 'SendMessage',
  ReceiveMessage: 'ReceiveMessage',
  DeleteMessage: 'DeleteMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibility: 'ChangeMessageVisibility',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
  GetQueueAttributes: 'GetQueueAttributes',
};

/**
 * The key permissions that senders and receivers of an encrypted queue need.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 */
const KEY_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  SendMessage: ['kms:GenerateDataKey', 'kms:Decrypt'],
  ReceiveMessage: ['kms:Decrypt'],
};

/** What IAM must allow for an SQS request. */
export function sqsCalls(
  operation: string,
  body: { readonly QueueUrl?: string },
  resources: Resources,
): Call[] {
  const action = ACTIONS[operation];
  if (action === undefined) throw new Error(`the permissions of sqs:${operation} are not known`);
  const name = body.QueueUrl?.split('/').at(-1) ?? '';
  const queue = resources.queues.get(name);
  if (queue === undefined) throw new Error(`the template has no queue ${name}`);
  return [{ action: `sqs:${action}`, resource: queue.arn }, ...keyCalls(queue, KEY_ACTIONS[action] ?? [])];
}

function keyCalls({ keyArn, arn }: QueueResource, actions: readonly string[]): Call[] {
  if (keyArn === undefined) return [];
  const [, , , region, account] = arn.split(':');
  return actions.map((action) => ({
    action,
    resource: keyArn,
    context: {
      'kms:ViaService': `sqs.${region}.amazonaws.com`,
      'kms:CallerAccount': account,
      'kms:EncryptionContext:aws:sqs:arn': arn,
    },
  }));
}
