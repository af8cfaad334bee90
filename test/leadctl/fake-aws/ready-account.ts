import { openAws } from '#leadctl/doctor/aws.ts';
import { checksBefore } from '#leadctl/doctor/before.ts';
import { type CheckResult, runChecks } from '#leadctl/doctor/check.ts';
import { readDeploymentSettings } from '#leadctl/doctor/settings.ts';
import { AwsError, type FakeAws, type Responses } from './fake-aws.ts';
import { ACCOUNT, IDENTITY, MAIL_FROM, NO_STACK, NOW, REGION, resources } from './healthy-stack.ts';

export const CONTEXT = {
  stage: 'prod',
  ingestDomainName: 'leads.example.com',
  ingestCertificateArn: `arn:aws:acm:${REGION}:${ACCOUNT}:certificate/0aa0`,
  consoleDomainName: 'console.example.com',
  consoleCertificateArn: `arn:aws:acm:us-east-1:${ACCOUNT}:certificate/0bb0`,
  consoleWebAclArn: `arn:aws:wafv2:us-east-1:${ACCOUNT}:global/webacl/console/1234abcd`,
  hostedZoneId: 'Z0123456789ABC',
  hostedZoneName: 'example.com',
  mailFrom: MAIL_FROM,
};

const QUOTA = { throttleSettings: { rateLimit: 10_000, burstLimit: 5_000 } };
export const role = (name: string) => ({
  ...QUOTA,
  cloudwatchRoleArn: `arn:aws:iam::${ACCOUNT}:role/${name}`,
});
export const certificate = (change: object) => ({
  Certificate: {
    Status: 'ISSUED',
    Type: 'AMAZON_ISSUED',
    DomainName: 'example.com',
    SubjectAlternativeNames: ['*.example.com'],
    NotAfter: new Date('2027-01-01'),
    ...change,
  },
});
export const zone = (change: object) => ({
  HostedZone: { Id: '/hostedzone/Z0123456789ABC', Name: 'example.com.', CallerReference: '1', ...change },
});
export const records = (...sets: [Name: string, Type: string][]) => ({
  ResourceRecordSets: sets.map(([Name, Type]) => ({ Name, Type })),
  IsTruncated: false,
  MaxItems: 20,
});
/** An account that is ready, without a stack. */
export const READY: Responses = {
  'sts:GetCallerIdentity': IDENTITY,
  'ses:GetEmailIdentity': { VerifiedForSendingStatus: true },
  'ses:GetAccount': { ProductionAccessEnabled: true, SendingEnabled: true },
  'ssm:GetParameter': { Parameter: { Name: '/cdk-bootstrap/hnb659fds/version', Value: '28' } },
  'lambda:GetAccountSettings': {
    AccountLimit: { ConcurrentExecutions: 1000, UnreservedConcurrentExecutions: 900 },
  },
  'apigateway:GetAccount': QUOTA,
  'acm:DescribeCertificate': certificate({}),
  'route53:GetHostedZone': zone({ Config: { PrivateZone: false } }),
  'cloudformation:DescribeStacks': NO_STACK,
  'cloudformation:GetTemplate': NO_STACK,
  'cloudformation:ListStackResources': resources(),
  'sns:GetTopicAttributes': new AwsError('NotFoundException'),
  'monitoring:DescribeAlarms': { MetricAlarms: [] },
  'monitoring:GetDashboard': new AwsError('DashboardNotFoundError'),
  'apigateway:GetDomainName': new AwsError('NotFoundException'),
  'route53:ListResourceRecordSets': records(['example.com.', 'MX'], ['www.example.com.', 'A']),
  'dynamodb:ListTables': { TableNames: ['Other'] },
};

/** Runs all checks before a deployment against an account that is ready except for these responses. */
export async function examineBefore(
  aws: FakeAws,
  responses: Responses,
  context: object = CONTEXT,
  region = REGION,
): Promise<CheckResult[]> {
  aws.respondWith({ ...READY, ...responses });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const opened = await openAws({ region, endpoint: aws.endpoint, credentials, maxAttempts: 1 });
  const settings = readDeploymentSettings({ ...context }, {});
  return runChecks(
    checksBefore(opened, settings, () => NOW),
    () => undefined,
  );
}
