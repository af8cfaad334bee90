import { type StackProps, Token } from 'aws-cdk-lib';
import type { Settings } from '../settings.ts';
import { type LeadIngestStackProps, STACK_PROPERTIES } from '../stack-props.ts';
import { type Origin, refuseUnknown } from './origin.ts';
import { type InputKey, SETTINGS_SCHEMA } from './schema.ts';
import { readInputs, settle } from './settle.ts';

/** Settings that belong together are one property each. All others have the same name in context. */
const PATHS: Partial<Record<InputKey, readonly string[]>> = {
  ingestDomainName: ['domain', 'name'],
  ingestCertificateArn: ['domain', 'certificateArn'],
  hostedZoneId: ['domain', 'hostedZone', 'id'],
  hostedZoneName: ['domain', 'hostedZone', 'name'],
  consoleDomainName: ['consoleDomain', 'name'],
  consoleCertificateArn: ['consoleDomain', 'certificateArn'],
  consoleHostedZoneId: ['consoleDomain', 'hostedZone', 'id'],
  consoleHostedZoneName: ['consoleDomain', 'hostedZone', 'name'],
  enrichmentProviderUrl: ['enrichmentProvider', 'url'],
  enrichmentProviderSecretArn: ['enrichmentProvider', 'secretArn'],
  enrichmentProviderKeyArn: ['enrichmentProvider', 'keyArn'],
};

const pathOf = (key: InputKey): readonly string[] => PATHS[key] ?? [key];

/** The names of all properties. */
export const PROPERTIES: readonly string[] = [
  ...new Set(
    (Object.keys({ ...SETTINGS_SCHEMA, ...PATHS }) as InputKey[]).map((key) => pathOf(key)[0] as string),
  ),
  ...STACK_PROPERTIES,
];

/** Reads all settings from the properties of a stack, with the same checks as from context. */
export function settingsOf(props: LeadIngestStackProps, region: string): Settings {
  // Callers in JavaScript have no compiler that finds a typo.
  refuseUnknown(['property', 'properties'], Object.keys(props), PROPERTIES);
  return settle({
    noun: 'Property',
    nameOf: (key) => pathOf(key).join('.'),
    // Unlike in context, there is no default stage.
    valueOf: (key) => (key === 'stage' ? String(props.stage) : at(props, pathOf(key))),
    isUnresolved: (text) => Token.isUnresolved(text),
    region: Token.isUnresolved(region) ? undefined : { name: region, knownFrom: 'env' },
  });
}

/** What CDK's own stack is to know. */
export function stackPropsOf(props: LeadIngestStackProps): StackProps {
  return Object.fromEntries(STACK_PROPERTIES.map((name) => [name, props[name]]));
}

function at(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || value === undefined || value === null) return value ?? undefined;
  return at((value as Readonly<Record<string, unknown>>)[name], rest);
}

/** The properties of a stack whose settings are given in context. */
export function propsFrom(origin: Origin): LeadIngestStackProps {
  const { stage, ingestDomain, consoleDomain, enrichmentProvider } = settle(origin);
  const inputs = Object.entries(readInputs(origin)).filter(([key]) => !Object.hasOwn(PATHS, key));
  return {
    ...Object.fromEntries(inputs),
    stage: stage.name,
    domain: ingestDomain,
    consoleDomain,
    enrichmentProvider,
  };
}
