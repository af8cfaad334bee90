import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeUncheckedApp } from '../../lib/lead-ingest-app.ts';
import { VERSION } from '../../lib/version.ts';
import {
  asText,
  EVERY_SETTING,
  LEAST,
  ownFunctions,
  synthesize,
  WITHOUT_CONSOLE,
  withAssembly,
  withoutHash,
} from './synthesize.ts';

const prod = synthesize('prod');
const dev = synthesize('dev');
const aliases = prod.findResources('AWS::Lambda::Alias');
const groups = prod.findResources('AWS::CodeDeploy::DeploymentGroup');

/** The targets of API Gateway and event sources, as text. */
function targetsIn(template: typeof prod): string[] {
  const of = (type: string) =>
    Object.values(template.findResources(type)).map(({ Properties }) => Properties);
  return [
    ...of('AWS::ApiGateway::Method').map(({ Integration }) => Integration.Uri),
    ...of('AWS::ApiGatewayV2::Integration').map(({ IntegrationUri }) => IntegrationUri),
    ...of('AWS::Lambda::EventSourceMapping').map(({ FunctionName }) => FunctionName),
    ...of('AWS::Lambda::Permission').map(({ FunctionName }) => FunctionName),
  ].map((target) => JSON.stringify(target));
}

describe('in prod', () => {
  test('every function has an alias, which points to a version of it', () => {
    const versions = prod.findResources('AWS::Lambda::Version');
    const found = Object.values(aliases).map(({ Properties: { Name, FunctionName, FunctionVersion } }) => {
      const [versionId, attribute] = FunctionVersion['Fn::GetAtt'];
      expect([Name, attribute]).toEqual(['live', 'Version']);
      expect(versions[versionId]?.Properties.FunctionName).toEqual(FunctionName);
      return FunctionName.Ref;
    });
    expect(found.sort()).toEqual(Object.keys(ownFunctions(prod)).sort());
  });

  test('every integration, mapping and permission uses an alias, not the newest code', () => {
    const targets = targetsIn(prod);
    expect(targets.length).toBeGreaterThan(12);
    const functions = Object.keys(ownFunctions(prod));
    for (const target of targets) {
      expect(Object.keys(aliases).filter((id) => target.includes(`"${id}"`))).toHaveLength(1);
      expect(functions.filter((id) => target.includes(`"${id}"`))).toEqual([]);
    }
  });

  test('old versions are kept for rollback; a new one is deleted if its deployment is rolled back', () => {
    // With Retain it would stay behind, and the same code could not be deployed again.
    const policies = Object.values(prod.findResources('AWS::Lambda::Version')).map(
      ({ DeletionPolicy }) => DeletionPolicy,
    );
    expect(policies.length).toBeGreaterThan(0);
    expect(new Set(policies)).toEqual(new Set(['RetainExceptOnCreate']));
  });

  describe.each(Object.entries(aliases))('%s', (_id, { UpdatePolicy, Properties }) => {
    const functionId: string = Properties.FunctionName.Ref;
    const update = UpdatePolicy.CodeDeployLambdaAliasUpdate;
    const group = groups[update.DeploymentGroupName.Ref]?.Properties;

    test('is shifted by CodeDeploy: 10% first, the rest after five minutes', () => {
      expect(update.ApplicationName).toEqual(group.ApplicationName);
      expect(group.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
    });

    test('is rolled back when an alarm fires', () => {
      expect(group.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      });
      expect(group.AlarmConfiguration.Enabled).toBe(true);
    });

    test("is watched by existing alarms, including its own function's errors", () => {
      const alarms = prod.findResources('AWS::CloudWatch::Alarm');
      const watching = group.AlarmConfiguration.Alarms.map(
        ({ Name }: { Name: { Ref: string } }) => alarms[Name.Ref]?.Properties,
      );
      expect(watching).not.toContain(undefined);
      expect(watching).toContainEqual(
        expect.objectContaining({
          MetricName: 'Errors',
          Dimensions: [{ Name: 'FunctionName', Value: { Ref: functionId } }],
        }),
      );
    });
  });

  test.each([
    ['IngestServerFunction', 'IngestInternalErrors'],
    ['IngestWebhookFunction', 'IngestInternalErrors'],
    ['SourcesSubmissionFunction', 'IngestInternalErrors'],
    ['SettingsApiSettingsFunction', 'OwnerErrors'],
    ['SettingsApiDiagnosticsFunction', 'OwnerErrors'],
    ['AccessAuthorizeFunction', 'OwnerErrors'],
    ['AccessInviteFunction', 'OwnerErrors'],
  ])('%s is also rolled back by %s, because it responds with errors instead of throwing', (name, alarm) => {
    const alias = Object.values(aliases).find(
      ({ Properties }) => withoutHash(Properties.FunctionName.Ref) === name,
    );
    const groupId = alias?.UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref;
    const names = groups[groupId]?.Properties.AlarmConfiguration.Alarms.map(
      ({ Name }: { Name: { Ref: string } }) =>
        prod.findResources('AWS::CloudWatch::Alarm')[Name.Ref]?.Properties.AlarmName,
    );
    expect(names).toContain(`lead-ingest-prod-${alarm}`);
  });

  test('a fix can be deployed while the alarm for its cause fires', () => {
    const template = synthesize('prod', EVERY_SETTING);
    const configurations = Object.values(template.findResources('AWS::CodeDeploy::DeploymentGroup')).map(
      ({ Properties }) => Properties.AlarmConfiguration,
    );
    expect(configurations).toHaveLength(Object.keys(template.findResources('AWS::Lambda::Alias')).length);
    for (const { Enabled } of configurations) expect(Enabled).toBe(false);
  });

  test('a new version is made only if its function changes, environment variables included', () => {
    const versionsOf = (template: typeof prod) => Object.keys(template.findResources('AWS::Lambda::Version'));
    // Changes the firewalls and the dashboard, and of the functions only one.
    const other = synthesize('prod', LEAST);
    const changed = versionsOf(other).filter((id) => !versionsOf(prod).includes(id));
    expect(changed).toHaveLength(1);
    expect(changed[0]).toMatch(/^EnrichmentEnrich/);
  });
});

