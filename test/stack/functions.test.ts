import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { asText, EVERY_SETTING, ownFunctions, synthesize, synthesizeBoth } from './synthesize.ts';

const dev = synthesize('dev');
const prod = synthesize('prod');

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

describe.each(Object.entries(ownFunctions(prod)))('%s', (id, { Properties }) => {
  test('runs on arm64, traced, with a log group of its own in JSON', () => {
    expect(Properties).toMatchObject({
      Architectures: ['arm64'],
      MemorySize: 1024,
      TracingConfig: { Mode: 'Active' },
      LoggingConfig: { LogFormat: 'JSON' },
    });
    const groupOf = (fn: typeof Properties) => fn.LoggingConfig.LogGroup.Ref;
    expect(prod.findResources('AWS::Logs::LogGroup')).toHaveProperty(groupOf(Properties));
    const users = Object.values(ownFunctions(prod)).filter(
      (it) => groupOf(it.Properties) === groupOf(Properties),
    );
    expect(users).toHaveLength(1);
  });

  test('ends before whoever waits for it gives up', () => {
    const aliases = Object.entries(prod.findResources('AWS::Lambda::Alias'));
    const [alias = ''] = aliases.find(([, it]) => it.Properties.FunctionName.Ref === id) ?? [];
    const propertiesOf = (type: string) =>
      Object.values(prod.findResources(`AWS::${type}`)).map((it) => it.Properties);
    const isTarget = (target: unknown) => JSON.stringify(target).includes(`"${alias}"`);
    const integrations = [
      ...propertiesOf('ApiGateway::Method').map(({ Integration }) => Integration),
      ...propertiesOf('ApiGatewayV2::Integration'),
    ].filter(({ Uri, IntegrationUri }) => isTarget(Uri ?? IntegrationUri));
    const authorizers = propertiesOf('ApiGatewayV2::Authorizer').filter((it) => isTarget(it.AuthorizerUri));
    const rules = propertiesOf('Events::Rule').filter(({ Targets }) => isTarget(Targets));
    const secondsOf: Readonly<Record<string, number>> = { minute: 60, day: 86_400 };
    const waits = [
      ...integrations.map(({ TimeoutInMillis }) => TimeoutInMillis / 1_000 - 1),
      // API Gateway's own.
      ...authorizers.map(() => 10),
      ...rules.map(({ ScheduleExpression }) => {
        const [, count, unit = ''] = /^rate\((\d+) (minute|day)s?\)$/.exec(ScheduleExpression) ?? [];
        return Number(count) * (secondsOf[unit] ?? Number.NaN);
      }),
    ];
    expect(waits.filter((seconds) => !(Properties.Timeout <= seconds))).toEqual([]);
  });
});

// Outside the account's delivery policy, which is full at 5,120 characters.
test('access logs have unique names that need no policy, even if the stack is created again', () => {
  const named = Object.values(prod.findResources('AWS::Logs::LogGroup')).flatMap(({ Properties }) =>
    Properties.LogGroupName === undefined ? [] : [asText(Properties.LogGroupName)],
  );
  // The others are prescribed by API Gateway, which writes them as the account's role, by no delivery policy.
  const own = named.filter((name) => !name.startsWith('API-Gateway-Execution-Logs_'));
  expect(own).toHaveLength(3);
  for (const name of own) {
    expect(name).toMatch(/^\/aws\/vendedlogs\/LeadIngest-prod\/\w+AccessLogs-\$\{STACK_UUID\}$/);
  }
});

test('every table has an output, and prod has the outputs of dev', () => {
  const outputsOf = (template: typeof dev) => {
    const outputs = Object.entries(template.toJSON().Outputs as Record<string, { Value: unknown }>);
    const text = (value: unknown) => asText(value).replace(/Stage(dev|prod)[0-9A-F]{8}/, 'Stage');
    return Object.fromEntries(outputs.map(([name, { Value }]) => [name, text(Value)]));
  };
  const tables = Object.keys(dev.findResources('AWS::DynamoDB::GlobalTable'));
  expect(outputsOf(dev)).toMatchObject({
    ...Object.fromEntries(tables.map((id) => [`${id}Table`, `\${${id}}`])),
    IngestUrl: expect.stringMatching(/^https:\/\/\$\{IngestApi\}\.execute-api\..*\/\$\{IngestApi\w*Stage\}$/),
    SettingsUrl: `https://\${SettingsApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}`,
    ConsoleUrl: `https://\${Console.DomainName}`,
  });
  expect(outputsOf(prod)).toEqual({ ...outputsOf(dev), Stage: 'prod' });
});

test('billed resources have the tags of the stack, and those that the deployer adds', () => {
  const template = synthesize('prod', EVERY_SETTING);
  const own = { service: 'lead-ingest', stage: 'prod', team: 'growth' };
  const tags = Object.entries(own).map(([Key, Value]) => ({ Key, Value }));
  for (const type of [
    'AWS::Lambda::Function',
    'AWS::Logs::LogGroup',
    'AWS::KMS::Key',
    'AWS::ApiGateway::Stage',
    'AWS::CloudFront::Distribution',
  ]) {
    template.allResourcesProperties(type, { Tags: tags });
  }
  template.allResourcesProperties('AWS::Cognito::UserPool', { UserPoolTags: own });
  template.allResourcesProperties('AWS::ApiGatewayV2::Stage', { Tags: own });
  for (const { Properties } of Object.values(template.findResources('AWS::DynamoDB::GlobalTable'))) {
    expect(Properties.Replicas[0].Tags).toEqual(tags);
  }
});

test('prod is protected from termination, dev is not', () => {
  expect(synthesizeBoth('prod').terminationProtection).toBe(true);
  expect(synthesizeBoth('dev').terminationProtection).toBeFalsy();
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

  test.each([
    ['lib/service-function/code.ts', /target: 'node(\d+)'/],
    ['local/functions.ts', /AWS_Lambda_nodejs(\d+)\.x/],
    ['bench/cpu/processes.ts', /AWS_Lambda_nodejs(\d+)\.x/],
    ['bin/check-installation.js', /NODE_MAJOR = (\d+)/],
    ['.github/workflows/ci.yml', /node-version: (\d+)/],
    ['.nvmrc', /^(\d+)$/m],
  ])('%s has the same version', (file, pattern) => {
    expect(pattern.exec(read(file))?.[1]).toBe(major);
  });
});
