import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openAws } from '../../bin/leadctl/doctor/aws.ts';
import { runChecks } from '../../bin/leadctl/doctor/check.ts';
import { AwsError, type FakeAws, type Responses, startFakeAws } from './fake-aws/fake-aws.ts';
import {
  ACCOUNT,
  denied,
  expectOnly,
  REGION,
  type Row,
  resources,
  stackIn,
} from './fake-aws/healthy-stack.ts';
import { examineBefore, records, role } from './fake-aws/ready-account.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.close());

const fine: Record<string, string> = {
  credentials: `account ${ACCOUNT}`,
  region: REGION,
  bootstrap: 'version 28',
  'Lambda concurrency': '1000 concurrent requests, 900 unreserved',
  'API Gateway role': 'none yet; the stack sets it',
  'API Gateway quota': '10000 requests per second; the stack may use 10000',
  'console web ACL': 'named by consoleWebAclArn',
  'ingest certificate': 'issued, for leads.example.com',
  'console certificate': 'issued, for console.example.com',
  'hosted zone': 'Z0123456789ABC, the public zone of example.com',
  'mail sender': 'leads@mail.example.com, verified by leads@mail.example.com, with production access',
  stack: 'LeadIngest-prod does not exist yet',
  'alarm topic': 'free',
  'alarm names': 'free',
  'dashboard name': 'free',
  'ingest domain': 'free',
  'DNS records': 'free',
  tables: 'no leftovers',
};

test('an account that is ready has no issues', async () => {
  const results = await examineBefore(aws, {});
  expect(results).toEqual(Object.entries(fine).map(([name, found]) => ({ name, status: 'ok', found })));
  const asked = aws.asked.map(({ operation, region }) => `${operation} in ${region}`);
  expect(asked).toContain('acm:DescribeCertificate in eu-west-1');
  expect(asked).toContain('acm:DescribeCertificate in us-east-1');
});

const ROWS: Row[] = [
  [
    'bootstrap',
    'absent',
    { 'ssm:GetParameter': new AwsError('ParameterNotFound') },
    'fail',
    /npx cdk bootstrap aws:\/\/111122223333\/eu-west-1/,
  ],
  [
    'bootstrap',
    'too old',
    { 'ssm:GetParameter': { Parameter: { Value: '5' } } },
    'fail',
    /version 5, but version 6 is required/,
  ],
  ['bootstrap', 'access denied', { 'ssm:GetParameter': denied() }, 'warn', /Allow ssm:GetParameter/],
  [
    'bootstrap',
    'throttled',
    { 'ssm:GetParameter': new AwsError('ThrottlingException') },
    'warn',
    /again in a minute/,
  ],
  [
    'bootstrap',
    'broken',
    { 'ssm:GetParameter': new AwsError('InternalServerError') },
    'fail',
    /ssm:GetParameter returned InternalServerError/,
  ],
  [
    'Lambda concurrency',
    '10, as in a new account',
    {
      'lambda:GetAccountSettings': {
        AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 },
      },
    },
    'warn',
    /at most 10 functions.*leads have 0 of them, or 4 with smallAccount=true.*-c smallAccount=true.*--desired-value 1000$/,
  ],
  [
    'Lambda concurrency',
    'reserved by others',
    {
      'lambda:GetAccountSettings': {
        AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 100 },
      },
    },
    'warn',
    /only 100 of 1000/,
  ],
  [
    'Lambda concurrency',
    'access denied',
    { 'lambda:GetAccountSettings': denied() },
    'warn',
    /Allow lambda:GetAccountSettings/,
  ],
  [
    'Lambda concurrency',
    'throttled',
    { 'lambda:GetAccountSettings': new AwsError('TooManyRequestsException') },
    'warn',
    /throttled lambda:GetAccountSettings/,
  ],
  [
    'API Gateway role',
    'of something else',
    { 'apigateway:GetAccount': role('team-logs') },
    'warn',
    /would replace team-logs.*manageApiGatewayAccount=false/,
  ],
  [
    'API Gateway role',
    'of an earlier stack',
    { 'apigateway:GetAccount': role('LeadIngest-prod-IngestApiCloudWatchRole-1') },
    'ok',
    /LeadIngest-prod/,
  ],
  [
    'API Gateway quota',
    'lower than the stack may use',
    { 'apigateway:GetAccount': { throttleSettings: { rateLimit: 2_500 } } },
    'warn',
    /2500 requests per second.*-c apiRequestsPerSecond=2500/,
  ],
];

test.each(ROWS)('%s: %s', async (check, _when, responses, status, says) => {
  expectOnly(await examineBefore(aws, responses), check, status, says);
});

