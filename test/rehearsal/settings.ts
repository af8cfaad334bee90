import type { StageName } from '../../lib/stage.ts';
import type { Template } from '../../local/template.ts';
import { EVERY_SETTING } from '../stack/every-setting.ts';
import { synthesise } from '../stack/synthesise.ts';
import { customResources, type Version } from './custom-resources.ts';

export type Settings = Readonly<Partial<Record<keyof typeof EVERY_SETTING, string>>>;

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
export const VARIANTS = (['dev', 'prod'] as const).flatMap((stage) =>
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
export function whatHandlersSee(stage: StageName, settings: Settings): string {
  const template = synthesise(stage, settings).toJSON() as Template;
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
