import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';

export interface IndexBacklog {
  /** Whether leads that arrived before a time may still be missing from the index, and why. */
  before(atMilliseconds: number, signal: AbortSignal): Promise<'indexing' | 'dead_letters' | undefined>;
}

interface Queues {
  readonly index: string;
  readonly deadLetters: string;
}

/** How many seconds the index lags behind the leads: the relay behind their stream, and the index behind its queue. */
export type IndexLag = (signal: AbortSignal) => Promise<number>;

const COUNTS = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** A busy queue is never empty, so its lag decides. Where nobody measures it, the queue has to be empty. */
export function makeIndexBacklog(
  client: SQSClient,
  queues: Queues,
  now: () => number,
  lag?: IndexLag | undefined,
): IndexBacklog {
  async function waiting(QueueUrl: string, signal: AbortSignal): Promise<number> {
    const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...COUNTS] });
    const { Attributes = {} } = await client.send(command, { abortSignal: signal });
    return COUNTS.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
  }

  return {
    async before(atMilliseconds, signal) {
      const [messages, deadLetters] = await Promise.all([
        waiting(queues.index, signal),
        waiting(queues.deadLetters, signal),
      ]);
      if (deadLetters > 0) return 'dead_letters';
      if (!lag) return messages === 0 ? undefined : 'indexing';
      const indexedUpTo = now() - (await lag(signal)) * 1000 - METRIC_DELAY_MS;
      return indexedUpTo > atMilliseconds ? undefined : 'indexing';
    },
  };
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
