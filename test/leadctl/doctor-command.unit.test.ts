import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, describe, expect, test } from '@jest/globals';
import { lineOf } from '../../bin/leadctl/doctor/check.ts';
import { readDeploymentSettings } from '../../bin/leadctl/doctor/settings.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { VERSION } from '../../lib/version.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { AwsError, startFakeAws } from './fake-aws/fake-aws.ts';
import { ACCOUNT, expectOnly, NOW, REGION, WELL } from './fake-aws/healthy-stack.ts';
import { CONTEXT, certificate, examineBefore, READY } from './fake-aws/ready-account.ts';
import { runLeadctl } from './run-leadctl.ts';

const folder = temporaryFolder('leadctl doctor');
const aws = await startFakeAws();
afterAll(aws.close);
// For the AWS SDK, which reads the variables of the process. They are restored after this file.
for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
Object.assign(process.env, {
  AWS_ENDPOINT_URL: aws.endpoint,
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: REGION,
  AWS_MAX_ATTEMPTS: '1',
});

const settings = Object.entries(CONTEXT).flatMap(([key, value]) => ['-c', `${key}=${value}`]);

function outputsFile(): string {
  const queue = (name: string) => `${aws.endpoint}/${ACCOUNT}/${name}`;
  const tables = Object.values(OUTPUTS.tables).map((output) => [output, output]);
  const outputs = {
    [OUTPUTS.region]: REGION,
    [OUTPUTS.version]: VERSION,
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
  const run = await runLeadctl(['doctor', ...settings]);
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
  const surroundings = { environment: { LEADCTL_OUTPUTS: 'outputs.json' } };
  const args = ['doctor', '--stage', 'prod', '--region', 'eu-north-1', '--json'];
  const run = await runLeadctl(args, surroundings);
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
  const run = await runLeadctl(['--outputs', outputsFile(), 'doctor', '--no-round-trip']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatch(
    /^ok {4}sending dead letters {2}none\nskip {2}mail sender {11}mailFrom is not set\nskip {2}round trip {12}--no-round-trip\nNo issues\.\n$/m,
  );
});

test('without a region, says how to set one, and that the rest needs it', async () => {
  aws.respondWith(READY);
  delete process.env.AWS_REGION;
  const run = await runLeadctl(['doctor']);
  process.env.AWS_REGION = REGION;
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

describe('the ingest certificate', () => {
  const { consoleDomainName: _, consoleCertificateArn: __, ...ingestOnly } = CONTEXT;
  const named = (DomainName: string, ...SubjectAlternativeNames: string[]) =>
    certificate({ DomainName, SubjectAlternativeNames });

  test.each<[told: string, response: object]>([
    ['ok: issued', named('leads.example.com')],
    ['fail: … not issued yet … DNS records', certificate({ Status: 'PENDING_VALIDATION' })],
    ['fail: … VALIDATION_TIMED_OUT', certificate({ Status: 'VALIDATION_TIMED_OUT' })],
    ['fail: … has expired', certificate({ Status: 'EXPIRED' })],
    ['fail: … has expired', certificate({ NotAfter: new Date(NOW - 1) })],
    [
      'warn: … expires in 9 days',
      certificate({ Type: 'IMPORTED', NotAfter: new Date(NOW + 9.5 * 86_400_000) }),
    ],
    [
      'fail: … for example.org, www.example.com, not for leads.example.com',
      named('example.org', 'www.example.com'),
    ],
    // Wildcards one label higher, and one lower.
    ['fail: … not for', named('*.com')],
    ['fail: … not for', named('*.leads.example.com')],
    ['fail:', new AwsError('ResourceNotFoundException')],
  ])('%s', async (told, response) => {
    const results = await examineBefore(aws, { 'acm:DescribeCertificate': response }, ingestOnly);
    const own = results.filter(({ name }) => name === 'ingest certificate');
    expectOnly(own, told.replace(':', ' ingest certificate:'));
    expect(results.find(({ name }) => name === 'console certificate')).toMatchObject({ status: 'skip' });
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

describe('responses in these tests', () => {
  async function ask(response: object): Promise<{ asked: unknown; mistake: string | undefined }> {
    const aws = await startFakeAws();
    aws.respondWith({ 'ssm:GetParameter': response });
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const client = new SSMClient({ region: REGION, endpoint: aws.endpoint, credentials, maxAttempts: 1 });
    const asked = await client.send(new GetParameterCommand({ Name: '/a' })).catch((error: Error) => error);
    const mistake = await aws.close().catch(({ message }: Error) => message);
    client.destroy();
    return { asked, mistake: mistake ?? undefined };
  }

  test.each([
    [{ Parameter: { Wert: '6' } }, 'the model has no GetParameterResult.Parameter.Wert'],
    [{ Parameter: { Value: 6 } }, 'the model has no number at GetParameterResult.Parameter.Value'],
    [new AwsError('NoSuchParameter'), 'the model has no error NoSuchParameter'],
  ])('like %j are a mistake of the test', async (response, message) => {
    expect((await ask(response)).mistake).toBe(message);
  });
});
