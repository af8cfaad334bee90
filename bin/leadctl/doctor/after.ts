import type { StackOutputs } from '../../operator/stack-outputs.ts';
import { alarmSubscription, alarmsOn } from './alarms.ts';
import { aliases } from './aliases.ts';
import type { Aws } from './aws.ts';
import { deadLetters, type Queues, queue, streams } from './backlog.ts';
import { type Check, fail, ok, skip, warn } from './check.ts';
import { type Finding, NotChecked } from './explain-error.ts';
import { mailSender } from './mail.ts';
import { type FoundStack, makeStackFinder } from './stack.ts';

/** Whether a deployed stack accepts leads, and whether somebody is notified if it does not. */
export function checksAfter(
  aws: Aws,
  outputs: StackOutputs,
  queues: Queues,
  roundTrip: Check,
  now: () => number,
): Check[] {
  const findStack = makeStackFinder(aws, outputs.stackName);
  const ofStack = (name: string, run: (stack: FoundStack) => Promise<Finding>) =>
    aws.check(name, async () => {
      const stack = await findStack();
      if (!stack) throw new NotChecked('requires the stack');
      return run(stack);
    });
  return [
    ...aws.checks,
    aws.check('stack', async () => stackFinding(await findStack(), outputs)),
    ofStack('alarm subscription', (stack) => alarmSubscription(aws, stack)),
    ofStack('alarms', (stack) => alarmsOn(aws, stack)),
    ofStack('aliases', (stack) => aliases(aws, stack)),
    ofStack('streams', (stack) => streams(aws, stack, now())),
    aws.check('enrichment queue', () => queue('enrichment', queues, now(), aws)),
    aws.check('dead letters', () => deadLetters('enrichment', queues)),
    aws.check('sending queue', () => queue('sending', queues, now(), aws)),
    aws.check('sending dead letters', () => deadLetters('sending', queues)),
    aws.check('mail sender', () => mailSender(aws, outputs.mailFrom)),
    aws.check(roundTrip.name, roundTrip.run),
  ];
}

const ON_AWS = [
  ...['credentials', 'region', 'stack', 'alarm subscription', 'alarms', 'aliases', 'streams', 'mail sender'],
];

/** A local stack has only queues and endpoints. */
export function checksOnThisMachine(queues: Queues, roundTrip: Check, now: () => number): Check[] {
  return [
    ...ON_AWS.map((name) => ({ name, run: async () => skip('not on a local stack') })),
    { name: 'enrichment queue', run: () => queue('enrichment', queues, now()) },
    { name: 'dead letters', run: () => deadLetters('enrichment', queues) },
    { name: 'sending queue', run: () => queue('sending', queues, now()) },
    { name: 'sending dead letters', run: () => deadLetters('sending', queues) },
    roundTrip,
  ];
}

function stackFinding(stack: FoundStack | undefined, { stackName, region }: StackOutputs): Finding {
  if (!stack) {
    return fail(
      `${stackName} not found in ${region}`,
      'The outputs file is outdated, or your credentials are for another account.',
    );
  }
  const { status } = stack;
  if (/_FAILED$|^ROLLBACK_COMPLETE$/.test(status)) {
    return fail(`${stackName} is in ${status}`, 'See its events in CloudFormation.');
  }
  if (/_IN_PROGRESS$/.test(status)) {
    return warn(`${stackName} is being updated (${status})`, 'Run this again when the update has finished.');
  }
  if (status === 'UPDATE_ROLLBACK_COMPLETE') {
    return warn(
      `the last deployment of ${stackName} was rolled back`,
      'The previous version is running. See the events in CloudFormation.',
    );
  }
  return ok(`${stackName} (${status})`);
}
