import { describe, expect, test } from '@jest/globals';
import { App, NestedStack, Stack } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import { makeApp } from '../../lib/lead-ingest-app.ts';
import type { StageName } from '../../lib/stage.ts';
import { compare } from '../../lib/upgrade/compare.ts';
import { INTENDED_CHANGES, judge } from '../../lib/upgrade/intended-changes.ts';
import { everyResource, synthesizeResources } from '../../lib/upgrade/synthesize.ts';
import { releasedBundles, releasedTemplates } from '../released/files.ts';
import { EVERY_SETTING, synthesize, WITHOUT_CONSOLE, withAssembly } from './synthesize.ts';

/**
 * CloudFormation identifies a resource by its logical id. One of these with another id is a new, empty one, and
 * the old one is orphaned or deleted. Never change a line here; add lines for new resources.
 */
const STATEFUL: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::GlobalTable': [
    'Activity',
    'Alerts',
    'ApiKeys',
    'DestinationSecrets',
    'Destinations',
    'Diagnostics',
    'FormSecrets',
    'Forms',
    'Idempotency',
    'LeadIndex',
    'Leads',
    'Members',
    'Messages',
    'Recipients',
    'Rejections',
    'Stats',
    'Tokens',
    'UnauthenticatedRejections',
    'Workspaces',
  ],
  'AWS::KMS::Key': ['AlarmKey', 'DestinationSecretsKey', 'FormSecretsKey'],
  'AWS::Cognito::UserPool': ['Owners'],
  'AWS::Cognito::UserPoolClient': ['OwnersClient'],
  // Their ids, and the distribution's domain, are in addresses that senders and owners have.
  'AWS::ApiGateway::RestApi': ['IngestApi', 'SourcesApi'],
  'AWS::ApiGatewayV2::Api': ['SettingsApi'],
  'AWS::CloudFront::Distribution': ['Console'],
  'AWS::S3::Bucket': ['ConsoleFiles'],
  // Their messages stay behind with them.
  'AWS::SQS::Queue': [
    'EnrichmentDeadLetters9738ED3B',
    'EnrichmentQueueB0F06967',
    'LearningQueue7FCCB2C0',
    'SearchQueueD0084E5B',
    'SendingDeadLetters18460848',
    'SendingEventsB7DE9CFD',
    'SendingMessagesB65D8294',
    'SendingSlowMessagesC1E259D9',
  ],
};

type Resources = Record<
  string,
  {
    Type: string;
    DeletionPolicy?: string;
    UpdateReplacePolicy?: string;
    Properties?: Record<string, unknown>;
  }
>;

function statefulOf(resources: Resources): Record<string, string[]> {
  const found = Object.keys(STATEFUL).map((type) => [
    type,
    Object.keys(resources)
      .filter((id) => resources[id]?.Type === type)
      .sort(),
  ]);
  return Object.fromEntries(found);
}

const STAGES: readonly StageName[] = ['dev', 'prod'];
const TEMPLATES = STAGES.flatMap((stage) => [
  [stage, 'as it is', synthesize(stage).toJSON().Resources as Resources] as const,
  [stage, 'with every setting', synthesize(stage, EVERY_SETTING).toJSON().Resources as Resources] as const,
]);

test.each(TEMPLATES)('%s, %s: resources with data keep their logical ids', (_stage, _settings, resources) => {
  expect(statefulOf(resources)).toEqual(STATEFUL);
});

test.each(STAGES)('%s: without the console all other resources keep their logical ids', (stage) => {
  const { Resources } = synthesize(stage, WITHOUT_CONSOLE).toJSON();
  const expected = { ...STATEFUL, 'AWS::CloudFront::Distribution': [], 'AWS::S3::Bucket': [] };
  expect(statefulOf(Resources)).toEqual(expected);
});

test.each(TEMPLATES)('%s, %s: none of these has a fixed name', (_stage, _settings, resources) => {
  // A fixed name prevents replacement, and a changed name forces it.
  const named = Object.entries(resources).filter(
    ([, { Type, Properties }]) =>
      Type in STATEFUL &&
      ['TableName', 'BucketName', 'QueueName', 'UserPoolName', 'ClientName'].some(
        (name) => Properties?.[name] !== undefined,
      ),
  );
  expect(named.map(([id]) => id)).toEqual([]);
});

test('"every setting" has all settings except the stage', () => {
  expect(Object.keys({ ...EVERY_SETTING, stage: '' }).sort()).toEqual(Object.keys(SETTINGS_SCHEMA).sort());
});

describe('in prod', () => {
  const prod = TEMPLATES.filter(([stage]) => stage === 'prod');
  /** Not kept, because a deployment recreates them: an API without its stack is useless. */
  const RECREATED = /^AWS::(ApiGateway|ApiGatewayV2|CloudFront)::/;
  const kept = Object.keys(STATEFUL).filter((type) => !RECREATED.test(type));

  test.each(prod)('%s, %s: resources with data outlive the stack', (_stage, _settings, resources) => {
    const lost = Object.entries(resources).filter(
      ([, { Type, DeletionPolicy, UpdateReplacePolicy }]) =>
        kept.includes(Type) && !(DeletionPolicy === 'Retain' && UpdateReplacePolicy === 'Retain'),
    );
    expect(lost.map(([id]) => id)).toEqual([]);
  });

  test.each(prod)('%s, %s: tables and owners have deletion protection', (_stage, _settings, resources) => {
    for (const id of STATEFUL['AWS::DynamoDB::GlobalTable'] ?? []) {
      const replicas = resources[id]?.Properties?.Replicas as { DeletionProtectionEnabled?: boolean }[];
      expect([id, replicas[0]?.DeletionProtectionEnabled]).toEqual([id, true]);
    }
    expect(resources.Owners?.Properties).toMatchObject({ DeletionProtection: 'ACTIVE' });
  });
});

test.each([
  ['dev', false],
  ['prod', true],
] as const)('%s is protected from termination: %s', (stage, isProtected) => {
  withAssembly((outdir) => {
    const app = makeApp({ outdir, context: { stage, 'aws:cdk:bundling-stacks': [] } });
    const stacks = app.node.children.filter(Stack.isStack);
    expect(stacks.map(({ terminationProtection }) => terminationProtection)).toEqual([isProtected]);
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
      const app = new App({ outdir });
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
