import { afterAll, describe, expect, test } from '@jest/globals';
import { versionCheck } from '../../bin/leadctl/doctor/after.ts';
import { lineOf, summaryOf } from '../../bin/leadctl/doctor/check.ts';
import manifest from '../../packages/leadctl/package.json' with { type: 'json' };
import { type Asked, AwsError, type Responses, startFakeAws } from './fake-aws/fake-aws.ts';
import {
  alarms,
  alias,
  denied,
  examineAfter,
  expectDenied,
  expectOnly,
  groups,
  MAIL_FROM,
  mapping,
  messages,
  metrics,
  NO_STACK,
  outputs,
  REGION,
  RESOURCES,
  resources,
  stackIn,
  subscriptions,
  TOPIC,
  WELL,
} from './fake-aws/healthy-stack.ts';

const aws = await startFakeAws();
afterAll(aws.close);

test('a healthy stack has no issues', async () => {
  const results = await examineAfter(aws, {});
  expect(results.map(lineOf)).toEqual([
    'ok    credentials           account 111122223333',
    'ok    region                eu-west-1',
    'ok    stack                 LeadIngest-prod (UPDATE_COMPLETE)',
    'ok    alarm subscription    1 confirmed',
    'ok    alarms                none of 2 in alarm',
    'ok    aliases               2 as CodeDeploy left them',
    'ok    streams               2 event sources enabled, at most 1 second behind',
    'ok    enrichment queue      3 leads waiting, the oldest for 12 seconds',
    'ok    dead letters          none',
    'ok    sending queue         0 messages waiting, the oldest for 12 seconds',
    'ok    index queue           0 leads waiting, the oldest for 12 seconds',
    'ok    sending dead letters  none',
    'ok    mail sender           leads@mail.example.com, verified by leads@mail.example.com, with production access',
    'ok    round trip            elsewhere',
  ]);
  expect(summaryOf(results)).toBe('No issues.');
  const ofMail = aws.asked.filter(({ operation }) => operation.startsWith('ses:'));
  expect(ofMail.map(({ region }) => region)).toEqual([REGION, REGION]);
});

describe('without a permission', () => {
  const operations = Object.keys(WELL).filter((operation) => operation !== 'sts:GetCallerIdentity');

  test.each(operations)('%s, it is named', async (operation) => {
    await expectDenied(operation, (responses) => examineAfter(aws, responses));
  });

  test('even to describe the stack, the queues are still checked', async () => {
    const results = await examineAfter(aws, { 'cloudformation:DescribeStacks': denied('AccessDenied') });
    const warned = results.filter(({ status }) => status === 'warn').map(({ name }) => name);
    expect(warned).toEqual(['stack', 'alarm subscription', 'alarms', 'aliases', 'streams']);
    expect(results).toContainEqual({ name: 'dead letters', status: 'ok', found: 'none' });
  });

  test('SNS has its own word for it', async () => {
    const refusal = new AwsError('AuthorizationErrorException');
    const results = await examineAfter(aws, { 'sns:ListSubscriptionsByTopic': refusal });
    expectOnly(results, 'warn alarm subscription: access denied. Allow sns:ListSubscriptionsByTopic');
  });
});

const without = (type: string) => resources(...RESOURCES.filter(([each]) => each !== type));
const nestedStack =
  'arn:aws:cloudformation:eu-west-1:111122223333:stack/LeadIngest-prod-MonitoringNested-1/2';

/** Only this queue is behind. */
const ageOf = (queue: string, seconds: number) => (asked: Asked) => {
  const behind = JSON.stringify(asked.input.MetricDataQueries).includes(`"Value":"${queue}"`);
  return metrics({ ApproximateAgeOfOldestMessage: [behind ? seconds : 12] })(asked);
};

/** A stack with the setting smallAccount. */
const IN_TURN = resources(...RESOURCES, [
  'AWS::Lambda::Function',
  'LeadIngest-prod-InTurnWorkFunction1A2B3C4D-AbCdEf',
]);

/** By identity; the others do not exist. */
const identities = (verified: Readonly<Record<string, boolean>>) => (asked: Asked) => {
  const status = verified[decodeURIComponent(String(asked.input.EmailIdentity))];
  return status === undefined ? new AwsError('NotFoundException') : { VerifiedForSendingStatus: status };
};
const DOMAIN = 'mail.example.com';

