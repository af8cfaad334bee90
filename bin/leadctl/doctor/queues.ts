import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { StackOutputs } from '../stack-outputs.ts';
import type { Aws } from './aws.ts';
import { asking } from './explain-error.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { inWords, newestMaximum } from './newest-metric.ts';

export interface Queues {
  readonly queueClient: SQSClient;
  readonly outputs: StackOutputs;
  /** How to name a next command for the same stack. */
  readonly command: (rest: string) => string;
}

/** As the alarm EnrichmentBehind has it. */
const BEHIND_SECONDS = 60 * 60;
const SLOW_SECONDS = 5 * 60;

/** How many leads wait to be enriched, and on AWS for how long. */
export async function queue({ queueClient, outputs }: Queues, now: number, aws?: Aws): Promise<Finding> {
  const waiting = await countIn(queueClient, outputs.enrichmentQueueUrl);
  const seconds = aws && (await oldestSeconds(aws, outputs.enrichmentQueueUrl, now));
  const leads = waiting === 1 ? '1 lead waits' : `${waiting} leads wait`;
  if (seconds === undefined) return ok(leads);
  const found = `${leads}, the oldest for ${inWords(seconds)}`;
  if (seconds >= BEHIND_SECONDS) return fail(found, 'docs/runbook.md, EnrichmentBehind, says what to do.');
  if (seconds >= SLOW_SECONDS) return warn(found, 'Run this again in a few minutes: it should fall.');
  return ok(found);
}

export async function deadLetters({ queueClient, outputs, command }: Queues): Promise<Finding> {
  const count = await countIn(queueClient, outputs.deadLetterQueueUrl);
  if (count === 0) return ok('none');
  return fail(
    `the enrichment of ${count === 1 ? '1 lead' : `${count} leads`} has failed for good`,
    `Look at them with ${command('dlq list')}, fix the cause, then ${command('dlq redrive')}`,
  );
}

async function countIn(queueClient: SQSClient, QueueUrl: string): Promise<number> {
  const call = queueClient.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  );
  const { Attributes } = await asking('sqs:GetQueueAttributes', call);
  return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
}

async function oldestSeconds(aws: Aws, queueUrl: string, now: number): Promise<number | undefined> {
  const metric = {
    namespace: 'AWS/SQS',
    name: 'ApproximateAgeOfOldestMessage',
    dimension: { name: 'QueueName', value: queueUrl.split('/').at(-1) ?? '' },
  };
  return (await newestMaximum(aws, [metric], now))[0];
}
