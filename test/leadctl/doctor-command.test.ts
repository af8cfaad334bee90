import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CheckResult, lineOf, type Status } from '../../bin/leadctl/doctor/check.ts';
import { readDeploymentSettings } from '../../bin/leadctl/doctor/settings.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { AwsError, type FakeAws, startFakeAws } from './fake-aws/fake-aws.ts';
import { ACCOUNT, denied, expectOnly, NOW, REGION, type Row, WELL } from './fake-aws/healthy-stack.ts';
import { CONTEXT, certificate, examineBefore, READY, zone } from './fake-aws/ready-account.ts';
import { runLeadctl, startLeadctl } from './run-leadctl.ts';

describe('the doctor command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leadctl doctor '));
  let aws: FakeAws;
  let environment: Record<string, string>;
  beforeAll(async () => {
    aws = await startFakeAws();
    environment = {
      AWS_ENDPOINT_URL: aws.endpoint,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: REGION,
      AWS_MAX_ATTEMPTS: '1',
    };
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await aws.close();
  });

  const settings = Object.entries(CONTEXT).flatMap(([key, value]) => ['-c', `${key}=${value}`]);

  function outputsFile(): string {
    const queue = (name: string) => `${aws.endpoint}/${ACCOUNT}/${name}`;
    const tables = Object.values(OUTPUTS.tables).map((output) => [output, output]);
    const outputs = {
      [OUTPUTS.region]: REGION,
      [OUTPUTS.ingestUrl]: 'https://leads.example.com',
      [OUTPUTS.queues.enrichment]: queue('enrichment'),
      [OUTPUTS.queues.enrichmentDeadLetters]: queue('dead'),
      [OUTPUTS.queues.sending]: queue('sending'),
      [OUTPUTS.queues.sendingDeadLetters]: queue('sending-dead'),
      [OUTPUTS.queues.index]: queue('index'),
      ...Object.fromEntries(tables),
    };
    const file = join(folder, 'outputs.json');
    writeFileSync(file, JSON.stringify({ 'LeadIngest-prod': outputs }));
    return file;
  }

  test('before a deployment: one line per check, and exit 0 with warnings', async () => {
    aws.respondWith({
      ...READY,
      'lambda:GetAccountSettings': { AccountLimit: { ConcurrentExecutions: 10 } },
    });
    const run = await startLeadctl(['doctor', ...settings], { environment }).run;
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const lines = run.stdout.split('\n');
    expect(lines.slice(0, 4)).toEqual([
      `ok    credentials           account ${ACCOUNT}`,
      `ok    region                ${REGION}`,
      'ok    bootstrap             version 28',
      expect.stringMatching(/^warn {2}Lambda concurrency {4}Lambda runs at most 10 functions at a time/),
    ]);
    expect(lines.slice(18)).toEqual([
      'ok    upgrade               none: this is the first deployment',
      ...['0 failed, 1 warning.', ''],
    ]);
  });

  test('a failed check exits 1, and --json gives the list', async () => {
    aws.respondWith({ ...READY, 'ssm:GetParameter': new AwsError('ParameterNotFound') });
    // An outputs file in the environment is for the stack before this deployment.
    const surroundings = { environment: { ...environment, LEADCTL_OUTPUTS: 'outputs.json' } };
    const run = await startLeadctl(
      ['doctor', '--stage', 'prod', '--region', 'eu-north-1', '--json'],
      surroundings,
    ).run;
    expect(run).toMatchObject({ exitCode: 1, stderr: '' });
    expect(JSON.parse(run.stdout).slice(0, 3)).toEqual([
      { name: 'credentials', status: 'ok', found: `account ${ACCOUNT}` },
      { name: 'region', status: 'ok', found: 'eu-north-1' },
      {
        name: 'bootstrap',
        status: 'fail',
        found: 'CDK is not bootstrapped in this account and region',
        todo: `Run: npx cdk bootstrap aws://${ACCOUNT}/eu-north-1`,
      },
    ]);
  });

  test('with an outputs file: the stack that wrote it', async () => {
    aws.respondWith(WELL);
    const run = await startLeadctl(['--outputs', outputsFile(), 'doctor', '--no-round-trip'], { environment })
      .run;
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /^ok {4}sending dead letters {2}none\nskip {2}mail sender {11}mailFrom is not set\nskip {2}round trip {12}--no-round-trip\nNo issues\.\n$/m,
    );
  });

  test('without a region, says how to set one, and that the rest needs it', async () => {
    aws.respondWith(READY);
    const { AWS_REGION: _, ...noRegion } = environment;
    const run = await startLeadctl(['doctor'], { environment: noRegion }).run;
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toMatch(/^FAIL {2}region .*not set\. Set AWS_REGION/m);
    expect(run.stdout.match(/requires a region$/gm)).toHaveLength(17);
  });

  test.each([
    ['-c without a value', ['-c', 'stage'], 'Pass -c key=value'],
    ['an unknown setting', ['-c', 'ingestDomain=x'], 'Did you mean "ingestDomainName"?'],
    ['a value that is not allowed', ['-c', 'stage=test'], 'Context "stage" must be dev or prod.'],
    ['half of a pair', ['-c', 'hostedZoneId=Z1'], 'Set context "hostedZoneId" and "hostedZoneName" together'],
    ['another stage', ['--stage', 'test'], 'Allowed choices are dev, prod.'],
    ['settings and an outputs file', ['--stage', 'dev', '--outputs', 'x.json'], 'not both'],
  ])('%s exits 2 with one sentence', async (_, args, sentence) => {
    const run = await runLeadctl(['doctor', ...args]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(sentence);
  });

  test('settings come from cdk.json, unless the command line has others', () => {
    const file = { stage: 'prod', manageApiGatewayAccount: false, '@aws-cdk/core:flag': true };
    expect(readDeploymentSettings({}, file)).toMatchObject({ stage: 'prod', manageApiGatewayAccount: false });
    expect(readDeploymentSettings({ stage: 'dev' }, file)).toMatchObject({ stage: 'dev' });
  });
});

