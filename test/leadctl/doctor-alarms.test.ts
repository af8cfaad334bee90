import { afterAll, beforeAll, test } from '@jest/globals';
import { AwsError, type FakeAws, startFakeAws } from './fake-aws/fake-aws.ts';
import {
  alarms,
  alias,
  denied,
  examineAfter,
  expectOnly,
  groups,
  RESOURCES,
  type Row,
  resources,
  subscriptions,
  TOPIC,
} from './fake-aws/healthy-stack.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.close());

const without = (type: string) => resources(...RESOURCES.filter(([each]) => each !== type));
const withSubscription = resources(...RESOURCES, ['AWS::SNS::Subscription', `${TOPIC}:1`]);

const ROWS: Row[] = [
  [
    'alarm subscription',
    'not confirmed',
    { 'sns:ListSubscriptionsByTopic': subscriptions('PendingConfirmation') },
    'fail',
    /1 not confirmed, 0 confirmed.*48 hours/,
  ],
  [
    'alarm subscription',
    'one of two not confirmed',
    { 'sns:ListSubscriptionsByTopic': subscriptions('PendingConfirmation', `${TOPIC}:1`) },
    'warn',
    /1 not confirmed, 1 confirmed/,
  ],
  [
    'alarm subscription',
    'gone after 48 hours',
    {
      'cloudformation:ListStackResources': withSubscription,
      'sns:ListSubscriptionsByTopic': subscriptions(),
    },
    'fail',
    /not confirmed within 48 hours.*aws sns subscribe --topic-arn/,
  ],
  [
    'alarm subscription',
    'deleted',
    { 'sns:ListSubscriptionsByTopic': subscriptions('Deleted') },
    'warn',
    /notify nobody/,
  ],
  [
    'alarm subscription',
    'never set',
    { 'sns:ListSubscriptionsByTopic': subscriptions() },
    'warn',
    /-c alarmEmail=ADDRESS/,
  ],
  [
    'alarm subscription',
    'access denied',
    { 'sns:ListSubscriptionsByTopic': new AwsError('AuthorizationErrorException') },
    'warn',
    /Allow sns:ListSubscriptionsByTopic/,
  ],
  [
    'alarms',
    'on',
    { 'monitoring:DescribeAlarms': alarms({}, { StateValue: 'ALARM' }) },
    'fail',
    /1 of 2 in alarm: lead-ingest-prod-StreamBehind-relay.*runbook/,
  ],
  [
    'alarms',
    'muted',
    { 'monitoring:DescribeAlarms': alarms({}, { ActionsEnabled: false }) },
    'warn',
    /actions of 1 of 2 are disabled.*enable-alarm-actions/,
  ],
  ['alarms', 'deleted', { 'monitoring:DescribeAlarms': alarms({}) }, 'fail', /1 of 2 were deleted/],
  [
    'alarms',
    'throttled',
    { 'monitoring:DescribeAlarms': new AwsError('ThrottlingException') },
    'warn',
    /throttled cloudwatch:DescribeAlarms/,
  ],
  [
    'aliases',
    'of dev',
    { 'cloudformation:ListStackResources': without('AWS::Lambda::Alias') },
    'ok',
    /none: this stage deploys without CodeDeploy/,
  ],
  [
    'aliases',
    'moved by hand',
    { 'lambda:GetAlias': ({ input }) => alias(input.FunctionName === 'server' ? '5' : '7') },
    'fail',
    /server is at version 5, but CodeDeploy left it at 7.*next deployment.*update-alias --function-name server --name live --function-version 7/,
  ],
  [
    'aliases',
    'shared by two versions',
    {
      'lambda:GetAlias': ({ input }) =>
        input.FunctionName === 'relay' ? alias('7', { '8': 0.1 }) : alias('7'),
    },
    'fail',
    /relay sends 10 % to version 8, and no deployment is in progress/,
  ],
  [
    'aliases',
    'in a deployment',
    {
      'lambda:GetAlias': alias('7', { '8': 0.1 }),
      'codedeploy:BatchGetDeploymentGroups': groups({ deploymentId: 'd-2', status: 'InProgress' }),
    },
    'warn',
    /in progress/,
  ],
  [
    'aliases',
    'after a failed deployment',
    { 'codedeploy:BatchGetDeploymentGroups': groups({ deploymentId: 'd-2', status: 'Failed' }) },
    'ok',
    /2 as CodeDeploy left them/,
  ],
  [
    'aliases',
    'access denied',
    { 'codedeploy:ListDeploymentTargets': denied() },
    'warn',
    /Allow codedeploy:ListDeploymentTargets/,
  ],
];

test.each(ROWS)('%s: %s', async (check, _when, responses, status, says) => {
  expectOnly(await examineAfter(aws, responses), check, status, says);
});
