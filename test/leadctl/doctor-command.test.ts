import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readDeploymentSettings } from '../../bin/leadctl/doctor/settings.ts';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { AwsError, type FakeAws, startFakeAws } from './fake-aws/fake-aws.ts';
import { WELL } from './fake-aws/healthy-stack.ts';
import { CONTEXT, READY } from './fake-aws/ready-account.ts';
import { ACCOUNT, REGION } from './fake-aws/stack-answers.ts';
import { runLeadctl, startLeadctl } from './run-leadctl.ts';

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
    ...Object.fromEntries(tables),
  };
  const file = join(folder, 'outputs.json');
  writeFileSync(file, JSON.stringify({ 'LeadIngest-prod': outputs }));
  return file;
}

test('before a deployment: one line per check, and exit 0 with warnings', async () => {
  aws.answer({ ...READY, 'lambda:GetAccountSettings': { AccountLimit: { ConcurrentExecutions: 10 } } });
  const run = await startLeadctl(['doctor', ...settings], { environment }).run;
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  const lines = run.stdout.split('\n');
  expect(lines.slice(0, 4)).toEqual([
    `ok    credentials           account ${ACCOUNT}`,
    `ok    region                ${REGION}`,
    'ok    bootstrap             version 28',
    expect.stringMatching(/^warn {2}Lambda concurrency {4}Lambda runs at most 10 concurrent requests/),
  ]);
  expect(lines.slice(18)).toEqual(['0 failed, 1 warning.', '']);
});

test('a failed check exits 1, and --json gives the list', async () => {
  aws.answer({ ...READY, 'ssm:GetParameter': new AwsError('ParameterNotFound') });
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
  aws.answer(WELL);
  const run = await startLeadctl(['--outputs', outputsFile(), 'doctor', '--no-round-trip'], { environment })
    .run;
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toMatch(
    /^ok {4}sending dead letters {2}none\nskip {2}mail sender {11}mailFrom is not set\nskip {2}round trip {12}--no-round-trip\nNo issues\.\n$/m,
  );
});

test('without a region, says how to set one, and that the rest needs it', async () => {
  aws.answer(READY);
  const { AWS_REGION: _, ...noRegion } = environment;
  const run = await startLeadctl(['doctor'], { environment: noRegion }).run;
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toMatch(/^FAIL {2}region .*not set\. Set AWS_REGION/m);
  expect(run.stdout.match(/requires a region$/gm)).toHaveLength(16);
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
