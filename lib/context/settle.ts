import type {
  ConsoleFirewallSettings,
  EnrichmentProvider,
  HostedZoneNames,
  IngestCeilings,
  OwnDomain,
  Settings,
} from '../settings.ts';
import { readConcurrency } from './concurrency.ts';
import { SettingsError } from './kinds.ts';
import { knownRegion, type Origin, readInput, refuse } from './origin.ts';
import { type GivenInputs, INPUTS, type InputKey } from './schema.ts';

/** Reads all settings or throws a SettingsError: no part of a stack is made from invalid settings. */
export function settle(origin: Origin): Settings {
  const given = readInputs(origin);
  const { stage, manageApiGatewayAccount, ownerThreatProtection, deployDespiteAlarms } = given;
  return {
    stage,
    manageApiGatewayAccount,
    enrichmentProvider: readProvider(origin, given),
    smallAccount: given.smallAccount,
    concurrency: readConcurrency(origin, given),
    mailFrom: given.mailFrom,
    eventBus: given.eventBus,
    ownerThreatProtection,
    ingestFirewall: given.ingestFirewall ?? stage.hasFirewall,
    ingestCeilings: readCeilings(origin, given),
    apiRequestsPerSecond: given.apiRequestsPerSecond,
    deployDespiteAlarms,
    ...readMonitoring(origin, given),
    console: given.console,
    ...readDomains(origin, given),
    consoleFirewall: readConsoleFirewall(origin, given),
    tags: given.tags ?? {},
  };
}

export function readInputs(origin: Origin): GivenInputs {
  const keys = Object.keys(INPUTS) as InputKey[];
  return Object.fromEntries(keys.map((key) => [key, readInput(origin, key)])) as unknown as GivenInputs;
}

function readMonitoring(
  origin: Origin,
  { stage, alarms, alarmEmail, dashboard }: GivenInputs,
): Pick<Settings, 'alarms' | 'dashboard' | 'alarmEmail'> {
  if (!alarms && stage.deploysGradually) {
    refuse(origin, 'alarms', `must be true in ${stage.name}, where alarms roll back new code that fails.`);
  }
  if (!alarms && alarmEmail !== undefined) {
    refuse(origin, 'alarmEmail', 'needs alarms, but "alarms" is false.');
  }
  return { alarms, dashboard: dashboard ?? stage.hasDashboard, alarmEmail };
}

function readCeilings(origin: Origin, given: GivenInputs): IngestCeilings {
  const byAddress = given.requestsPerMinuteByAddress;
  const byAddressAndPath = given.requestsPerMinuteByAddressAndPath;
  if (byAddressAndPath <= byAddress) return { byAddress, byAddressAndPath };
  return refuse(
    origin,
    'requestsPerMinuteByAddressAndPath',
    `must be at most ${byAddress}, as "requestsPerMinuteByAddress" says, but is ${byAddressAndPath}.`,
  );
}

function readConsoleFirewall(origin: Origin, given: GivenInputs): ConsoleFirewallSettings {
  const webAclArn = given.consoleWebAclArn;
  if (webAclArn !== undefined && !given.console) {
    refuse(origin, 'consoleWebAclArn', 'needs a console, but "console" is false.');
  }
  if (webAclArn !== undefined && given.consoleFirewall === false) {
    refuse(origin, 'consoleWebAclArn', 'is a firewall, but "consoleFirewall" is false.');
  }
  return {
    isMade: webAclArn === undefined && (given.consoleFirewall ?? given.stage.hasFirewall),
    requestsPerMinuteByAddress: given.consoleRequestsPerMinuteByAddress,
    webAclArn,
  };
}

