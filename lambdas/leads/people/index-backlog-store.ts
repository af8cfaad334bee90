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

/** The age of the oldest message of the index, in seconds. Undefined if that is not known. */
export type OldestAge = (signal: AbortSignal) => Promise<number | undefined>;

const COUNTS = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
] as const;

/** A busy queue is never empty, so the age of its oldest message decides where that is known. */
export function makeIndexBacklog(
  client: SQSClient,
  queues: Queues,
  now: () => number,
  oldestAge: OldestAge = async () => undefined,
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
      if (messages === 0) return undefined;
      const age = await oldestAge(signal);
      const isYounger = age !== undefined && now() - age * 1000 - METRIC_DELAY_MS > atMilliseconds;
      return isYounger ? undefined : 'indexing';
    },
  };
}

/** CloudWatch knows the age a few minutes late. */
const METRIC_DELAY_MS = 5 * 60_000;

/** From CloudWatch: SQS itself does not tell the age of a message. */
export function makeOldestAge(queueName: string, now: () => number): OldestAge {
  let client: CloudWatchClient | undefined;
  return async (signal) => {
    const sdk = await import('@aws-sdk/client-cloudwatch');
    client ??= new sdk.CloudWatchClient({ maxAttempts: 2 });
    const { Datapoints = [] } = await client.send(
      new sdk.GetMetricStatisticsCommand({
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateAgeOfOldestMessage',
        Dimensions: [{ Name: 'QueueName', Value: queueName }],
        StartTime: new Date(now() - METRIC_DELAY_MS),
        EndTime: new Date(now()),
        Period: 60,
        Statistics: ['Maximum'],
      }),
      { abortSignal: signal },
    );
    const ages = Datapoints.flatMap(({ Maximum }) => Maximum ?? []);
    return ages.length === 0 ? undefined : Math.max(...ages);
  };
}