test('with smallAccount, it is not advised, and a larger account does not need it', async () => {
  const limited = (ConcurrentExecutions: number) => ({
    'lambda:GetAccountSettings': {
      AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions: ConcurrentExecutions },
    },
  });
  const about = async (quota: number) =>
    (await examineBefore(aws, limited(quota), { smallAccount: 'true' })).find(
      ({ name }) => name === 'Lambda concurrency',
    );
  const small = await about(10);
  expect(small?.status).toBe('warn');
  expect(small?.todo).toMatch(/^See docs.*--desired-value 1000$/);
  expect(await about(1000)).toMatchObject({ status: 'warn', todo: 'Deploy without smallAccount.' });
});

test('the command to request more is the one in docs/deploy.md', async () => {
  const [result] = (
    await examineBefore(aws, {
      'lambda:GetAccountSettings': { AccountLimit: { ConcurrentExecutions: 10 } },
    })
  ).filter(({ name }) => name === 'Lambda concurrency');
  const [, command = ''] = /Run: (.+)$/.exec(result?.todo ?? '') ?? [];
  const inOneLine = readFileSync('docs/deploy.md', 'utf8').replace(/ \\\n\s*/g, ' ');
  expect(command).not.toBe('');
  expect(inOneLine).toContain(command);
});

test("API Gateway's account: access denied", async () => {
  const results = await examineBefore(aws, { 'apigateway:GetAccount': denied() });
  const told = results.filter(({ status }) => status !== 'ok');
  expect(told.map(({ name, status }) => `${name}: ${status}`)).toEqual([
    'API Gateway role: warn',
    'API Gateway quota: warn',
  ]);
  for (const { todo } of told) expect(todo).toContain('Allow apigateway:GET on /account');
});

test.each([
  ['prod', 'eu-west-1', {}, 'warn', /none: it must be in us-east-1/],
  ['prod', 'us-east-1', {}, 'ok', /the stack creates it/],
  ['prod', 'eu-west-1', { consoleFirewall: 'false' }, 'skip', /consoleFirewall is off/],
  ['prod', 'eu-west-1', { console: 'false' }, 'skip', /console is false/],
  ['dev', 'eu-west-1', {}, 'skip', /consoleFirewall is off/],
  ['dev', 'eu-west-1', { consoleFirewall: 'true' }, 'warn', /none/],
] as const)(
  'the web ACL of the console in %s in %s with %j: %s',
  async (stage, region, given, status, says) => {
    const results = await examineBefore(aws, {}, { stage, ...given }, region);
    expect(results).toContainEqual(
      expect.objectContaining({ name: 'console web ACL', status, found: expect.stringMatching(says) }),
    );
  },
);

test('without a role for API Gateway, manageApiGatewayAccount=false fails', async () => {
  const context = { manageApiGatewayAccount: 'false' };
  expect(await examineBefore(aws, {}, context)).toContainEqual(
    expect.objectContaining({ name: 'API Gateway role', status: 'fail' }),
  );
  const results = await examineBefore(aws, { 'apigateway:GetAccount': role('team-logs') }, context);
  expect(results.find(({ name }) => name === 'API Gateway role')).toMatchObject({ status: 'ok' });
});

test('with credentials that AWS rejects, nothing else is checked', async () => {
  const results = await examineBefore(aws, { 'sts:GetCallerIdentity': new AwsError('ExpiredToken') });
  expect(results[0]).toMatchObject({
    name: 'credentials',
    status: 'fail',
    todo: expect.stringContaining('sso login'),
  });
  expect(results.slice(2).map(({ status, found }) => `${status} ${found}`)).toEqual(
    Array(16).fill('skip requires credentials'),
  );
  expect(aws.asked).toHaveLength(1);
});