/** What one check tells, and the responses of AWS that differ from those of a healthy stack. */
const TOLD: Readonly<Record<string, Responses>> = {
  'warn stack: … was rolled back': { 'cloudformation:DescribeStacks': stackIn('UPDATE_ROLLBACK_COMPLETE') },
  'fail stack: … UPDATE_ROLLBACK_FAILED': {
    'cloudformation:DescribeStacks': stackIn('UPDATE_ROLLBACK_FAILED'),
  },
  'warn stack: … being updated': { 'cloudformation:DescribeStacks': stackIn('UPDATE_IN_PROGRESS') },
  'fail alarm subscription: … 1 not confirmed, 0 confirmed … 48 hours': {
    'sns:ListSubscriptionsByTopic': subscriptions('PendingConfirmation'),
  },
  'warn alarm subscription: 1 not confirmed, 1 confirmed': {
    'sns:ListSubscriptionsByTopic': subscriptions('PendingConfirmation', `${TOPIC}:1`),
  },
  'fail alarm subscription: … not confirmed within 48 hours … aws sns subscribe --topic-arn': {
    'cloudformation:ListStackResources': resources(...RESOURCES, ['AWS::SNS::Subscription', `${TOPIC}:1`]),
    'sns:ListSubscriptionsByTopic': subscriptions(),
  },
  'warn alarm subscription: … notify nobody': { 'sns:ListSubscriptionsByTopic': subscriptions('Deleted') },
  'warn alarm subscription: … -c alarmEmail=ADDRESS': { 'sns:ListSubscriptionsByTopic': subscriptions() },
  'fail alarms: 1 of 2 in alarm: lead-ingest-prod-StreamBehind-relay … runbook': {
    'monitoring:DescribeAlarms': alarms({}, { StateValue: 'ALARM' }),
  },
  'fail alarms: 1 of 2 in alarm: lead-ingest-prod-StreamBehind-relay': {
    // In the nested stack.
    'cloudformation:ListStackResources': ({ input }: Asked) =>
      input.StackName === nestedStack
        ? resources(...RESOURCES.slice(2, 3))
        : resources(...RESOURCES.toSpliced(2, 1), ['AWS::CloudFormation::Stack', nestedStack]),
    'monitoring:DescribeAlarms': alarms({}, { StateValue: 'ALARM' }),
  },
  'warn alarms: … actions of 1 of 2 are disabled … enable-alarm-actions': {
    'monitoring:DescribeAlarms': alarms({}, { ActionsEnabled: false }),
  },
  'warn alarms: AWS throttled cloudwatch:DescribeAlarms … again in a minute': {
    'monitoring:DescribeAlarms': new AwsError('ThrottlingException'),
  },
  'fail alarms: 1 of 2 were deleted': { 'monitoring:DescribeAlarms': alarms({}) },
  'ok aliases: none: this stage deploys without CodeDeploy': {
    'cloudformation:ListStackResources': without('AWS::Lambda::Alias'),
  },
  'fail aliases: server is at version 5, but CodeDeploy left it at 7 … next deployment … update-alias --function-name server --name live --function-version 7':
    { 'lambda:GetAlias': ({ input }: Asked) => alias(input.FunctionName === 'server' ? '5' : '7') },
  'fail aliases: relay sends 10 % to version 8, and no deployment is in progress': {
    'lambda:GetAlias': ({ input }: Asked) =>
      input.FunctionName === 'relay' ? alias('7', { '8': 0.1 }) : alias('7'),
  },
  'warn aliases: … in progress': {
    'lambda:GetAlias': alias('7', { '8': 0.1 }),
    'codedeploy:BatchGetDeploymentGroups': groups({ deploymentId: 'd-2', status: 'InProgress' }),
  },
  'ok aliases: 2 as CodeDeploy left them': {
    'codedeploy:BatchGetDeploymentGroups': groups({ deploymentId: 'd-2', status: 'Failed' }),
  },
  'fail streams: relay is 15 minutes behind the stream … StreamBehind': {
    'monitoring:GetMetricData': metrics({ IteratorAge: [900_000] }),
  },
  'warn streams: … 60 seconds behind': { 'monitoring:GetMetricData': metrics({ IteratorAge: [60_000] }) },
  'ok streams: … at most 0 seconds behind': { 'monitoring:GetMetricData': metrics({}) },
  'fail streams: … relay is disabled … --enabled': {
    'lambda:GetEventSourceMapping': mapping({ State: 'Disabled' }),
  },
  'ok streams: … off: with smallAccount, functions work in turn': {
    'cloudformation:ListStackResources': IN_TURN,
    'lambda:GetEventSourceMapping': (asked: Asked) => ({ ...mapping()(asked), State: 'Disabled' }),
  },
  'warn streams: … event sources should be off, but that of relay is Enabled': {
    'cloudformation:ListStackResources': IN_TURN,
  },
  'fail enrichment queue: 3 leads waiting, the oldest for 2 hours … EnrichmentBehind': {
    'monitoring:GetMetricData': ageOf('enrichment', 7_200),
  },
  'warn enrichment queue: … the oldest for 10 minutes': {
    'monitoring:GetMetricData': ageOf('enrichment', 600),
  },
  'ok enrichment queue: 1 lead waiting.': {
    'monitoring:GetMetricData': metrics({}),
    'sqs:GetQueueAttributes': messages({ enrichment: '1' }),
  },
  'fail dead letters: … 2 leads failed permanently … leadctl dlq list … leadctl dlq redrive': {
    'sqs:GetQueueAttributes': messages({ dead: '2' }),
  },
  'fail sending queue: 0 messages waiting, the oldest for 40 minutes … SendingBehind': {
    'monitoring:GetMetricData': ageOf('sending', 2_400),
  },
  'warn sending queue: … the oldest for 30 minutes': { 'monitoring:GetMetricData': ageOf('sending', 1_800) },
  'fail index queue: 0 leads waiting, the oldest for 20 minutes … SearchBehind': {
    'monitoring:GetMetricData': ageOf('index', 1_200),
  },
  'warn index queue: … the oldest for 5 minutes': { 'monitoring:GetMetricData': ageOf('index', 300) },
  'fail sending dead letters: 1 event, message or search update failed permanently … dlq list --queue sending … dlq redrive --queue sending':
    { 'sqs:GetQueueAttributes': messages({ 'sending-dead': '1' }) },
  'ok mail sender: … verified by mail.example.com, with production access': {
    'ses:GetEmailIdentity': identities({ [DOMAIN]: true }),
  },
  // The verification of the address itself is pending.
  'ok mail sender: … verified by mail.example.com': {
    'ses:GetEmailIdentity': identities({ [MAIL_FROM]: false, [DOMAIN]: true }),
  },
  'fail mail sender: … neither leads@mail.example.com nor its domain … create-email-identity --email-identity mail.example.com':
    { 'ses:GetEmailIdentity': identities({}) },
  'fail mail sender: … neither': { 'ses:GetEmailIdentity': identities({ [DOMAIN]: false }) },
  'warn mail sender: … sandbox … production access': {
    'ses:GetAccount': { ProductionAccessEnabled: false, SendingEnabled: true },
  },
  'fail mail sender: … does not send mail': {
    'ses:GetAccount': { ProductionAccessEnabled: true, SendingEnabled: false },
  },
};

