import { SQSClient } from '@aws-sdk/client-sqs';
import { expect } from '@jest/globals';
import type { TableNames } from '#aws/dynamodb.ts';
import type { StackOutputs } from '#bin/operator/stack-outputs.ts';
import { type PrintedCommand, printedCommand } from '#bin/operator/terminal.ts';
import { checksAfter } from '#leadctl/doctor/after.ts';
import { openAws } from '#leadctl/doctor/aws.ts';
import { type CheckResult, ok, runChecks } from '#leadctl/doctor/check.ts';
import { VERSION } from '#lib/version.ts';
import { type Asked, AwsError, type FakeAws, type Responses } from './fake-aws.ts';

export const MAIL_FROM = 'leads@mail.example.com';
export const REGION = 'eu-west-1';
export const ACCOUNT = '111122223333';
export const NOW = Date.parse('2026-05-01T00:00:00Z');
/** The caller, whom no line may name. */
export const PERSON = 'someone-in-person';

export const IDENTITY = {
  Account: ACCOUNT,
  UserId: 'AIDA',
  Arn: `arn:aws:iam::${ACCOUNT}:user/${PERSON}`,
};

export const NO_STACK = new AwsError('ValidationError: Stack with id LeadIngest-prod does not exist');

/** In the words of AWS, which name the person. */
export function denied(name = 'AccessDeniedException'): AwsError {
  return new AwsError(`${name}: User ${IDENTITY.Arn} is not allowed to do this`);
}

export function stackIn(StackStatus: string): object {
  return { Stacks: [{ StackName: 'LeadIngest-prod', CreationTime: new Date(NOW), StackStatus }] };
}

export function resources(...all: readonly (readonly [type: string, physicalId: string])[]): object {
  return {
    StackResourceSummaries: all.map(([ResourceType, PhysicalResourceId], index) => ({
      LogicalResourceId: `R${index}`,
      ResourceType,
      PhysicalResourceId,
      LastUpdatedTimestamp: new Date(NOW),
      ResourceStatus: 'CREATE_COMPLETE',
    })),
  };
}

export const ARN = `${REGION}:${ACCOUNT}`;
export const TOPIC = `arn:aws:sns:${ARN}:lead-ingest-prod-alarms`;
export const RESOURCES = [
  ['AWS::SNS::Topic', TOPIC],
  ['AWS::CloudWatch::Alarm', 'lead-ingest-prod-DeadLetters'],
  ['AWS::CloudWatch::Alarm', 'lead-ingest-prod-StreamBehind-relay'],
  ['AWS::Lambda::Alias', `arn:aws:lambda:${ARN}:function:server:live`],
  ['AWS::Lambda::Alias', `arn:aws:lambda:${ARN}:function:relay:live`],
  ['AWS::CodeDeploy::Application', 'app'],
  ['AWS::CodeDeploy::DeploymentGroup', 'group-server'],
  ['AWS::CodeDeploy::DeploymentGroup', 'group-relay'],
  ['AWS::Lambda::EventSourceMapping', 'uuid-stream'],
  ['AWS::Lambda::EventSourceMapping', 'uuid-queue'],
] as const;

export const subscriptions = (...arns: string[]) => ({
  Subscriptions: arns.map((SubscriptionArn) => ({ SubscriptionArn, Endpoint: `${PERSON}@example.com` })),
});
export const alarms = (...changes: object[]) => ({
  MetricAlarms: changes.map((change, index) => ({
    AlarmName: RESOURCES[index + 1]?.[1],
    StateValue: 'OK',
    ActionsEnabled: true,
    ...change,
  })),
});
export const alias = (FunctionVersion: string, AdditionalVersionWeights?: object) => ({
  FunctionVersion,
  ...(AdditionalVersionWeights && { RoutingConfig: { AdditionalVersionWeights } }),
});
/** Of the relay, which has never been deployed by CodeDeploy, there is none. */
export const groups = (lastAttempted: object = { deploymentId: 'd-1', status: 'Succeeded' }) => ({
  deploymentGroupsInfo: [
    {
      deploymentGroupName: 'group-server',
      lastSuccessfulDeployment: { deploymentId: 'd-1', status: 'Succeeded' },
      lastAttemptedDeployment: lastAttempted,
    },
    { deploymentGroupName: 'group-relay' },
  ],
});
export const mapping =
  (stream: object = {}) =>
  (asked: Asked) =>
    asked.input.UUID === 'uuid-stream'
      ? {
          State: 'Enabled',
          FunctionArn: `arn:aws:lambda:${ARN}:function:relay:live`,
          EventSourceArn: `arn:aws:dynamodb:${ARN}:table/Leads/stream/1`,
          ...stream,
        }
      : {
          State: 'Enabled',
          FunctionArn: `arn:aws:lambda:${ARN}:function:enrich:live`,
          EventSourceArn: `arn:aws:sqs:${ARN}:enrichment`,
        };
interface Query {
  readonly Id: string;
  readonly MetricStat: { readonly Metric: { readonly MetricName: string } };
}
/** Newest first, as it was asked for. */
export const metrics = (values: Readonly<Record<string, number[]>>) => (asked: Asked) => ({
  MetricDataResults: (asked.input.MetricDataQueries as Query[]).map(({ Id, MetricStat }) => ({
    Id,
    Values: values[MetricStat.Metric.MetricName] ?? [],
  })),
});
/** By the last part of the queue's URL. */
export const messages = (counts: Readonly<Record<string, string>>) => (asked: Asked) => ({
  Attributes: {
    ApproximateNumberOfMessages: counts[String(asked.input.QueueUrl).split('/').at(-1) ?? ''] ?? '0',
  },
});