describe('resource names', () => {
  let aws: FakeAws;
  beforeAll(async () => {
    aws = await startFakeAws();
  });
  afterAll(() => aws.close());

  type CertificateRow = [when: string, change: object, status: Status, says: RegExp];

  const CERTIFICATES: CertificateRow[] = [
    ['for the name itself', { DomainName: 'leads.example.com', SubjectAlternativeNames: [] }, 'ok', /issued/],
    ['pending', { Status: 'PENDING_VALIDATION' }, 'fail', /not issued yet.*DNS records/],
    ['timed out', { Status: 'VALIDATION_TIMED_OUT' }, 'fail', /VALIDATION_TIMED_OUT/],
    ['revoked', { Status: 'REVOKED' }, 'fail', /REVOKED/],
    ['expired', { Status: 'EXPIRED' }, 'fail', /has expired/],
    ['past its date', { NotAfter: new Date(NOW - 1) }, 'fail', /has expired/],
    [
      'imported and soon to expire',
      { Type: 'IMPORTED', NotAfter: new Date(NOW + 9.5 * 86_400_000) },
      'warn',
      /expires in 9 days/,
    ],
    [
      'of another name',
      { DomainName: 'example.org', SubjectAlternativeNames: ['www.example.com'] },
      'fail',
      /for example\.org, www\.example\.com, not for leads\.example\.com/,
    ],
    [
      'of a wildcard one label higher',
      { DomainName: '*.com', SubjectAlternativeNames: [] },
      'fail',
      /not for/,
    ],
    [
      'of a wildcard one label lower',
      { DomainName: '*.leads.example.com', SubjectAlternativeNames: [] },
      'fail',
      /not for/,
    ],
  ];

  describe('the ingest certificate', () => {
    const { consoleDomainName: _, consoleCertificateArn: __, ...ingestOnly } = CONTEXT;

    test.each(CERTIFICATES)('%s', async (_when, change, status, says) => {
      const results = await examineBefore(
        aws,
        { 'acm:DescribeCertificate': certificate(change) },
        ingestOnly,
      );
      const result = results.find(({ name }) => name === 'ingest certificate') as CheckResult;
      expect(result.status).toBe(status);
      expect(lineOf(result)).toMatch(says);
      expect(results.find(({ name }) => name === 'console certificate')).toMatchObject({ status: 'skip' });
    });

    test('that ACM does not know', async () => {
      const absent = { 'acm:DescribeCertificate': new AwsError('ResourceNotFoundException') };
      const results = await examineBefore(aws, absent, ingestOnly);
      expect(results).toContainEqual(expect.objectContaining({ name: 'ingest certificate', status: 'fail' }));
    });

    test('in another region than the stack, and that of the console outside us-east-1', async () => {
      const consoleCertificateArn = CONTEXT.ingestCertificateArn;
      const results = await examineBefore(aws, {}, { ...CONTEXT, consoleCertificateArn }, 'eu-central-1');
      const lines = results.filter(({ status }) => status === 'fail').map(lineOf);
      expect(lines).toEqual([
        expect.stringMatching(
          /^FAIL {2}ingest certificate .* it is in eu-west-1, but must be in eu-central-1\. Request/,
        ),
        expect.stringMatching(/^FAIL {2}console certificate .* but must be in us-east-1\. Request/),
      ]);
    });
  });

  const ROWS: Row[] = [
    [
      'hosted zone',
      'absent',
      { 'route53:GetHostedZone': new AwsError('NoSuchHostedZone') },
      'fail',
      /hosted zone Z0123456789ABC not found.*list-hosted-zones-by-name/,
    ],
    [
      'hosted zone',
      'of another domain',
      { 'route53:GetHostedZone': zone({ Name: 'example.org.' }) },
      'fail',
      /is the zone of example\.org, not of example\.com/,
    ],
    [
      'hosted zone',
      'private',
      { 'route53:GetHostedZone': zone({ Config: { PrivateZone: true } }) },
      'fail',
      /private/,
    ],
    [
      'hosted zone',
      'access denied',
      { 'route53:GetHostedZone': denied('AccessDenied') },
      'warn',
      /Allow route53:GetHostedZone/,
    ],
  ];

  test.each(ROWS)('%s: %s', async (check, _when, responses, status, says) => {
    expectOnly(await examineBefore(aws, responses), check, status, says);
  });

  test('a domain outside the hosted zone fails', async () => {
    const results = await examineBefore(aws, {}, { ...CONTEXT, ingestDomainName: 'leads.example.org' });
    expect(results).toContainEqual(
      expect.objectContaining({ name: 'hosted zone', found: 'leads.example.org is not in example.com' }),
    );
  });
});
