import { LIMITS } from '../../lambdas/contract.ts';
import { STAGES } from '../stage.ts';
import {
  API_REQUESTS_PER_SECOND,
  CERTIFICATE_ARN,
  CLOUDFRONT_CERTIFICATE_ARN,
  CLOUDFRONT_WEB_ACL_ARN,
  type ContextKind,
  DEFAULT_API_REQUESTS_PER_SECOND,
  DOMAIN_NAME,
  EMAIL_ADDRESS,
  HOSTED_ZONE_ID,
  HTTPS_ADDRESS,
  KEY_ARN,
  oneOf,
  SECRET_ARN,
  TAGS,
  wholeNumber,
  YES_OR_NO,
} from './kinds.ts';

/** A context key of this app. The table in docs/deploy.md has one row per key. */
export interface ContextKey<Value> extends ContextKind<Value> {
  /** The default, as if it had been typed; undefined if there is none. */
  readonly byDefault?: string;
  /** The default in words, if it depends on something. */
  readonly byDefaultInWords?: string;
  /** One line for the deployer. */
  readonly explanation: string;
}

/** At least twice what a workspace may send: WAF estimates, and counts retries. */
const REQUESTS_PER_MINUTE = wholeNumber(2 * LIMITS.submissionsPerMinute, 2_000_000);

/** As SQS allows. Low by default: leads must get in first. */
export const LEAST_CONCURRENCY = 2;
const CONCURRENCY = { ...wholeNumber(LEAST_CONCURRENCY, 1_000), byDefault: String(LEAST_CONCURRENCY) };

const byStage = (has: 'hasFirewall' | 'hasDashboard') =>
  Object.values(STAGES)
    .map((stage) => `${stage[has]} in ${stage.name}`)
    .join(', ');