/** A healthy stack of prod. */
export const WELL: Responses = {
  'sts:GetCallerIdentity': IDENTITY,
  'cloudformation:DescribeStacks': stackIn('UPDATE_COMPLETE'),
  'cloudformation:ListStackResources': resources(...RESOURCES),
  'sns:ListSubscriptionsByTopic': subscriptions(`${TOPIC}:1`),
  'monitoring:DescribeAlarms': alarms({}, {}),
  'lambda:GetAlias': alias('7'),
  'codedeploy:BatchGetDeploymentGroups': groups(),
  'codedeploy:ListDeploymentTargets': { targetIds: ['server:live'] },
  'codedeploy:BatchGetDeploymentTargets': {
    deploymentTargets: [
      {
        deploymentTargetType: 'LambdaFunction',
        lambdaTarget: {
          lambdaFunctionInfo: {
            functionName: 'server',
            functionAlias: 'live',
            currentVersion: '6',
            targetVersion: '7',
          },
        },
      },
    ],
  },
  'lambda:GetEventSourceMapping': mapping(),
  'monitoring:GetMetricData': metrics({ IteratorAge: [900, 999_000], ApproximateAgeOfOldestMessage: [12] }),
  'sqs:GetQueueAttributes': messages({ enrichment: '3' }),
  'ses:GetEmailIdentity': { VerifiedForSendingStatus: true },
  'ses:GetAccount': { ProductionAccessEnabled: true, SendingEnabled: true },
};

export const outputs: StackOutputs = {
  stackName: 'LeadIngest-prod',
  version: VERSION,
  region: REGION,
  ingestUrl: 'https://leads.example.com',
  sourcesUrl: 'https://leads.example.com/in',
  tables: {} as TableNames,
  enrichmentQueueUrl: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/enrichment`,
  deadLetterQueueUrl: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/dead`,
  sendingQueueUrl: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/sending`,
  sendingDeadLetterQueueUrl: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/sending-dead`,
  indexQueueUrl: `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/index`,
  userPoolId: undefined,
  userPoolClientId: undefined,
  settingsUrl: undefined,
  consoleUrl: undefined,
  mailFrom: MAIL_FROM,
  mailConfigurationSet: undefined,
  localDynamoDbEndpoint: undefined,
  localSqsEndpoint: undefined,
  localCognitoEndpoint: undefined,
  localMailFolder: undefined,
  localEventBridgeEndpoint: undefined,
};

/** Runs all checks after a deployment except the round trip, on a stack that is healthy except for these responses. */
export async function examineAfter(
  aws: FakeAws,
  responses: Responses,
  of: StackOutputs = outputs,
): Promise<CheckResult[]> {
  aws.respondWith({ ...WELL, ...responses });
  const access = {
    region: REGION,
    endpoint: aws.endpoint,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  };
  // Otherwise the SDK follows the queue's URL, which is on AWS.
  const queueClient = new SQSClient({ ...access, useQueueUrlAsEndpoint: false });
  const command: PrintedCommand = (...words) => `npx --no-install leadctl ${printedCommand(...words)}`;
  const queues = { queueClient, outputs: of, command };
  const roundTrip = { name: 'round trip', run: async () => ok('elsewhere') };
  const checks = checksAfter(await openAws(access), of, queues, roundTrip, () => NOW);
  return runChecks(checks, () => undefined).finally(() => queueClient.destroy());
}

/** Expects this of one check, ok of all others, and no personal data. `…` stands for any words, and so does the end. */
export function expectOnly(results: readonly CheckResult[], told: string): void {
  const [, status, check] = /^(\w+) ([^:]+):/.exec(told) ?? [];
  const lines = results.map(
    ({ name, ...each }) => `${each.status} ${name}: ${each.found}. ${each.todo ?? ''}`,
  );
  const line = lines.find((each) => each.startsWith(`${status} ${check}: `));
  const words = told.split(/ ?… ?/).map((part) => part.replace(/[.*+?^$()[\]|\\]/g, '\\$&'));
  expect(line).toMatch(new RegExp(`^${words.join('.*')}`));
  expect(lines.filter((each) => each !== line && !each.startsWith('ok '))).toEqual([]);
  expect(lines.join()).not.toContain(PERSON);
}

/** What a caller needs, where it is not called like the operation. */
const PERMISSIONS: Readonly<Record<string, string>> = {
  'apigateway:GetAccount': 'apigateway:GET on /account',
  'apigateway:GetDomainName': 'apigateway:GET on /domainnames/leads.example.com',
};

/** Expects a warning that names the permission if AWS denies an operation, and that nothing fails. */
export async function expectDenied(
  operation: string,
  examine: (responses: Responses) => Promise<CheckResult[]>,
): Promise<void> {
  const permission = PERMISSIONS[operation] ?? operation.replace('monitoring:', 'cloudwatch:');
  const results = await examine({ [operation]: denied('AccessDenied') });
  const told = results.filter(({ status }) => status !== 'ok');
  expect(told).not.toEqual([]);
  for (const { status, found, todo } of told) {
    const advice = expect.stringContaining(`Allow ${permission}, or ask`);
    expect({ status, found, todo }).toEqual({ status: 'warn', found: 'access denied', todo: advice });
  }
  expect(JSON.stringify(results)).not.toContain(PERSON);
}
