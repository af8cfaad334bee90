import type { Node } from 'constructs';
import { type ConcurrencySettings, readConcurrency } from './context/concurrency.ts';
import { ContextError, isCdkKey, nearestSpelling, regionOf, type TagValues } from './context/kinds.ts';
import { type ContextKey, type GivenSettings, SETTINGS_SCHEMA, type SettingKey } from './context/schema.ts';
import type { Stage } from './stage.ts';

/** The deployer's settings, from CDK context: see context/schema.ts. */
export interface Settings {
  readonly stage: Stage;
  /** Whether this stack sets the CloudWatch role that all REST APIs of one account and region share. */
  readonly manageApiGatewayAccount: boolean;
  readonly enrichmentProvider: EnrichmentProvider | undefined;
  /** Whether functions work in turn, because Lambda runs only few at a time. */
  readonly smallAccount: boolean;
  readonly concurrency: ConcurrencySettings;
  /** The sender of email to destinations. */
  readonly mailFrom: string | undefined;
  /** Whether lead events are also put on an event bus. */
  readonly eventBus: boolean;
  /** Cognito's threat protection for owners, with the PLUS plan that it needs. */
  readonly ownerThreatProtection: boolean;
  /** The web ACL of the ingest endpoints. */
  readonly ingestFirewall: boolean;
  readonly ingestCeilings: IngestCeilings;
  /** This stack's share of API Gateway's quota for the account and region. */
  readonly apiRequestsPerSecond: number;
  /** Whether a deployment continues while an alarm is on. */
  readonly deployDespiteAlarms: boolean;
  readonly alarms: boolean;
  readonly dashboard: boolean;
  /** Who gets alarm mail. */
  readonly alarmEmail: string | undefined;
  readonly ingestDomain: OwnDomain | undefined;
  /** Whether owners have a console, or only the settings API. */
  readonly console: boolean;
  readonly consoleDomain: OwnDomain | undefined;
  readonly consoleFirewall: ConsoleFirewallSettings;
  readonly tags: TagValues;
}

/** Requests per minute above which the web ACL rejects an address. */
export interface IngestCeilings {
  readonly byAddress: number;
  readonly byAddressAndPath: number;
}

/** The web ACL of the console. */
export interface ConsoleFirewallSettings {
  /** Whether the stack creates one, where AWS allows it. */
  readonly isMade: boolean;
  readonly requestsPerMinuteByAddress: number;
  /** An existing one to use instead. */
  readonly webAclArn: string | undefined;
}

/** An HTTP service that enrichment asks about each clean lead. Off unless both are given. */
export interface EnrichmentProvider {
  readonly url: string;
  /** The secret in Secrets Manager that holds the provider's key. */
  readonly secretArn: string;
  /** The secret's KMS key, unless it is the one that AWS manages for Secrets Manager. */
  readonly keyArn: string | undefined;
}

/** A custom domain, in place of the one that AWS generates. */
export interface OwnDomain {
  readonly name: string;
  readonly certificateArn: string;
  /** Where to create its DNS record; without one, the deployer does. */
  readonly hostedZone: HostedZoneNames | undefined;
}

export interface HostedZoneNames {
  readonly id: string;
  readonly name: string;
}

/** Input other than context. */
export interface DeployEnvironment {
  /** The region of the deployment, if CDK's command line knows it. */
  readonly region?: string | undefined;
  /** Keys given to every CDK app on this machine, which may be for another app. */
  readonly keysForAllApps?: ReadonlySet<string>;
}

/** Reads all settings or throws a ContextError: no part of a stack is made from invalid settings. */
export function readSettings(node: Node, { region, keysForAllApps }: DeployEnvironment = {}): Settings {
  refuseUnknownKeys(Object.keys(node.getAllContext()), keysForAllApps ?? new Set());
  const given = readKeys(node);
  const { stage, manageApiGatewayAccount, ownerThreatProtection, deployDespiteAlarms } = given;
  return {
    stage,
    manageApiGatewayAccount,
    enrichmentProvider: readProvider(given, region),
    smallAccount: given.smallAccount,
    concurrency: readConcurrency(given),
    mailFrom: given.mailFrom,
    eventBus: given.eventBus,
    ownerThreatProtection,
    ingestFirewall: given.ingestFirewall ?? stage.hasFirewall,
    ingestCeilings: readCeilings(given),
    apiRequestsPerSecond: given.apiRequestsPerSecond,
    deployDespiteAlarms,
    ...readMonitoring(given),
    console: given.console,
    ...readDomains(given, region),
    consoleFirewall: readConsoleFirewall(given),
    tags: given.tags ?? {},
  };
}

/** An unknown key is a typo: prod without its domain, or without a firewall. */
function refuseUnknownKeys(keys: readonly string[], keysForAllApps: ReadonlySet<string>): void {
  const known = Object.keys(SETTINGS_SCHEMA);
  const unknown = keys.find((key) => !known.includes(key) && !isCdkKey(key) && !keysForAllApps.has(key));
  if (unknown === undefined) return;
  const meant = nearestSpelling(unknown, known);
  const guess = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  throw new ContextError(`Unknown context key "${unknown}".${guess} Known keys: ${known.join(', ')}.`);
}

function readKeys(node: Node): GivenSettings {
  const values = Object.entries<ContextKey<unknown>>(SETTINGS_SCHEMA).map(([key, schema]) => {
    const given: unknown = node.tryGetContext(key) ?? schema.byDefault;
    if (given === undefined) return [key, undefined];
    const value = schema.read(given);
    if (value !== undefined) return [key, value];
    throw new ContextError(`Context "${key}" must be ${schema.allowed}, but is ${JSON.stringify(given)}.`);
  });
  return Object.fromEntries(values) as GivenSettings;
}

