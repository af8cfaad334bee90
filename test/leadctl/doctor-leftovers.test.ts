import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
import { examineBefore, records } from './fake-aws/ready-account.ts';

let aws: FakeAws;
beforeAll(async () => {
  aws = await startFakeAws();
});
afterAll(() => aws.close());

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
    { 'monitoring:GetDashboard': { DashboardName: `lead-ingest-prod-${REGION}` } },
    'fail',
    /dashboard lead-ingest-prod-[\w-]+ already exists/,
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

test('names that the stack itself uses are no conflict', async () => {
  const results = await examineBefore(aws, {
    ...inState('UPDATE_COMPLETE'),
    'cloudformation:ListStackResources': ({ input }) =>
      'NextToken' in input
        ? resources(
            ['AWS::Route53::RecordSet', 'leads.example.com'],
            ['AWS::Route53::RecordSet', 'console.example.com'],
          )
        : {
            ...resources(
              ['AWS::SNS::Topic', `arn:aws:sns:${REGION}:${ACCOUNT}:lead-ingest-prod-alarms`],
              ['AWS::CloudWatch::Alarm', 'lead-ingest-prod-A'],
              ['AWS::CloudWatch::Dashboard', `lead-ingest-prod-${REGION}`],
              ['AWS::ApiGateway::DomainName', 'leads.example.com'],
              ['AWS::DynamoDB::GlobalTable', 'LeadIngest-prod-Leads-1'],
            ),
            NextToken: 'more',
          },
    'sns:GetTopicAttributes': { Attributes: {} },
    'monitoring:DescribeAlarms': { MetricAlarms: [{ AlarmName: 'lead-ingest-prod-A' }] },
    'monitoring:GetDashboard': { DashboardName: `lead-ingest-prod-${REGION}` },
    'apigateway:GetDomainName': { domainName: 'leads.example.com' },
    'route53:ListResourceRecordSets': records(['leads.example.com.', 'A'], ['console.example.com.', 'AAAA']),
    'dynamodb:ListTables': { TableNames: ['LeadIngest-prod-Leads-1'] },
  });
  expect(results.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect(results.filter(({ found }) => found === 'owned by the stack')).toHaveLength(5);
});
