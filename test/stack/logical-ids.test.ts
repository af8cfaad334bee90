import { describe, expect, test } from '@jest/globals';
import { App, NestedStack, Stack } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import type { StageName } from '../../lib/stage.ts';
import { compare } from '../../lib/upgrade/compare.ts';
import { INTENDED_CHANGES, judge } from '../../lib/upgrade/intended-changes.ts';
import { everyResource, synthesizeResources } from '../../lib/upgrade/synthesize.ts';
import { releasedBundles, releasedTemplates } from '../released/files.ts';
import { EVERY_SETTING, synthesize, withAssembly } from './synthesize.ts';

/** Hold data, or are in addresses that senders and owners have: their ids, and the distribution's domain. */
const STATEFUL =
  /^AWS::(DynamoDB::|KMS::Key$|Cognito::|ApiGateway::RestApi$|ApiGatewayV2::Api$|CloudFront::Distribution$|S3::Bucket$|SQS::Queue$)/;

type Resources = Record<
  string,
  {
    Type: string;
    DeletionPolicy?: string;
    UpdateReplacePolicy?: string;
    Properties?: Record<string, unknown>;
  }
>;

const resourcesOf = (stage: StageName, context = {}) =>
  synthesize(stage, context).toJSON().Resources as Resources;
const statefulOf = (resources: Resources) =>
  Object.entries(resources)
    .filter(([, { Type }]) => STATEFUL.test(Type))
    .map(([id]) => id)
    .sort();

const STAGES: readonly StageName[] = ['dev', 'prod'];
const TEMPLATES = STAGES.flatMap((stage) => [
  [stage, 'as it is', resourcesOf(stage)] as const,
  [stage, 'with every setting', resourcesOf(stage, EVERY_SETTING)] as const,
]);

// One with another id is a new, empty one, and the old one is orphaned or deleted.
test.each(TEMPLATES)(
  '%s, %s: resources with data have the same logical ids',
  (_stage, _settings, resources) => {
    expect(statefulOf(resources)).toEqual(statefulOf(resourcesOf('prod')));
  },
);

test.each(TEMPLATES)('%s, %s: none of these has a fixed name', (_stage, _settings, resources) => {
  // A fixed name prevents replacement, and a changed name forces it.
  const named = statefulOf(resources).filter((id) =>
    ['TableName', 'BucketName', 'QueueName', 'UserPoolName', 'ClientName'].some(
      (name) => resources[id]?.Properties?.[name] !== undefined,
    ),
  );
  expect(named).toEqual([]);
});

test('"every setting" has all settings except the stage', () => {
  expect(Object.keys({ ...EVERY_SETTING, stage: '' }).sort()).toEqual(Object.keys(SETTINGS_SCHEMA).sort());
});

describe.each(TEMPLATES.filter(([stage]) => stage === 'prod'))('%s, %s', (_stage, _settings, resources) => {
  test('resources with data and logs outlive the stack', () => {
    // The others are made again by a deployment: an API without its stack is useless.
    const kept = /^AWS::(DynamoDB::|KMS::Key$|Cognito::|S3::Bucket$|SQS::Queue$|Logs::LogGroup$)/;
    const lost = Object.entries(resources).filter(
      ([, { Type, DeletionPolicy, UpdateReplacePolicy }]) =>
        kept.test(Type) && !(DeletionPolicy === 'Retain' && UpdateReplacePolicy === 'Retain'),
    );
    expect(lost.map(([id]) => id)).toEqual([]);
  });

  test('tables and owners have deletion protection', () => {
    for (const [id, { Type, Properties }] of Object.entries(resources)) {
      if (Type !== 'AWS::DynamoDB::GlobalTable') continue;
      const [replica] = (Properties?.Replicas ?? []) as { DeletionProtectionEnabled?: boolean }[];
      expect([id, replica?.DeletionProtectionEnabled]).toEqual([id, true]);
    }
    expect(resources.Owners?.Properties).toMatchObject({ DeletionProtection: 'ACTIVE' });
  });
});

describe('compared with the last release', () => {
  const bundles = releasedBundles();
  const findings = releasedTemplates().map(({ name, context, resources }) => {
    const { resources: present } = synthesizeResources(context);
    const contains = (folder: string, text: string) => bundles[folder]?.includes(text) ?? true;
    return [name, compare(resources, present, contains)] as const;
  });

  test.each(findings)('%s: an upgrade can be rolled back, and released code still works', (_name, found) => {
    // If a change is intended: lib/upgrade/intended-changes.ts.
    expect(judge(found, INTENDED_CHANGES).refused).toEqual([]);
  });

  test('resources of nested stacks are compared under the name of their stack', () => {
    withAssembly((outdir) => {
      const app = new App({ outdir, builtinCloudFormationValidation: false });
      const stack = new Stack(app, 'Outer');
      const nested = new NestedStack(stack, 'Inner');
      for (const scope of [stack, nested]) new CfnQueue(scope, 'Queue');
      app.synth();
      const id = stack.resolve(nested.nestedStackResource?.logicalId);
      const resources = everyResource(app, outdir, new Map());
      expect(Object.keys(resources).sort()).toEqual([id, `${id}/Queue`, 'Queue'].sort());
      const { [`${id}/Queue`]: moved, ...others } = resources;
      expect(moved?.Type).toBe('AWS::SQS::Queue');
      expect(compare(resources, others).map(({ change }) => change)).toEqual([`removed ${id}/Queue`]);
    });
  });

  test('what is said to be intended is in one of the templates', () => {
    const all = findings.flatMap(([, found]) => found);
    expect(judge(all, INTENDED_CHANGES).unmatched).toEqual([]);
  });
});
