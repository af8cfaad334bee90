import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../../aws/dynamodb.ts';
import { INDEXES } from '../../contract.ts';
import { leadIdRange } from '../lead-filter.ts';
import { listKey } from '../search/index-entry.ts';

export interface IndexBacklog {
  /** Whether leads of the workspace that arrived before a time may still be missing from the index, and why. */
  before(
    asked: { readonly workspaceId: string; readonly askedAt: number },
    signal: AbortSignal,
  ): Promise<'indexing' | 'dead_letters' | undefined>;
}

export interface IndexBacklogContext extends StoreContext<'forms' | 'leads' | 'leadIndex'> {
  readonly queueClient: SQSClient;
  readonly queues: { readonly index: string; readonly deadLetters: string };
  readonly now: () => number;
  readonly lag?: IndexLag | undefined;
}

/** How many seconds the index lags behind the leads: the relay behind their stream, and the index behind its queue. */
export type IndexLag = (signal: AbortSignal) => Promise<number>;

const COUNTS = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** A busy queue is never empty, so its lag decides. Where nobody measures it, the queue has to be empty. */
export function makeIndexBacklog(context: IndexBacklogContext): IndexBacklog {
  const { queueClient, queues, now, lag } = context;

  async function waiting(QueueUrl: string, signal: AbortSignal): Promise<number> {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...COUNTS] });
    const { Attributes = {} } = await queueClient.send(command, { abortSignal: signal });
    return COUNTS.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  }

  async function isBehind(askedAt: number, messages: number, signal: AbortSignal): Promise<boolean> {
    if (!lag) return messages > 0;
    return now() - (await lag(signal)) * 1000 - METRIC_DELAY_MS <= askedAt;
  }

  return {
    async before({ workspaceId, askedAt }, signal) {
      const [messages, deadLetters] = await Promise.all([
        waiting(queues.index, signal),
        waiting(queues.deadLetters, signal),
      ]);
      if (deadLetters > 0) return 'dead_letters';
      const isIndexing =
        (await isBehind(askedAt, messages, signal)) ||
        (await hasUnlisted(context, workspaceId, askedAt, signal));
      return isIndexing ? 'indexing' : undefined;
    },
  };
}

/** A relay that lags further behind sets off an alarm. */
const RECENT_MS = 15 * 60_000;
/** Of each form. */
const MAX_LOOKED_UP = 500;
const KEYS_AT_ONCE = 100;

/** Whether one of the newest leads is not listed yet: the relay may not have named it on the queue. */
async function hasUnlisted(
  { client, tables }: StoreContext<'forms' | 'leads' | 'leadIndex'>,
  workspaceId: string,
  askedAt: number,
  signal: AbortSignal,
): Promise<boolean> {
  const range = leadIdRange(askedAt - RECENT_MS, askedAt + 1);
  const forms = paginateQuery(
    { client },
    {
      TableName: tables.forms,
      IndexName: INDEXES.formsByWorkspace,
      KeyConditionExpression: 'workspaceId = :workspaceId',
      ExpressionAttributeValues: { ':workspaceId': workspaceId },
    },
    { abortSignal: signal },
  );
  for await (const { Items: page = [] } of forms) {
    for (const { formId } of page) {
      const newest = new QueryCommand({
        TableName: tables.leads,
        IndexName: INDEXES.leadsByForm,
        KeyConditionExpression: 'formId = :formId AND leadId BETWEEN :oldest AND :newest',
        ExpressionAttributeValues: { ':formId': formId, ':oldest': range?.oldest, ':newest': range?.newest },
        ScanIndexForward: false,
        Limit: MAX_LOOKED_UP,
      });
      const { Items: leads = [] } = await client.send(newest, { abortSignal: signal });
      for (let from = 0; from < leads.length; from += KEYS_AT_ONCE) {
        const addresses = leads.slice(from, from + KEYS_AT_ONCE).map(({ leadId }) => ({
          table: tables.leadIndex,
          key: listKey({ workspaceId, leadId }),
        }));
        // A tombstone counts: the lead was erased a moment ago.
        if ((await batchGet(client, addresses, signal)).includes(undefined)) return true;
      }
    }
  }
  return false;
}

/** CloudWatch knows the age a few minutes late. */
const METRIC_DELAY_MS = 5 * 60_000;

/** From CloudWatch: neither SQS nor a stream tells the age of what waits. Without leads there is no data, and no lag. */
export function makeIndexLag(queueName: string, relayName: string, now: () => number): IndexLag {
  let client: CloudWatchClient | undefined;
  return async (signal) => {
    const sdk = await import('@aws-sdk/client-cloudwatch');
    client ??= new sdk.CloudWatchClient({ maxAttempts: 2 });
    const cloudWatch = client;
    async function greatest(Namespace: string, MetricName: string, Name: string, Value: string) {
      const { Datapoints = [] } = await cloudWatch.send(
        new sdk.GetMetricStatisticsCommand({
          Namespace,
          MetricName,
          Dimensions: [{ Name, Value }],
          StartTime: new Date(now() - 2 * METRIC_DELAY_MS),
          EndTime: new Date(now()),
          Period: 60,
          Statistics: ['Maximum'],
        }),
        { abortSignal: signal },
      );
      return Math.max(0, ...Datapoints.flatMap(({ Maximum }) => Maximum ?? []));
    }
    const [seconds, milliseconds] = await Promise.all([
      greatest('AWS/SQS', 'ApproximateAgeOfOldestMessage', 'QueueName', queueName),
      greatest('AWS/Lambda', 'IteratorAge', 'FunctionName', relayName),
    ]);
    return seconds + milliseconds / 1000;
  };
}
