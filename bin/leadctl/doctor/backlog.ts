import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { GetEventSourceMappingCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { StackOutputs } from '../../operator/stack-outputs.ts';
import { counted, type PrintedCommand } from '../../operator/terminal.ts';
import { type Aws, type FoundStack, ofType } from './aws.ts';
import { asking, type Finding, fail, ok, warn, worstOf } from './check.ts';

const PERIOD_SECONDS = 300;
const LOOK_BACK_MS = 4 * PERIOD_SECONDS * 1_000;

export interface MetricName {
  readonly namespace: string;
  readonly name: string;
  readonly dimension: { readonly name: string; readonly value: string };
}

/** The newest maximum of each metric; undefined without data in the last 20 minutes. */
export async function newestMaximum(
  aws: Aws,
  metrics: readonly MetricName[],
  now: number,
): Promise<(number | undefined)[]> {
  const cloudWatch = new CloudWatchClient(aws.config());
  const call = cloudWatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(now - LOOK_BACK_MS),
      EndTime: new Date(now),
      ScanBy: 'TimestampDescending',
      MetricDataQueries: metrics.map(({ namespace, name, dimension }, index) => ({
        Id: `m${index}`,
        MetricStat: {
          Metric: {
            Namespace: namespace,
            MetricName: name,
            Dimensions: [{ Name: dimension.name, Value: dimension.value }],
          },
          Period: PERIOD_SECONDS,
          Stat: 'Maximum',
        },
      })),
    }),
  );
  const { MetricDataResults = [] } = await asking('cloudwatch:GetMetricData', call).finally(() =>
    cloudWatch.destroy(),
  );
  return metrics.map((_, index) => MetricDataResults.find(({ Id }) => Id === `m${index}`)?.Values?.[0]);
}

export function inWords(seconds: number): string {
  const rounded = Math.round(seconds);
  if (rounded < 120) return `${rounded} ${rounded === 1 ? 'second' : 'seconds'}`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}

interface Mapping {
  readonly functionName: string;
  readonly state: string;
  readonly fromStream: boolean;
}

/** Same as the alarm StreamBehind. */
const STREAM_BEHIND_SECONDS = 15 * 60;
const STREAM_SLOW_SECONDS = 60;

/** Whether the event sources are enabled, and how far their functions are behind the stream. */
export async function streams(aws: Aws, stack: FoundStack, now: number): Promise<Finding> {
  const mappings = await readMappings(aws, ofType(stack, 'AWS::Lambda::EventSourceMapping'));
  if (ofType(stack, 'AWS::Lambda::Function').some((name) => name.includes(IN_TURN))) {
    return inTurnFinding(mappings);
  }
  const followers = mappings.filter(({ fromStream }) => fromStream);
  const ages = await newestMaximum(
    aws,
    followers.map(({ functionName }) => ({
      namespace: 'AWS/Lambda',
      name: 'IteratorAge',
      dimension: { name: 'FunctionName', value: functionName },
    })),
    now,
  );
  const oldest = Math.max(0, ...ages.map((age) => age ?? 0)) / 1_000;
  return worstOf(
    [
      ...mappings.map(stateFinding),
      ...followers.map(({ functionName }, index) => ageFinding(functionName, (ages[index] ?? 0) / 1_000)),
    ],
    `${counted(mappings.length, 'event source')} enabled, at most ${inWords(oldest)} behind`,
  );
}

/** CloudFormation puts the path of the function in the stack into its name. */
const IN_TURN = '-InTurnWork';

/** With the setting smallAccount. What fails there is an error of that function. */
function inTurnFinding(mappings: readonly Mapping[]): Finding {
  const on = mappings.filter(({ state }) => state !== 'Disabled');
  if (on.length === 0) {
    return ok(`${counted(mappings.length, 'event source')} off: with smallAccount, functions work in turn`);
  }
  const names = on.map(({ functionName, state }) => `that of ${functionName} is ${state}`).join(', ');
  return warn(`with smallAccount, event sources should be off, but ${names}`, 'Run this again in a minute.');
}

function stateFinding({ functionName, state }: Mapping): Finding {
  if (state === 'Enabled') return ok(functionName);
  if (state !== 'Disabled' && state !== 'Disabling') {
    return warn(`the event source of ${functionName} is ${state}`, 'Run this again in a minute.');
  }
  return fail(
    `the event source of ${functionName} is disabled, so leads are waiting`,
    'The stream drops records after 24 hours. Enable it: aws lambda update-event-source-mapping --enabled --uuid …',
  );
}