function readMonitoring(given: GivenSettings): Pick<Settings, 'alarms' | 'dashboard' | 'alarmEmail'> {
  const { stage, alarms, alarmEmail } = given;
  if (!alarms && stage.deploysGradually) {
    throw new ContextError(
      `Context "alarms" must be true in ${stage.name}, where alarms roll back new code that fails.`,
    );
  }
  if (!alarms && alarmEmail !== undefined) {
    throw new ContextError('Context "alarmEmail" needs alarms, but "alarms" is false.');
  }
  return { alarms, dashboard: given.dashboard ?? stage.hasDashboard, alarmEmail };
}

function readCeilings(given: GivenSettings): IngestCeilings {
  const byAddress = given.requestsPerMinuteByAddress;
  const byAddressAndPath = given.requestsPerMinuteByAddressAndPath;
  if (byAddressAndPath <= byAddress) return { byAddress, byAddressAndPath };
  throw new ContextError(
    `Context "requestsPerMinuteByAddressAndPath" must be at most ${byAddress}, as "requestsPerMinuteByAddress" says, but is ${byAddressAndPath}.`,
  );
}

function readConsoleFirewall(given: GivenSettings): ConsoleFirewallSettings {
  const webAclArn = given.consoleWebAclArn;
  if (webAclArn !== undefined && !given.console) {
    throw new ContextError('Context "consoleWebAclArn" needs a console, but "console" is false.');
  }
  if (webAclArn !== undefined && given.consoleFirewall === false) {
    throw new ContextError('Context "consoleWebAclArn" is a firewall, but "consoleFirewall" is false.');
  }
  return {
    isMade: webAclArn === undefined && (given.consoleFirewall ?? given.stage.hasFirewall),
    requestsPerMinuteByAddress: given.consoleRequestsPerMinuteByAddress,
    webAclArn,
  };
}

function readProvider(given: GivenSettings, region: string | undefined): EnrichmentProvider | undefined {
  const pair = bothOrNeither(given, 'enrichmentProviderUrl', 'enrichmentProviderSecretArn');
  const keyArn = given.enrichmentProviderKeyArn;
  if (!pair) {
    if (keyArn === undefined) return undefined;
    throw new ContextError('Context "enrichmentProviderKeyArn" needs "enrichmentProviderSecretArn".');
  }
  const [url, secretArn] = pair;
  refuseOtherRegion('enrichmentProviderSecretArn', secretArn, region);
  if (keyArn !== undefined && regionOf(keyArn) !== regionOf(secretArn)) {
    throw new ContextError(
      `Context "enrichmentProviderKeyArn" must be in ${regionOf(secretArn)}, the region of the secret, but is in ${regionOf(keyArn)}.`,
    );
  }
  return { url, secretArn, keyArn };
}

function refuseOtherRegion(key: SettingKey, arn: string, region: string | undefined): void {
  if (region === undefined || regionOf(arn) === region) return;
  throw new ContextError(
    `Context "${key}" must be in ${region}, the stack's region (from AWS_REGION), but is in ${regionOf(arn)}.`,
  );
}

function readDomains(
  given: GivenSettings,
  region: string | undefined,
): Pick<Settings, 'ingestDomain' | 'consoleDomain'> {
  const ingest = bothOrNeither(given, 'ingestDomainName', 'ingestCertificateArn');
  const console = bothOrNeither(given, 'consoleDomainName', 'consoleCertificateArn');
  if (console && !given.console) {
    throw new ContextError('Context "consoleDomainName" needs a console, but "console" is false.');
  }
  const zone = bothOrNeither(given, 'hostedZoneId', 'hostedZoneName');
  const hostedZone = zone && { id: zone[0], name: zone[1] };
  if (hostedZone && !ingest && !console) {
    throw new ContextError('Context "hostedZoneId" needs "ingestDomainName" or "consoleDomainName".');
  }
  if (ingest && ingest[0] === console?.[0]) {
    throw new ContextError('Context "ingestDomainName" and "consoleDomainName" must differ.');
  }
  if (ingest) refuseOtherRegion('ingestCertificateArn', ingest[1], region);
  return {
    ingestDomain: ingest && within(hostedZone, 'ingestDomainName', ingest),
    consoleDomain: console && within(hostedZone, 'consoleDomainName', console),
  };
}

function within(
  hostedZone: HostedZoneNames | undefined,
  key: SettingKey,
  [name, certificateArn]: readonly [string, string],
): OwnDomain {
  if (hostedZone && name !== hostedZone.name && !name.endsWith(`.${hostedZone.name}`)) {
    throw new ContextError(
      `Context "${key}" must be ${hostedZone.name} or end with .${hostedZone.name}, as "hostedZoneName" says, but is "${name}".`,
    );
  }
  return { name, certificateArn, hostedZone };
}

type TextKey = {
  [Key in SettingKey]: GivenSettings[Key] extends string | undefined ? Key : never;
}[SettingKey];

function bothOrNeither(
  given: GivenSettings,
  one: TextKey,
  other: TextKey,
): readonly [string, string] | undefined {
  const [first, second] = [given[one], given[other]];
  if (first !== undefined && second !== undefined) return [first, second];
  if (first === undefined && second === undefined) return undefined;
  throw new ContextError(`Context "${one}" and "${other}" must be set together.`);
}