test.each(Object.entries(TOLD))('%s', async (told, responses) => {
  expectOnly(await examineAfter(aws, responses), told);
});

test('a stack without alarms has none to check, and one that sends no mail does not ask SES', async () => {
  const others = RESOURCES.filter(([type]) => !/Alarm|SNS/.test(type));
  const bare = { 'cloudformation:ListStackResources': resources(...others) };
  const results = await examineAfter(aws, bare, { ...outputs, mailFrom: undefined });
  const skipped = results.filter(({ status }) => status === 'skip');
  expect(skipped.map(({ name }) => name)).toEqual(['alarm subscription', 'alarms', 'mail sender']);
  expect(skipped.at(-1)?.found).toBe('mailFrom is not set');
  expect(aws.asked.filter(({ operation }) => operation.startsWith('ses:'))).toEqual([]);
});

test('a missing stack fails, and the checks that need it are skipped', async () => {
  const results = await examineAfter(aws, { 'cloudformation:DescribeStacks': NO_STACK });
  const others = results.filter(({ status }) => status !== 'ok').map(({ name, status }) => [status, name]);
  const needIt = ['alarm subscription', 'alarms', 'aliases', 'streams'];
  expect(others).toEqual([['fail', 'stack'], ...needIt.map((name) => ['skip', name])]);
  expect(summaryOf(results)).toBe('1 failed, 0 warnings.');
});

test.each([
  [manifest.version, { status: 'ok', found: manifest.version }],
  ['9.9.9', { status: 'warn', found: `leadctl is ${manifest.version}, and the stack is 9.9.9` }],
  [undefined, { status: 'warn', found: expect.stringContaining('from before the first release') }],
])('a stack of version %s is compared with leadctl', async (version, finding) => {
  expect(await versionCheck({ ...outputs, version }).run()).toMatchObject(finding);
});