test('if nothing responds, each check says so', async () => {
  const opened = await openAws({
    region: REGION,
    endpoint: 'http://127.0.0.1:9',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  const [result] = await runChecks(opened.checks, () => undefined);
  expect(result).toMatchObject({
    status: 'fail',
    found: 'no response to sts:GetCallerIdentity (ECONNREFUSED)',
  });
});

describe('leftovers', () => {
  const inState = (status: string): Responses => ({ 'cloudformation:DescribeStacks': stackIn(status) });

  const ROWS: Row[] = [
    [
      'stack',
      'after a first deployment that failed',
      inState('ROLLBACK_COMPLETE'),
      'fail',
      /first deployment.*termination protection/,
    ],
    ['stack', 'after a rollback that failed', inState('ROLLBACK_FAILED'), 'fail', /first deployment/],
    ['stack', 'half deleted', inState('DELETE_FAILED'), 'fail', /delete-stack/],
    ['stack', 'half updated', inState('UPDATE_FAILED'), 'fail', /rollback-stack/],
    ['stack', 'half rolled back', inState('UPDATE_ROLLBACK_FAILED'), 'fail', /continue-update-rollback/],
    ['stack', 'with a change set only', inState('REVIEW_IN_PROGRESS'), 'warn', /never executed/],
    ['stack', 'being updated', inState('UPDATE_IN_PROGRESS'), 'warn', /Wait/],
    ['stack', 'there', inState('UPDATE_COMPLETE'), 'ok', /exists/],
    [
      'alarm topic',
      'left',
      { 'sns:GetTopicAttributes': { Attributes: { TopicArn: 'x' } } },
      'fail',
      /topic lead-ingest-prod-alarms already exists outside the stack.*Delete it/,
    ],
    [
      'alarm topic',
      'access denied',
      { 'sns:GetTopicAttributes': new AwsError('AuthorizationErrorException') },
      'warn',
      /Allow sns:GetTopicAttributes/,
    ],
    [
      'alarm names',
      'left',
      {
        'monitoring:DescribeAlarms': {
          MetricAlarms: [{ AlarmName: 'lead-ingest-prod-A' }, { AlarmName: 'lead-ingest-prod-B' }],
        },
      },
      'fail',
      /alarm lead-ingest-prod-A and 1 more/,
    ],
    [
      'alarm names',
      'access denied',
      { 'monitoring:DescribeAlarms': denied('AccessDenied') },
      'warn',
      /Allow cloudwatch:DescribeAlarms/,
    ],
    [
      'dashboard name',
      'left',
      { 'monitoring:GetDashboard': { DashboardName: `lead-ingest-prod-monitoring-${REGION}` } },
      'fail',
      /dashboard lead-ingest-prod-monitoring-[\w-]+ already exists/,
    ],
    [
      'ingest domain',
      'used by another API',
      { 'apigateway:GetDomainName': { domainName: 'leads.example.com' } },
      'fail',
      /API Gateway domain name leads\.example\.com/,
    ],
    [
      'DNS records',
      'that point elsewhere',
      { 'route53:ListResourceRecordSets': records(['leads.example.com.', 'CNAME']) },
      'fail',
      /DNS record leads\.example\.com already exists/,
    ],
    [
      'DNS records',
      'of another kind',
      { 'route53:ListResourceRecordSets': records(['leads.example.com.', 'TXT']) },
      'ok',
      /free/,
    ],
    [
      'tables',
      'left',
      { 'dynamodb:ListTables': { TableNames: ['LeadIngest-prod-Leads-1', 'LeadIngest-prod-Forms-1', 'Z'] } },
      'warn',
      /left 2 tables, such as LeadIngest-prod-Leads-1.*starts empty/,
    ],
  ];

  test.each(ROWS)('%s: %s', async (check, _when, responses, status, says) => {
    expectOnly(await examineBefore(aws, responses), check, status, says);
  });

  test('without alarms and dashboard, their names do not matter', async () => {
    const left = { 'monitoring:GetDashboard': { DashboardName: `lead-ingest-dev-monitoring-${REGION}` } };
    const results = await examineBefore(aws, left, { stage: 'dev', alarms: 'false' });
    const skipped = ['alarm topic', 'alarm names', 'dashboard name'];
    expect(results.filter(({ name }) => skipped.includes(name)).map(({ status }) => status)).toEqual([
      'skip',
      'skip',
      'skip',
    ]);
  });

  test('names that the stack itself uses are no conflict', async () => {
    const NESTED = `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/LeadIngest-prod-MonitoringNested-1/2`;
    const results = await examineBefore(aws, {
      ...inState('UPDATE_COMPLETE'),
      'cloudformation:ListStackResources': ({ input }) => {
        if (input.StackName === NESTED) {
          return resources(
            ['AWS::CloudWatch::Alarm', 'lead-ingest-prod-monitoring-B'],
            ['AWS::CloudWatch::Dashboard', `lead-ingest-prod-monitoring-${REGION}`],
          );
        }
        return 'NextToken' in input
          ? resources(
              ['AWS::Route53::RecordSet', 'leads.example.com'],
              ['AWS::Route53::RecordSet', 'console.example.com'],
            )
          : {
              ...resources(
                ['AWS::SNS::Topic', `arn:aws:sns:${REGION}:${ACCOUNT}:lead-ingest-prod-alarms`],
                ['AWS::CloudWatch::Alarm', 'lead-ingest-prod-A'],
                ['AWS::CloudFormation::Stack', NESTED],
                ['AWS::ApiGateway::DomainName', 'leads.example.com'],
                ['AWS::DynamoDB::GlobalTable', 'LeadIngest-prod-Leads-1'],
              ),
              NextToken: 'more',
            };
      },
      'sns:GetTopicAttributes': { Attributes: {} },
      'monitoring:DescribeAlarms': {
        MetricAlarms: [{ AlarmName: 'lead-ingest-prod-A' }, { AlarmName: 'lead-ingest-prod-monitoring-B' }],
      },
      'monitoring:GetDashboard': { DashboardName: `lead-ingest-prod-monitoring-${REGION}` },
      'apigateway:GetDomainName': { domainName: 'leads.example.com' },
      'route53:ListResourceRecordSets': records(
        ['leads.example.com.', 'A'],
        ['console.example.com.', 'AAAA'],
      ),
      'dynamodb:ListTables': { TableNames: ['LeadIngest-prod-Leads-1'] },
    });
    expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(results.filter(({ found }) => found === 'owned by the stack')).toHaveLength(5);
  });
});
