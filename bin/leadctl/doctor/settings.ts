import { existsSync, readFileSync } from 'node:fs';
import {
  API_REQUESTS_PER_SECOND,
  CERTIFICATE_ARN,
  CLOUDFRONT_WEB_ACL_ARN,
  type ContextKind,
  DEFAULT_API_REQUESTS_PER_SECOND,
  DOMAIN_NAME,
  EMAIL_ADDRESS,
  HOSTED_ZONE_ID,
  isCdkKey,
  nearestSpelling,
  oneOf,
  YES_OR_NO,
} from '#lib/context/kinds.ts';
import { UsageFailure } from '../../operator/failure.ts';

/** The settings of a deployment that can be checked on AWS. */
export interface DeploymentSettings {
  readonly stage: 'dev' | 'prod';
  readonly alarms: boolean;
  readonly dashboard: boolean;
  readonly manageApiGatewayAccount: boolean;
  readonly ingestDomain: CertifiedName | undefined;
  readonly consoleDomain: CertifiedName | undefined;
  readonly console: boolean;
  readonly consoleFirewall: boolean;
  readonly consoleWebAclArn: string | undefined;
  readonly apiRequestsPerSecond: number;
  readonly hostedZone: { readonly id: string; readonly name: string } | undefined;
  readonly mailFrom: string | undefined;
  readonly smallAccount: boolean;
}

export interface CertifiedName {
  readonly name: string;
  readonly certificateArn: string;
}

/** From lib/context/schema.ts, which would load all of CDK. Certificates may be in any region here: a check reports it. */
const READ = {
  stage: oneOf({ dev: 'dev', prod: 'prod' } as const),
  alarms: YES_OR_NO,
  dashboard: YES_OR_NO,
  manageApiGatewayAccount: YES_OR_NO,
  ingestDomainName: DOMAIN_NAME,
  ingestCertificateArn: CERTIFICATE_ARN,
  consoleDomainName: DOMAIN_NAME,
  consoleCertificateArn: CERTIFICATE_ARN,
  console: YES_OR_NO,
  consoleFirewall: YES_OR_NO,
  consoleWebAclArn: CLOUDFRONT_WEB_ACL_ARN,
  apiRequestsPerSecond: API_REQUESTS_PER_SECOND,
  hostedZoneId: HOSTED_ZONE_ID,
  hostedZoneName: DOMAIN_NAME,
  mailFrom: EMAIL_ADDRESS,
  smallAccount: YES_OR_NO,
};

/** Accepted, so that the arguments of `cdk deploy` can be reused, but not checked. */
const NOT_READ = [
  'alarmEmail',
  'consoleRequestsPerMinuteByAddress',
  'ingestFirewall',
  'requestsPerMinuteByAddress',
  'requestsPerMinuteByAddressAndPath',
  'enrichmentProviderUrl',
  'enrichmentProviderSecretArn',
  'enrichmentProviderKeyArn',
  'enrichmentConcurrency',
  'indexConcurrency',
  'dispatchConcurrency',
  'sendingConcurrency',
  'slowLaneConcurrency',
  'eventBus',
  'ownerThreatProtection',
  'deployDespiteAlarms',
  'tags',
];

export const KNOWN_KEYS: readonly string[] = [...Object.keys(READ), ...NOT_READ];

type Context = Readonly<Record<string, unknown>>;

/** As in CDK: values of -c override cdk.json. */
export function readDeploymentSettings(
  typed: Context,
  ofFile: Context = contextOfCdkJson(),
): DeploymentSettings {
  const context = { ...ofFile, ...typed };
  const unknown = Object.keys(context).find((key) => !KNOWN_KEYS.includes(key) && !isCdkKey(key));
  if (unknown !== undefined) {
    const meant = nearestSpelling(unknown, KNOWN_KEYS);
    const guess = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    throw new UsageFailure(`Unknown context "${unknown}".${guess} Known keys: ${KNOWN_KEYS.join(', ')}.`);
  }
  const read = <Key extends keyof typeof READ>(key: Key) => {
    if (context[key] === undefined) return undefined;
    const value = READ[key].read(context[key]);
    if (value !== undefined) return value as NonNullable<ReturnType<(typeof READ)[Key]['read']>>;
    throw new UsageFailure(`Context "${key}" must be ${READ[key].allowed}.`);
  };
  const pair = (one: TextKey, other: TextKey) => {
    const [first, second] = [read(one), read(other)];
    if ((first === undefined) !== (second === undefined)) {
      throw new UsageFailure(`Set context "${one}" and "${other}" together.`);
    }
    return first === undefined || second === undefined ? undefined : ([first, second] as const);
  };
  const certified = (one: TextKey, other: TextKey) => {
    const both = pair(one, other);
    return both && { name: both[0], certificateArn: both[1] };
  };
  const zone = pair('hostedZoneId', 'hostedZoneName');
  const stage = read('stage') ?? 'dev';
  return {
    stage,
    alarms: read('alarms') ?? true,
    // As lib/stage.ts says, here and for the firewall below.
    dashboard: read('dashboard') ?? stage === 'prod',
    manageApiGatewayAccount: read('manageApiGatewayAccount') ?? true,
    ingestDomain: certified('ingestDomainName', 'ingestCertificateArn'),
    consoleDomain: certified('consoleDomainName', 'consoleCertificateArn'),
    console: read('console') ?? true,
    consoleFirewall: read('consoleFirewall') ?? stage === 'prod',
    consoleWebAclArn: read('consoleWebAclArn'),
    apiRequestsPerSecond: read('apiRequestsPerSecond') ?? DEFAULT_API_REQUESTS_PER_SECOND,
    hostedZone: zone && { id: zone[0], name: zone[1] },
    mailFrom: read('mailFrom'),
    smallAccount: read('smallAccount') ?? false,
  };
}

type TextKey = {
  [Key in keyof typeof READ]: (typeof READ)[Key] extends ContextKind<string> ? Key : never;
}[keyof typeof READ];

/** For a repeatable option. */
export function addContext(pair: string, before: Context = {}): Context {
  const equals = pair.indexOf('=');
  if (equals < 1) throw new UsageFailure(`Pass -c key=value, as for cdk deploy, not "${pair}".`);
  return { ...before, [pair.slice(0, equals)]: pair.slice(equals + 1) };
}

/** Empty outside a checkout, which is where the packed command runs. */
function contextOfCdkJson(): Context {
  const file = new URL('../../../cdk.json', import.meta.url);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).context ?? {}) : {};
}
