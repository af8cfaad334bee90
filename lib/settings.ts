import type { ConcurrencySettings } from './context/concurrency.ts';
import type { TagValues } from './context/kinds.ts';
import type { Stage } from './stage.ts';

/** The deployer's settings, from context or from the properties of the stack: see context/schema.ts. */
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