function readProvider(origin: Origin, given: GivenInputs): EnrichmentProvider | undefined {
  const pair = bothOrNeither(origin, given, 'enrichmentProviderUrl', 'enrichmentProviderSecretArn');
  const keyArn = given.enrichmentProviderKeyArn;
  if (!pair) {
    if (keyArn === undefined) return undefined;
    refuse(origin, 'enrichmentProviderKeyArn', `needs "${origin.nameOf('enrichmentProviderSecretArn')}".`);
  }
  const [url, secretArn] = pair;
  refuseOtherRegion(origin, 'enrichmentProviderSecretArn', secretArn);
  const [ofSecret, ofKey] = [secretArn, keyArn ?? secretArn].map((arn) => knownRegion(origin, arn));
  if (ofSecret !== undefined && ofKey !== undefined && ofKey !== ofSecret) {
    refuse(
      origin,
      'enrichmentProviderKeyArn',
      `must be in ${ofSecret}, the region of the secret, but is in ${ofKey}.`,
    );
  }
  return { url, secretArn, keyArn };
}

function refuseOtherRegion(origin: Origin, key: InputKey, arn: string): void {
  const { region } = origin;
  const given = knownRegion(origin, arn);
  if (region === undefined || given === undefined || given === region.name) return;
  const expected = `${region.name}, the stack's region (from ${region.knownFrom})`;
  refuse(origin, key, `must be in ${expected}, but is in ${given}.`);
}

function readDomains(origin: Origin, given: GivenInputs): Pick<Settings, 'ingestDomain' | 'consoleDomain'> {
  const ingest = bothOrNeither(origin, given, 'ingestDomainName', 'ingestCertificateArn');
  const console = bothOrNeither(origin, given, 'consoleDomainName', 'consoleCertificateArn');
  const names = [origin.nameOf('ingestDomainName'), origin.nameOf('consoleDomainName')] as const;
  if (console && !given.console) {
    refuse(origin, 'consoleDomainName', 'needs a console, but "console" is false.');
  }
  const ingestZone = readZone(origin, given, 'hostedZoneId', 'hostedZoneName');
  const consoleZone = readZone(origin, given, 'consoleHostedZoneId', 'consoleHostedZoneName');
  if ((ingestZone ?? consoleZone) && !ingest && !console) {
    refuse(origin, 'hostedZoneId', `needs "${names[0]}" or "${names[1]}".`);
  }
  if (ingest && ingest[0] === console?.[0]) {
    throw new SettingsError(`${origin.noun} "${names[0]}" and "${names[1]}" must differ.`);
  }
  if (ingest) refuseOtherRegion(origin, 'ingestCertificateArn', ingest[1]);
  if (ingest) refuseOtherZone(origin, ['ingestDomainName', ingest[0]], ['hostedZoneName', ingestZone]);
  if (console) {
    refuseOtherZone(origin, ['consoleDomainName', console[0]], ['consoleHostedZoneName', consoleZone]);
  }
  return {
    ingestDomain: ingest && { name: ingest[0], certificateArn: ingest[1], hostedZone: ingestZone },
    consoleDomain: console && { name: console[0], certificateArn: console[1], hostedZone: consoleZone },
  };
}

function readZone(
  origin: Origin,
  given: GivenInputs,
  idKey: TextKey,
  nameKey: TextKey,
): HostedZoneNames | undefined {
  const pair = bothOrNeither(origin, given, idKey, nameKey);
  return pair && { id: pair[0], name: pair[1] };
}

function refuseOtherZone(
  origin: Origin,
  [key, name]: readonly [InputKey, OwnDomain['name']],
  [zoneKey, zone]: readonly [InputKey, HostedZoneNames | undefined],
): void {
  if (!zone || [name, zone.name].some(origin.isUnresolved)) return;
  if (name === zone.name || name.endsWith(`.${zone.name}`)) return;
  refuse(
    origin,
    key,
    `must be ${zone.name} or end with .${zone.name}, as "${origin.nameOf(zoneKey)}" says, but is "${name}".`,
  );
}

type TextKey = {
  [Key in InputKey]: GivenInputs[Key] extends string | undefined ? Key : never;
}[InputKey];

function bothOrNeither(
  origin: Origin,
  given: GivenInputs,
  one: TextKey,
  other: TextKey,
): readonly [string, string] | undefined {
  const [first, second] = [given[one], given[other]];
  if (first !== undefined && second !== undefined) return [first, second];
  if (first === undefined && second === undefined) return undefined;
  return refuse(origin, one, `and "${origin.nameOf(other)}" must be set together.`);
}
