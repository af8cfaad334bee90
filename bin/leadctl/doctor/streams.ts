import { GetEventSourceMappingCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Aws } from './aws.ts';
import { asking } from './explain-error.ts';
import { type Finding, fail, ok, warn, worstOf } from './finding.ts';
import { inWords, newestMaximum } from './newest-metric.ts';
import { type FoundStack, ofType } from './stack.ts';

interface Mapping {
  readonly functionName: string;
  readonly state: string;
  readonly fromStream: boolean;
}

/** As the alarm StreamBehind has it. */
const BEHIND_SECONDS = 15 * 60;
const SLOW_SECONDS = 60;

/** Whether the functions behind the table's stream and the queue are on, and how far they are behind the stream. */
export async function streams(aws: Aws, stack: FoundStack, now: number): Promise<Finding> {
  const mappings = await readMappings(aws, ofType(stack, 'AWS::Lambda::EventSourceMapping'));
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
    `${mappings.length} event sources on, ${inWords(oldest)} behind at most`,
  );
}

function stateFinding({ functionName, state }: Mapping): Finding {
  if (state === 'Enabled') return ok(functionName);
  if (state !== 'Disabled' && state !== 'Disabling') {
    return warn(`the event source of ${functionName} is ${state}`, 'Run this again in a minute.');
  }
  return fail(
    `the event source of ${functionName} is off: its leads wait`,
    'The stream forgets after 24 hours. Switch it on: aws lambda update-event-source-mapping --enabled --uuid …',
  );
}

function ageFinding(functionName: string, seconds: number): Finding {
  const found = `${functionName} is ${inWords(seconds)} behind the stream`;
  if (seconds >= BEHIND_SECONDS) return fail(found, 'docs/runbook.md, StreamBehind, says what to do.');
  if (seconds >= SLOW_SECONDS) return warn(found, 'Run this again in a minute: it should fall.');
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
