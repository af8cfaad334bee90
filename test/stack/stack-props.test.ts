import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { App, type AppProps, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import {
  CURRENT_VERSION_EXPIRED_FLAGS,
  FLAGS,
  futureFlagDefault,
  NEW_STYLE_STACK_SYNTHESIS_CONTEXT,
} from 'aws-cdk-lib/cx-api';
import { PROPERTIES, propsFrom, settingsOf } from '../../lib/context/from-props.ts';
import { type ContextKey, SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import { contextOf, readSettings } from '../../lib/context.ts';
import { featureFlags } from '../../lib/feature-flags.ts';
import { LeadIngestStack } from '../../lib/lead-ingest-stack.ts';
import type { LeadIngestStackProps } from '../../lib/stack-props.ts';
import { TABLE_SHAPES } from '../../lib/tables/shapes.ts';
import { EVERY_SETTING, synthesize, withAssembly } from './synthesize.ts';

const WITHOUT_CODE = { 'aws:cdk:bundling-stacks': [] };

/** Somebody's app. It has none of our feature flags. */
function withApp<Result>(use: (app: App) => Result, context: AppProps['context'] = {}): Result {
  return withAssembly((outdir) =>
    use(
      new App({
        outdir,
        context: { ...WITHOUT_CODE, ...context },
        builtinCloudFormationValidation: false,
        stackTraces: false,
        treeMetadata: false,
      }),
    ),
  );
}

const read = (props: LeadIngestStackProps, region = 'eu-west-1') => settingsOf(props, region);
const node = (context: Record<string, unknown>) => new App({ context }).node;
const DOMAIN = {
  name: 'leads.example.com',
  certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/0aa0',
};

describe('the app around the stack has no influence on its template', () => {
  // Not the flag for how assets are uploaded: that is up to the app.
  const inverted = Object.keys(FLAGS)
    .filter(
      (flag) => !CURRENT_VERSION_EXPIRED_FLAGS.includes(flag) && flag !== NEW_STYLE_STACK_SYNTHESIS_CONTEXT,
    )
    .map((flag) => [flag, featureFlags()[flag] ?? futureFlagDefault(flag)] as const)
    .filter(([, value]) => typeof value === 'boolean')
    .map(([flag, value]) => [flag, !value]);

  test.each([
    ['without feature flags', {}],
    [
      'with the opposite of every flag, and settings of its own in context',
      { ...Object.fromEntries(inverted), stage: 'staging', console: 'no', mailFrom: 1 },
    ],
  ])('%s', (_name, context) => {
    const template = withApp((app) => {
      const stack = new LeadIngestStack(app, 'LeadIngest-dev', { stage: 'dev' });
      return Template.fromStack(stack).toJSON();
    }, context);
    expect(template).toEqual(synthesize('dev').toJSON());
  });

  test('nor have the id, the name, or the region and account', () => {
    const templates = withApp((app) => {
      const env = { account: '111122223333', region: 'eu-west-1' };
      const stack = new LeadIngestStack(app, 'Leads', { stage: 'prod', stackName: 'our-leads', env });
      expect(stack.terminationProtection).toBe(true);
      return [Template.fromStack(stack).toJSON(), synthesize('prod').toJSON()];
    });
    const [own, ours] = templates.map(({ Resources, Outputs }) => ({
      resources: Object.entries<{ Type: string }>(Resources).map(([id, { Type }]) => `${id} ${Type}`),
      outputs: Object.keys(Outputs),
    }));
    // CDK names a permission after the whole path of its function, a version and a deployment by a hash of what is in it.
    const fixed = (lines: readonly string[] = []) =>
      lines
        .map((line) =>
          line.replace(/^.* (?=AWS::(Lambda::(Permission|Version)|ApiGateway::Deployment)$)/, ''),
        )
        .sort();
    expect(fixed(own?.resources)).toEqual(fixed(ours?.resources));
    expect(own?.outputs).toEqual(ours?.outputs);
  });
});

describe('properties', () => {
  test('those that are given in context make the same settings', () => {
    for (const context of [{}, { stage: 'prod' }, { stage: 'prod', ...EVERY_SETTING }]) {
      const props = propsFrom(contextOf(node(context)));
      expect(read(props)).toEqual(readSettings(node(context)));
    }
  });

  test('are explained as in the schema, with the same defaults', () => {
    const source = readFileSync('lib/stack-props.ts', 'utf8');
    const [, inside = ''] = /^export interface LeadIngestStackProps .*?\{$(.*?)^\}$/ms.exec(source) ?? [];
    const documented = [...inside.matchAll(/\/\*\*([\s\S]*?)\*\/\n {2}readonly (\w+)\??:/g)].map(
      ([, comment = '', name = '']) => [name, comment.replaceAll(/\s*\n[\s*]*/g, ' ').trim()] as const,
    );
    const explained = Object.entries<ContextKey<unknown>>(SETTINGS_SCHEMA)
      .filter(([key]) => key !== 'stage' && PROPERTIES.includes(key))
      .map(([key, { explanation, byDefault, byDefaultInWords = 'none' }]) => {
        const sentence = `${explanation.charAt(0).toUpperCase()}${explanation.slice(1)}.`;
        return [key, `${sentence} @default ${byDefault ?? byDefaultInWords}`];
      });
    expect(documented.filter(([name]) => name in SETTINGS_SCHEMA && name !== 'stage')).toEqual(explained);
    const others = documented.map(([name]) => name).filter((name) => !(name in SETTINGS_SCHEMA));
    expect(others).toEqual(['domain', 'consoleDomain', 'enrichmentProvider']);
  });

  test.each<[unknown, string]>([
    [{}, 'Property "stage" must be dev or prod, but is "undefined".'],
    [{ mailFrom: 'leads' }, 'Property "mailFrom" must be one email address, but is "leads".'],
    [
      { domain: { ...DOMAIN, name: 'Leads.example.com' } },
      'Property "domain.name" must be a domain name in lower case, without a dot at its end, but is "Leads.example.com".',
    ],
    [
      { domain: { name: DOMAIN.name } },
      'Property "domain.name" and "domain.certificateArn" must be set together.',
    ],
    [
      { domain: { ...DOMAIN, hostedZone: { id: 'Z0123456789ABC', name: 'example.org' } } },
      'Property "domain.name" must be example.org or end with .example.org, as "domain.hostedZone.name" says, but is "leads.example.com".',
    ],
    [
      { domain: { ...DOMAIN, certificateArn: DOMAIN.certificateArn.replace('eu-west-1', 'us-east-2') } },
      `Property "domain.certificateArn" must be in eu-west-1, the stack's region (from env), but is in us-east-2.`,
    ],
    [
      { alarmMail: 'ops@example.com' },
      `Unknown property "alarmMail". Did you mean "alarmEmail"? Known properties: ${PROPERTIES.join(', ')}.`,
    ],
  ])('%j is refused', (props, message) => {
    const given = Object.keys(Object(props)).length === 0 ? {} : { stage: 'dev', ...Object(props) };
    expect(() => read(given as LeadIngestStackProps)).toThrow(new Error(message));
  });

  test('each domain can be in a zone of its own', () => {
    const zone = { id: 'Z0123456789ABC', name: 'example.com' };
    const consoleDomain = {
      name: 'console.example.org',
      certificateArn: DOMAIN.certificateArn.replace('eu-west-1', 'us-east-1'),
      hostedZone: { id: 'Z0123456789ABD', name: 'example.org' },
    };
    const settings = read({ stage: 'dev', domain: { ...DOMAIN, hostedZone: zone }, consoleDomain });
    expect(settings.ingestDomain?.hostedZone).toEqual(zone);
    expect(settings.consoleDomain).toEqual(consoleDomain);
  });

  test('text that only the deployment knows is taken as it is', () => {
    const template = withApp((app) => {
      const other = new Stack(app, 'Other');
      const { certificateArn } = new Certificate(other, 'Certificate', { domainName: DOMAIN.name });
      const domain = { name: DOMAIN.name, certificateArn };
      return Template.fromStack(new LeadIngestStack(app, 'Leads', { stage: 'dev', domain }));
    });
    template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      RegionalCertificateArn: Match.objectLike({}),
    });
  });
});