describe('in dev', () => {
  test('there are no versions and no aliases, so that changes apply at once', () => {
    for (const type of ['Lambda::Alias', 'Lambda::Version', 'CodeDeploy::DeploymentGroup']) {
      dev.resourceCountIs(`AWS::${type}`, 0);
    }
  });
});

describe('the console', () => {
  describe('what is deployed', () => {
    const [[assetsId, assets] = [], [, pages] = []] = Object.entries(
      prod.findResources('Custom::CDKBucketDeployment'),
    );

    // test/local/console.test.ts shows how both are cached, test/rehearsal what an update keeps.
    test('pages are deployed after the files they refer to', () => {
      expect(assets?.Properties).toMatchObject({ Exclude: ['*'], Prune: false });
      expect(pages?.Properties).toMatchObject({ Exclude: assets?.Properties.Include, Prune: true });
      expect(pages?.DependsOn).toContain(assetsId);
      // Both come from one build.
      expect(pages?.Properties.SourceObjectKeys[0]).toBe(assets?.Properties.SourceObjectKeys[0]);
    });

    // Its handler would wait for an invalidation, for which the role has no permission: Create, Update and Delete fail.
    test('invalidates nothing: edges cache other files for at most one second', () => {
      for (const { Properties } of [assets, pages].flatMap((it) => it ?? [])) {
        expect(Object.keys(Properties).filter((key) => /Distribution(Id|Paths)/.test(key))).toEqual([]);
      }
    });
  });

  const SEND_ID = Object.keys(ownFunctions(prod)).find((id) => id.startsWith('SendingSendFunction')) ?? '';

  describe.each(['dev', 'prod'] as const)('%s without a console', (stage) => {
    const without = synthesize(stage, WITHOUT_CONSOLE).toJSON();

    // AWS refuses CloudFront to accounts that it has not verified yet, and a deployment fails half-made.
    test('has no CloudFront resources, no bucket and no CDK function to fill one', () => {
      const types = Object.values<{ Type: string }>(without.Resources).map(({ Type }) => Type);
      expect(types.filter((type) => /^AWS::(CloudFront|S3)::|^Custom::/.test(type))).toEqual([]);
      expect(JSON.stringify(without)).not.toContain('cloudfront');
    });

    test('has every other resource and output', () => {
      const withConsole = synthesize(stage, EVERY_SETTING).toJSON();
      const lost = (kind: 'Resources' | 'Outputs') =>
        Object.keys(withConsole[kind]).filter((id) => !(id in without[kind]));
      expect(lost('Outputs')).toEqual(['ConsoleUrl']);
      // The console's session has routes, alarms and a deployment of its own.
      const others = lost('Resources').filter((id) => !/^Console|^Custom(CDKBucket|S3Auto)|session/.test(id));
      // Its messages link to the console, so without one it has another configuration and another version.
      const versions = stage === 'prod' ? ['SendingSendFunctionCurrentVersion'] : [];
      expect(others.map((id) => id.replace(/[0-9A-F]{8}[0-9a-f]{32}$/, ''))).toEqual(versions);
      const variablesOf = (template: typeof without) =>
        Object.keys(template.Resources[SEND_ID].Properties.Environment.Variables);
      expect(variablesOf(withConsole).filter((name) => !variablesOf(without).includes(name))).toEqual([
        'CONSOLE_URL',
      ]);
    });
  });

  test('gets all settings of its stage in config.json', () => {
    withAssembly((outdir) => {
      const context = { stage: 'prod', 'aws:cdk:bundling-stacks': [] };
      const app = makeUncheckedApp({ outdir, context, builtinCloudFormationValidation: false });
      const { template } = app.synth().getStackByName('LeadIngest-prod');
      const resources = Object.values(template.Resources) as {
        Type: string;
        Properties: { SourceObjectKeys: string[]; SourceMarkers?: Record<string, unknown>[] };
      }[];
      const pages = resources.find(
        ({ Type, Properties }) => /BucketDeployment/.test(Type) && Properties.SourceMarkers,
      );
      const asset = `asset.${pages?.Properties.SourceObjectKeys[1]?.replace('.zip', '')}`;
      const text = Object.entries(pages?.Properties.SourceMarkers?.[1] ?? {}).reduce(
        (before, [marker, value]) => before.replaceAll(marker, asText(value)),
        readFileSync(join(outdir, asset, 'config.json'), 'utf8'),
      );
      expect(JSON.parse(text)).toEqual({
        stage: 'prod',
        version: VERSION,
        region: `\${AWS::Region}`,
        userPoolId: `\${Owners}`,
        userPoolClientId: `\${OwnersClient}`,
        cognitoEndpoint: `https://cognito-idp.\${AWS::Region}.\${AWS::URLSuffix}`,
        signIn: 'srp',
      });
    });
  });
});
