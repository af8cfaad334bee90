import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { openAws } from '../../bin/leadctl/doctor/aws.ts';
import { runChecks } from '../../bin/leadctl/doctor/check.ts';
import { AwsError, type Responses, startFakeAws } from './fake-aws/fake-aws.ts';
import { ACCOUNT, expectDenied, expectOnly, REGION, resources, stackIn } from './fake-aws/healthy-stack.ts';
import { CONTEXT, examineBefore, READY, records, role, zone } from './fake-aws/ready-account.ts';

const aws = await startFakeAws();
afterAll(aws.close);

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

describe('without a permission', () => {
  // The template is for another check, and resources are asked for only if there is a stack.
  const others = ['sts:GetCallerIdentity', 'cloudformation:GetTemplate', 'cloudformation:ListStackResources'];
  const operations = Object.keys(READY).filter((operation) => !others.includes(operation));

  test.each(operations)('%s, it is named', async (operation) => {
    await expectDenied(operation, (responses) => examineBefore(aws, responses));
  });
});

const concurrency = (
  ConcurrentExecutions: number,
  UnreservedConcurrentExecutions = ConcurrentExecutions,
) => ({
  'lambda:GetAccountSettings': { AccountLimit: { ConcurrentExecutions, UnreservedConcurrentExecutions } },
});
const inState = (status: string): Responses => ({ 'cloudformation:DescribeStacks': stackIn(status) });

/** What one check tells, and the responses of AWS that differ from those of an account that is ready. */
const TOLD: Readonly<Record<string, Responses>> = {
  'fail bootstrap: … npx cdk bootstrap aws://111122223333/eu-west-1': {
    'ssm:GetParameter': new AwsError('ParameterNotFound'),
  },
  'fail bootstrap: … version 5, but version 6 is required': {
    'ssm:GetParameter': { Parameter: { Value: '5' } },
  },
  'fail bootstrap: ssm:GetParameter returned InternalServerError': {
    'ssm:GetParameter': new AwsError('InternalServerError'),
  },
  'warn Lambda concurrency: … at most 10 functions … leads have 0 of them, or 4 with smallAccount=true … -c smallAccount=true … --desired-value 1000':
    concurrency(10),
  'warn Lambda concurrency: only 100 of 1000': concurrency(1000, 100),
  'warn Lambda concurrency: AWS throttled lambda:GetAccountSettings': {
    'lambda:GetAccountSettings': new AwsError('TooManyRequestsException'),
  },
  'warn API Gateway role: … would replace team-logs … manageApiGatewayAccount=false': {
    'apigateway:GetAccount': role('team-logs'),
  },
  'ok API Gateway role: … LeadIngest-prod': {
    'apigateway:GetAccount': role('LeadIngest-prod-IngestApiCloudWatchRole-1'),
  },
  'warn API Gateway quota: 2500 requests per second … -c apiRequestsPerSecond=2500': {
    'apigateway:GetAccount': { throttleSettings: { rateLimit: 2_500 } },
  },
  'fail hosted zone: hosted zone Z0123456789ABC not found … list-hosted-zones-by-name': {
    'route53:GetHostedZone': new AwsError('NoSuchHostedZone'),
  },
  'fail hosted zone: … is the zone of example.org, not of example.com': {
    'route53:GetHostedZone': zone({ Name: 'example.org.' }),
  },
  'fail hosted zone: … private': { 'route53:GetHostedZone': zone({ Config: { PrivateZone: true } }) },
  'fail stack: … first deployment … termination protection': inState('ROLLBACK_COMPLETE'),
  'fail stack: … first deployment': inState('ROLLBACK_FAILED'),
  'fail stack: … delete-stack': inState('DELETE_FAILED'),
  'fail stack: … rollback-stack': inState('UPDATE_FAILED'),
  'fail stack: … continue-update-rollback': inState('UPDATE_ROLLBACK_FAILED'),
  'warn stack: … never executed': inState('REVIEW_IN_PROGRESS'),
  'warn stack: … Wait': inState('UPDATE_IN_PROGRESS'),
  'ok stack: … exists': inState('UPDATE_COMPLETE'),
  'fail alarm topic: … topic lead-ingest-prod-alarms already exists outside the stack … Delete it': {
    'sns:GetTopicAttributes': { Attributes: { TopicArn: 'x' } },
  },
  'fail alarm names: … alarm lead-ingest-prod-A and 1 more': {
    'monitoring:DescribeAlarms': {
      MetricAlarms: [{ AlarmName: 'lead-ingest-prod-A' }, { AlarmName: 'lead-ingest-prod-B' }],
    },
  },
  'fail dashboard name: … dashboard lead-ingest-prod-monitoring-eu-west-1 already exists': {
    'monitoring:GetDashboard': { DashboardName: `lead-ingest-prod-monitoring-${REGION}` },
  },
  'fail ingest domain: … API Gateway domain name leads.example.com': {
    'apigateway:GetDomainName': { domainName: 'leads.example.com' },
  },
  'fail DNS records: … DNS record leads.example.com already exists': {
    'route53:ListResourceRecordSets': records(['leads.example.com.', 'CNAME']),
  },
  'ok DNS records: free': { 'route53:ListResourceRecordSets': records(['leads.example.com.', 'TXT']) },
  'warn tables: … left 2 tables, such as LeadIngest-prod-Leads-1 … starts empty': {
    'dynamodb:ListTables': { TableNames: ['LeadIngest-prod-Leads-1', 'LeadIngest-prod-Forms-1', 'Z'] },
  },
};

test.each(Object.entries(TOLD))('%s', async (told, responses) => {
  expectOnly(await examineBefore(aws, responses), told);
});