describe('public properties', () => {
  test('another stack reads leads, follows the event bus and gets alarms', () => {
    withApp((app) => {
      const stack = new LeadIngestStack(app, 'Leads', { stage: 'dev', eventBus: true });
      const other = new Stack(app, 'Own');
      const reader = new Role(other, 'Reader', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
      stack.tables.leads.grantReadData(reader);
      stack.queues.sendingDeadLetters.grantConsumeMessages(reader);
      stack.alarmTopic?.addSubscription(new EmailSubscription('ops@example.com'));
      new Rule(other, 'Events', {
        ...(stack.eventBus && { eventBus: stack.eventBus }),
        eventPattern: { source: ['lead-ingest'] },
        targets: [new SnsTopic(new Topic(other, 'News'))],
      });
      const [leads, own] = [Template.fromStack(stack), Template.fromStack(other)];
      leads.hasResourceProperties('AWS::SNS::Subscription', {
        Protocol: 'email',
        Endpoint: 'ops@example.com',
      });
      own.hasResourceProperties('AWS::Events::Rule', { EventBusName: Match.objectLike({}) });
      const [policy] = Object.values(own.findResources('AWS::IAM::Policy'));
      const actions = policy?.Properties.PolicyDocument.Statement.flatMap(
        ({ Action }: { Action: string[] }) => Action,
      );
      expect(actions).toEqual(expect.arrayContaining(['dynamodb:GetItem', 'sqs:ReceiveMessage']));

      // There is one for each table, queue, API and address.
      expect(Object.keys(stack.tables)).toEqual(Object.keys(TABLE_SHAPES));
      const logicalId = (id: string) => stack.resolve(id).Ref;
      const queues = Object.values(stack.queues).map(({ queueUrl }) => logicalId(queueUrl));
      expect(queues.sort()).toEqual(Object.keys(leads.findResources('AWS::SQS::Queue')).sort());
      const apis = [stack.ingestApi.restApiId, stack.sourcesApi.restApiId, stack.settingsApi.apiId];
      expect(apis.map(logicalId)).toEqual(['IngestApi', 'SourcesApi', 'SettingsApi']);
      const { IngestUrl, SourcesUrl, SettingsUrl, ConsoleUrl } = leads.toJSON().Outputs;
      const urls = [stack.ingestUrl, stack.sourcesUrl, stack.settingsUrl, stack.consoleUrl];
      expect(urls.map((url) => stack.resolve(url))).toEqual(
        [IngestUrl, SourcesUrl, SettingsUrl, ConsoleUrl].map(({ Value }) => Value),
      );
    });
  });

  test('what is switched off is undefined', () => {
    withApp((app) => {
      const stack = new LeadIngestStack(app, 'Leads', { stage: 'dev', alarms: false, console: false });
      expect([stack.alarmTopic, stack.eventBus, stack.consoleUrl]).toEqual([undefined, undefined, undefined]);
    });
  });
});