/** Every setting: `cdk deploy -c stage=prod -c alarmEmail=…`, or under "context" in cdk.json. */
export const SETTINGS_SCHEMA = {
  stage: {
    ...oneOf(STAGES),
    byDefault: 'dev',
    explanation: 'prod keeps data, protects tables and owners from deletion, and the stack from termination',
  },
  alarmEmail: {
    ...EMAIL_ADDRESS,
    explanation: 'gets an email when an alarm goes off; AWS asks that address to confirm',
  },
  alarms: {
    ...YES_OR_NO,
    byDefault: 'true',
    explanation:
      'whether there are alarms, which have a monthly cost; always true in prod, where they roll back new code',
  },
  dashboard: {
    ...YES_OR_NO,
    byDefaultInWords: byStage('hasDashboard'),
    explanation: 'whether there is a dashboard in CloudWatch; has a monthly cost',
  },
  ingestDomainName: {
    ...DOMAIN_NAME,
    explanation: 'your custom domain for the ingest endpoints; needs ingestCertificateArn',
  },
  ingestCertificateArn: {
    ...CERTIFICATE_ARN,
    explanation: "the certificate of ingestDomainName, in the stack's region",
  },
  console: {
    ...YES_OR_NO,
    byDefault: 'true',
    explanation:
      "whether there is an owners' console; without it the stack needs no CloudFront, which AWS refuses to new accounts",
  },
  consoleDomainName: {
    ...DOMAIN_NAME,
    explanation: "your custom domain for the owners' console; needs consoleCertificateArn",
  },
  consoleCertificateArn: {
    ...CLOUDFRONT_CERTIFICATE_ARN,
    explanation: 'the certificate of consoleDomainName',
  },
  consoleFirewall: {
    ...YES_OR_NO,
    byDefaultInWords: byStage('hasFirewall'),
    explanation:
      "a web ACL that limits what one address can fetch from the owners' console; created in us-east-1, elsewhere it needs consoleWebAclArn; has a monthly cost",
  },
  consoleRequestsPerMinuteByAddress: {
    ...wholeNumber(100, 2_000_000),
    byDefault: '3000',
    explanation:
      'how many requests per minute one address may send to the console, for all owners behind it together',
  },
  consoleWebAclArn: {
    ...CLOUDFRONT_WEB_ACL_ARN,
    explanation: "your own web ACL for the console, instead of the stack's",
  },
  hostedZoneId: {
    ...HOSTED_ZONE_ID,
    explanation:
      'the zone in which DNS records for your custom domains are created; without it you create them yourself',
  },
  hostedZoneName: {
    ...DOMAIN_NAME,
    explanation: 'the domain of that zone; needs hostedZoneId',
  },
  ingestFirewall: {
    ...YES_OR_NO,
    byDefaultInWords: byStage('hasFirewall'),
    explanation:
      'a web ACL that answers floods, and bodies too large for API Gateway, like every other rejection; has a monthly cost',
  },
  requestsPerMinuteByAddress: {
    ...REQUESTS_PER_MINUTE,
    byDefault: '10000',
    explanation:
      'how many requests per minute one address may send to the ingest endpoints; raise it if a relay sends for more than ten busy workspaces',
  },
  requestsPerMinuteByAddressAndPath: {
    ...REQUESTS_PER_MINUTE,
    byDefault: '5000',
    explanation:
      "how many requests per minute one address may send to one form's webhook URL, or to any other path except that of server tokens",
  },
  apiRequestsPerSecond: {
    ...API_REQUESTS_PER_SECOND,
    byDefault: String(DEFAULT_API_REQUESTS_PER_SECOND),
    explanation:
      "how much of API Gateway's quota this stack may use; each method is throttled at a fixed share of it",
  },
  enrichmentProviderUrl: {
    ...HTTPS_ADDRESS,
    explanation: 'a service that is asked about each clean lead; needs enrichmentProviderSecretArn',
  },
  enrichmentProviderSecretArn: {
    ...SECRET_ARN,
    explanation: "the secret that holds that service's key, in the stack's region",
  },
  enrichmentProviderKeyArn: {
    ...KEY_ARN,
    explanation: 'the KMS key of that secret, if it is encrypted with a key of your own',
  },
  smallAccount: {
    ...YES_OR_NO,
    byDefault: 'false',
    explanation:
      'for an account in which Lambda runs only about 10 functions at a time: work after the `202` then takes turns, once a minute, in at most six of them; it excludes the concurrency settings',
  },
  enrichmentConcurrency: {
    ...CONCURRENCY,
    explanation: 'how many functions may enrich leads at the same time, ten leads each',
  },
  indexConcurrency: {
    ...CONCURRENCY,
    explanation:
      'how many functions may list leads and make them searchable at the same time, ten leads each',
  },
  mailFrom: {
    ...EMAIL_ADDRESS,
    explanation:
      'the sender of email to destinations; SES must have verified the address or its domain in the region. Without it there are no email destinations',
  },
  dispatchConcurrency: {
    ...CONCURRENCY,
    explanation:
      'how many functions may look up the destinations of lead events at the same time, ten events each',
  },
  sendingConcurrency: {
    ...CONCURRENCY,
    explanation: 'how many functions may send messages to destinations at the same time, ten messages each',
  },
  slowLaneConcurrency: {
    ...CONCURRENCY,
    explanation: 'the same for destinations that respond slowly, which have functions of their own',
  },
  eventBus: {
    ...YES_OR_NO,
    byDefault: 'false',
    explanation:
      'whether lead events, without personal data, are also put on an EventBridge bus of the stack',
  },
  ownerThreatProtection: {
    ...YES_OR_NO,
    byDefault: 'false',
    explanation: "Cognito's threat protection for owners, which needs the PLUS plan, billed per user",
  },
  deployDespiteAlarms: {
    ...YES_OR_NO,
    byDefault: 'false',
    explanation:
      'deploy to prod although an alarm is on that would roll back new code, in order to fix its cause',
  },
  manageApiGatewayAccount: {
    ...YES_OR_NO,
    byDefault: 'true',
    explanation:
      'whether to set the CloudWatch role that all REST APIs of the account and region share; false if something else manages it',
  },
  tags: {
    ...TAGS,
    explanation: 'more tags for everything that takes tags, besides service and stage',
  },
} as const satisfies Readonly<Record<string, ContextKey<unknown>>>;

/** What is read. In context, both domains are in one zone; as properties, each has its own. */
export const INPUTS = {
  ...SETTINGS_SCHEMA,
  consoleHostedZoneId: SETTINGS_SCHEMA.hostedZoneId,
  consoleHostedZoneName: SETTINGS_SCHEMA.hostedZoneName,
} as Readonly<Record<InputKey, ContextKey<unknown>>>;

type Schemas = typeof SETTINGS_SCHEMA &
  Readonly<Record<'consoleHostedZoneId' | 'consoleHostedZoneName', ContextKey<string>>>;

export type InputKey = keyof Schemas;

/** The value of each input, or its default; undefined if there is neither. */
export type GivenInputs = {
  readonly [Key in InputKey]: Schemas[Key] extends { byDefault: string }
    ? NonNullable<ReadAs<Key>>
    : ReadAs<Key>;
};

type ReadAs<Key extends InputKey> = ReturnType<Schemas[Key]['read']>;