function ageFinding(functionName: string, seconds: number): Finding {
  const found = `${functionName} is ${inWords(seconds)} behind the stream`;
  if (seconds >= STREAM_BEHIND_SECONDS) return fail(found, 'See docs/runbook.md, StreamBehind.');
  if (seconds >= STREAM_SLOW_SECONDS) return warn(found, 'Run this again in a minute. It should decrease.');
  return ok(found);
}

async function readMappings(aws: Aws, uuids: readonly string[]): Promise<Mapping[]> {
  const lambda = new LambdaClient(aws.config());
  const read = async (UUID: string): Promise<Mapping> => {
    const call = lambda.send(new GetEventSourceMappingCommand({ UUID }));
    const { FunctionArn, State, EventSourceArn } = await asking('lambda:GetEventSourceMapping', call);
    return {
      functionName: FunctionArn?.split(':')[6] ?? '',
      state: State ?? 'unknown',
      fromStream: EventSourceArn?.includes(':dynamodb:') ?? false,
    };
  };
  return Promise.all(uuids.map(read)).finally(() => lambda.destroy());
}

export interface Queues {
  readonly queueClient: SQSClient;
  readonly outputs: StackOutputs;
  /** Suggests another command for the same stack. */
  readonly command: PrintedCommand;
}

interface Line {
  readonly url: (outputs: StackOutputs) => string;
  readonly tableKey: string;
  readonly alarm: string;
  /** Same as the alarm. */
  readonly behindSeconds: number;
  readonly slowSeconds: number;
}

/** What is done in the background, after a lead was accepted. */
const LINES = {
  enrichment: {
    url: ({ enrichmentQueueUrl }) => enrichmentQueueUrl,
    tableKey: 'lead',
    alarm: 'EnrichmentBehind',
    behindSeconds: 60 * 60,
    slowSeconds: 5 * 60,
  },
  sending: {
    url: ({ sendingQueueUrl }) => sendingQueueUrl,
    tableKey: 'message',
    alarm: 'SendingBehind',
    // A message that waits for a retry is delayed by up to 15 minutes.
    behindSeconds: 35 * 60,
    slowSeconds: 20 * 60,
  },
  index: {
    url: ({ indexQueueUrl }) => indexQueueUrl,
    tableKey: 'lead',
    alarm: 'SearchBehind',
    behindSeconds: 15 * 60,
    slowSeconds: 2 * 60,
  },
} satisfies Record<string, Line>;

interface DeadLetterLine {
  readonly url: (outputs: StackOutputs) => string;
  /** What failed so often that it is a dead letter. */
  readonly dead: (count: number) => string;
  readonly option: readonly string[];
}

const DEAD_LETTERS = {
  enrichment: {
    url: ({ deadLetterQueueUrl }) => deadLetterQueueUrl,
    dead: (count) => `the enrichment of ${counted(count, 'lead')} failed permanently`,
    option: [],
  },
  // Also those of the search index.
  sending: {
    url: ({ sendingDeadLetterQueueUrl }) => sendingDeadLetterQueueUrl,
    dead: (count) =>
      `${counted(count, 'event, message or search update', 'events, messages or search updates')} failed permanently`,
    option: ['--queue', 'sending'],
  },
} satisfies Record<string, DeadLetterLine>;

/** How much is waiting, and on AWS for how long. */
export async function queue(
  name: keyof typeof LINES,
  { queueClient, outputs }: Queues,
  now: number,
  aws?: Aws,
): Promise<Finding> {
  const { url, tableKey, alarm, behindSeconds, slowSeconds } = LINES[name];
  const waiting = await countIn(queueClient, url(outputs));
  const seconds = aws && (await oldestSeconds(aws, url(outputs), now));
  const items = `${counted(waiting, tableKey)} waiting`;
  if (seconds === undefined) return ok(items);
  const found = `${items}, the oldest for ${inWords(seconds)}`;
  if (seconds >= behindSeconds) return fail(found, `See docs/runbook.md, ${alarm}.`);
  if (seconds >= slowSeconds) return warn(found, 'Run this again in a few minutes. It should decrease.');
  return ok(found);
}

export async function deadLetters(
  name: keyof typeof DEAD_LETTERS,
  { queueClient, outputs, command }: Queues,
): Promise<Finding> {
  const { url, dead, option } = DEAD_LETTERS[name];
  const count = await countIn(queueClient, url(outputs));
  if (count === 0) return ok('none');
  const [list, redrive] = [command`dlq list ${option}`, command`dlq redrive ${option}`];
  return fail(dead(count), `List them with ${list}, fix the cause, then run ${redrive}`);
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