const { consoleWebAclArn: _, ...withoutAcl } = CONTEXT;

/** The same for settings, and the region. */
test.each<[told: string, context: Readonly<Record<string, string>>]>([
  ['warn console web ACL: none: it must be in us-east-1', withoutAcl],
  ['ok console web ACL: … the stack creates it', { stage: 'prod', region: 'us-east-1' }],
  ['skip console web ACL: … consoleFirewall is off', { stage: 'prod', consoleFirewall: 'false' }],
  ['skip console web ACL: … console is false', { stage: 'prod', console: 'false' }],
  ['skip console web ACL: … consoleFirewall is off', { stage: 'dev' }],
  ['warn console web ACL: … none', { stage: 'dev', consoleFirewall: 'true' }],
  ['fail API Gateway role: the account has no role', { manageApiGatewayAccount: 'false' }],
  ['fail hosted zone: leads.example.org is not in', { ...CONTEXT, ingestDomainName: 'leads.example.org' }],
  ['warn Lambda concurrency: … Deploy without smallAccount.', { smallAccount: 'true' }],
  ['skip alarm topic:', { stage: 'dev', alarms: 'false' }],
  ['skip alarm names:', { stage: 'dev', alarms: 'false' }],
  ['skip dashboard name:', { stage: 'dev', alarms: 'false' }],
])('%s with %j', async (told, { region, ...context }) => {
  const [, check] = /^\w+ ([^:]+):/.exec(told) ?? [];
  const results = await examineBefore(aws, {}, context, region);
  expectOnly(
    results.filter(({ name }) => name === check),
    told,
  );
});

test('another role is fine if the stack does not set its own', async () => {
  const context = { manageApiGatewayAccount: 'false' };
  const results = await examineBefore(aws, { 'apigateway:GetAccount': role('team-logs') }, context);
  expect(results.find(({ name }) => name === 'API Gateway role')).toMatchObject({ status: 'ok' });
});

test('a small account is told how to get more, as in docs/deploy.md, and not to use what it uses', async () => {
  const results = await examineBefore(aws, concurrency(10), { smallAccount: 'true' });
  const { status, todo = '' } = results.find(({ name }) => name === 'Lambda concurrency') ?? {};
  expect(status).toBe('warn');
  expect(todo).toMatch(/^See docs.*--desired-value 1000$/);
  const [, command = ''] = /Run: (.+)$/.exec(todo) ?? [];
  expect(command).not.toBe('');
  expect(readFileSync('docs/deploy.md', 'utf8').replace(/ \\\n\s*/g, ' ')).toContain(command);
});

test('with credentials that AWS rejects, nothing else is checked', async () => {
  const results = await examineBefore(aws, { 'sts:GetCallerIdentity': new AwsError('ExpiredToken') });
  const todo = expect.stringContaining('sso login');
  expect(results[0]).toMatchObject({ name: 'credentials', status: 'fail', todo });
  expect(results.slice(2).map(({ status, found }) => `${status} ${found}`)).toEqual(
    Array(16).fill('skip requires credentials'),
  );
  expect(aws.asked).toHaveLength(1);
});

test('if nothing responds, each check says so', async () => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const nowhere = { region: REGION, endpoint: 'http://127.0.0.1:9', credentials, maxAttempts: 1 };
  const [result] = await runChecks((await openAws(nowhere)).checks, () => undefined);
  const found = 'no response to sts:GetCallerIdentity (ECONNREFUSED)';
  expect(result).toMatchObject({ status: 'fail', found });
});

test('names that the stack itself uses are no conflict', async () => {
  const NESTED = `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/LeadIngest-prod-MonitoringNested-1/2`;
  const dashboard = `lead-ingest-prod-monitoring-${REGION}`;
  const nested = resources(
    ['AWS::CloudWatch::Alarm', 'lead-ingest-prod-monitoring-B'],
    ['AWS::CloudWatch::Dashboard', dashboard],
  );
  const secondPage = resources(
    ['AWS::Route53::RecordSet', 'leads.example.com'],
    ['AWS::Route53::RecordSet', 'console.example.com'],
  );
  const firstPage = resources(
    ['AWS::SNS::Topic', `arn:aws:sns:${REGION}:${ACCOUNT}:lead-ingest-prod-alarms`],
    ['AWS::CloudWatch::Alarm', 'lead-ingest-prod-A'],
    ['AWS::CloudFormation::Stack', NESTED],
    ['AWS::ApiGateway::DomainName', 'leads.example.com'],
    ['AWS::DynamoDB::GlobalTable', 'LeadIngest-prod-Leads-1'],
  );
  const results = await examineBefore(aws, {
    ...inState('UPDATE_COMPLETE'),
    'cloudformation:ListStackResources': ({ input }) => {
      if (input.StackName === NESTED) return nested;
      return 'NextToken' in input ? secondPage : { ...firstPage, NextToken: 'more' };
    },
    'sns:GetTopicAttributes': { Attributes: {} },
    'monitoring:DescribeAlarms': {
      MetricAlarms: [{ AlarmName: 'lead-ingest-prod-A' }, { AlarmName: 'lead-ingest-prod-monitoring-B' }],
    },
    'monitoring:GetDashboard': { DashboardName: dashboard },
    'apigateway:GetDomainName': { domainName: 'leads.example.com' },
    'route53:ListResourceRecordSets': records(['leads.example.com.', 'A'], ['console.example.com.', 'AAAA']),
    'dynamodb:ListTables': { TableNames: ['LeadIngest-prod-Leads-1'] },
  });
  expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(results.filter(({ found }) => found === 'owned by the stack')).toHaveLength(5);
});
