import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Asked, AwsError, type FakeAws, startFakeAws } from './fake-aws/fake-aws.ts';
import {
  alarms,
  alias,
  denied,
  examineAfter,
  expectOnly,
  groups,
  MAIL_FROM,
  outputs,
  REGION,
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

const NESTED = `arn:aws:cloudformation:${REGION}:111122223333:stack/LeadIngest-prod-MonitoringNested-1/2`;

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
    'alarms',
    'in the nested stack too',
    {
      'cloudformation:ListStackResources': ({ input }) =>
        input.StackName === NESTED
          ? resources(...RESOURCES.slice(2, 3))
          : resources(
              RESOURCES[0],
              RESOURCES[1],
              ['AWS::CloudFormation::Stack', NESTED],
              ...RESOURCES.slice(3),
            ),
      'monitoring:DescribeAlarms': alarms({}, { StateValue: 'ALARM' }),
    },
    'fail',
    /1 of 2 in alarm: lead-ingest-prod-StreamBehind-relay/,
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

test('a stack without alarms has none to check', async () => {
  const others = RESOURCES.filter(([type]) => !/Alarm|SNS/.test(type));
  const results = await examineAfter(aws, { 'cloudformation:ListStackResources': resources(...others) });
  const skipped = results.filter(({ status }) => status === 'skip');
  expect(skipped.map(({ name }) => name)).toEqual(['alarm subscription', 'alarms']);
});

describe('mail', () => {
  /** By identity; the others do not exist. */
  const identities = (verified: Readonly<Record<string, boolean>>) => (asked: Asked) => {
    const status = verified[decodeURIComponent(String(asked.input.EmailIdentity))];
    return status === undefined ? new AwsError('NotFoundException') : { VerifiedForSendingStatus: status };
  };

  const DOMAIN = 'mail.example.com';

  const ROWS: Row[] = [
    [
      'mail sender',
      'verified by its domain',
      { 'ses:GetEmailIdentity': identities({ [DOMAIN]: true }) },
      'ok',
      /verified by mail\.example\.com, with production access/,
    ],
    [
      'mail sender',
      'whose own verification is pending',
      { 'ses:GetEmailIdentity': identities({ [MAIL_FROM]: false, [DOMAIN]: true }) },
      'ok',
      /verified by mail\.example\.com/,
    ],
    [
      'mail sender',
      'unknown to SES',
      { 'ses:GetEmailIdentity': identities({}) },
      'fail',
      /neither leads@mail\.example\.com nor its domain.*create-email-identity --email-identity mail\.example\.com/,
    ],
    [
      'mail sender',
      'not verified yet',
      { 'ses:GetEmailIdentity': identities({ [DOMAIN]: false }) },
      'fail',
      /neither/,
    ],
    [
      'mail sender',
      'in the sandbox',
      { 'ses:GetAccount': { ProductionAccessEnabled: false, SendingEnabled: true } },
      'warn',
      /sandbox.*production access/,
    ],
    [
      'mail sender',
      'of an account that may not send',
      { 'ses:GetAccount': { ProductionAccessEnabled: true, SendingEnabled: false } },
      'fail',
      /does not send mail/,
    ],
    ['mail sender', 'access denied', { 'ses:GetAccount': denied() }, 'warn', /Allow ses:GetAccount/],
  ];

  test.each(ROWS)('%s: %s', async (check, _when, responses, status, says) => {
    expectOnly(await examineAfter(aws, responses), check, status, says);
  });

  test('a stack that sends no mail does not ask SES', async () => {
    const results = await examineAfter(aws, {}, { ...outputs, mailFrom: undefined });
    expect(results).toContainEqual({ name: 'mail sender', status: 'skip', found: 'mailFrom is not set' });
    expect(aws.asked.filter(({ operation }) => operation.startsWith('ses:'))).toEqual([]);
  });

  test('SES is asked in the region of the stack', async () => {
    await examineAfter(aws, {});
    const asked = aws.asked.filter(({ operation }) => operation.startsWith('ses:'));
    expect(asked.map(({ operation, region }) => `${operation} in ${region}`)).toEqual([
      `ses:GetEmailIdentity in ${REGION}`,
      `ses:GetAccount in ${REGION}`,
    ]);
  });
});
