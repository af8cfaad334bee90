import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SETTINGS_SCHEMA } from '../../lib/context/schema.ts';
import type { StageName } from '../../lib/stage.ts';
import type { Template } from '../../local/template.ts';
import { documentedRights } from '../docs/deployment-rights.ts';
import { testUnlessMissing } from '../programs.ts';
import { EVERY_SETTING, synthesize } from '../stack/synthesize.ts';
import { asSent, customResources, type Version } from './custom-resources.ts';
import { Handlers, MISSING } from './handlers.ts';
import { deployUpdateAndDelete, failingCreations, failingUpdates, replacedBuckets } from './scenarios.ts';
import { StandIn } from './stand-in/server.ts';
import { Versions } from './versions.ts';

type Settings = Readonly<Partial<Record<keyof typeof EVERY_SETTING, string>>>;

const INGEST_DOMAIN = ['ingestDomainName', 'ingestCertificateArn'] as const;
const CONSOLE_DOMAIN = ['consoleDomainName', 'consoleCertificateArn'] as const;

/** Settings that only go together are one row. */
const TOGETHER: readonly (readonly (keyof typeof EVERY_SETTING)[])[] = [
  ['alarmEmail'],
  INGEST_DOMAIN,
  CONSOLE_DOMAIN,
  [...INGEST_DOMAIN, ...CONSOLE_DOMAIN, 'hostedZoneId', 'hostedZoneName'],
  ['ingestFirewall'],
  ['enrichmentProviderUrl', 'enrichmentProviderSecretArn'],
  ['ownerThreatProtection'],
  ['deployDespiteAlarms'],
  ['manageApiGatewayAccount'],
  ['tags'],
];

const SETTINGS: readonly Settings[] = [
  {},
  ...TOGETHER.map((keys) => Object.fromEntries(keys.map((key) => [key, EVERY_SETTING[key]]))),
  // On in prod, where only switching it off changes something.
  { ingestFirewall: 'false' },
  EVERY_SETTING,
];

/** Both stages, by themselves, with each setting and with all of them. */
const VARIANTS = (['dev', 'prod'] as const).flatMap((stage) =>
  SETTINGS.map((settings) => ({ stage, settings, named: nameOf(settings) })),
);

function nameOf(settings: Settings): string {
  if (settings === EVERY_SETTING) return 'every setting';
  const keys = Object.entries(settings).map(([key, value]) => (value === 'false' ? `${key}=false` : key));
  return keys.length === 0 ? 'no setting' : keys.join(', ');
}

/**
 * All of a template that a handler of a custom resource gets or is allowed. Variants that do not differ in it need
 * not be rehearsed twice.
 */
function whatHandlersSee(stage: StageName, settings: Settings): string {
  const template = synthesize(stage, settings).toJSON() as Template;
  const version: Version = { stackName: `LeadIngest-${stage}`, template, assetFolder: (key) => key };
  const buckets = Object.values(template.Resources)
    .filter(({ Type }) => Type.startsWith('AWS::S3::'))
    .map(({ Properties = {} }) => ({ ...Properties, Tags: tagsForHandlers(Properties.Tags) }));
  return JSON.stringify([customResources(version), buckets]);
}

/** CDK's handlers read their own tags alone. */
function tagsForHandlers(tags: unknown): unknown[] {
  return Array.isArray(tags) ? tags.filter(({ Key }) => String(Key).startsWith('aws-cdk:')) : [];
}

const { here, title } = testUnlessMissing(MISSING);

test('properties reach a handler as text', () => {
  const properties = { Wait: false, Prune: true, Count: 3, Names: ['a', 1.5], Deep: { On: true } };
  expect(asSent(properties)).toEqual({
    Wait: 'false',
    Prune: 'true',
    Count: '3',
    Names: ['a', '1.5'],
    Deep: { On: 'true' },
  });
});

test('every setting is rehearsed', () => {
  const rehearsed = new Set(VARIANTS.flatMap(({ settings }) => Object.keys(settings)));
  expect([...rehearsed, 'stage'].sort()).toEqual(Object.keys(SETTINGS_SCHEMA).sort());
});

describe('custom resources', () => {
  const rehearsed = new Map<string, Promise<string[]>>();
  let versions: Versions;
  let standIn: StandIn;
  let handlers: Handlers;

  beforeAll(async () => {
    versions = new Versions();
    standIn = await StandIn.start();
    handlers = new Handlers(standIn);
  });

  afterAll(async () => {
    await handlers.close();
    await standIn.close();
    versions.remove();
  });

  async function rehearse(stage: StageName, settings: Settings): Promise<string[]> {
    const rehearsal = { standIn, handlers, rights: documentedRights() };
    const current = await versions.synthesize(stage, settings);
    const earlier = versions.withEarlierAssets(current);
    expect(customResources(current)).not.toEqual([]);
    return [
      ...(await deployUpdateAndDelete(rehearsal, earlier, current)),
      ...(await failingCreations(rehearsal, current)),
      ...(await failingUpdates(rehearsal, earlier, current)),
      ...(await replacedBuckets(rehearsal, current)),
    ];
  }

  here.each(VARIANTS)(
    title('of $stage with $named are created, updated, rolled back and deleted'),
    async ({ stage, settings }) => {
      const seen = whatHandlersSee(stage, settings);
      const problems = rehearsed.get(seen) ?? rehearse(stage, settings);
      rehearsed.set(seen, problems);
      expect(await problems).toEqual([]);
    },
  );
});
