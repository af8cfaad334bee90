import type { StackProps } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { StageName } from './stage.ts';

/** The properties of CDK's own stack that this one takes. The others follow from the stage. */
export const STACK_PROPERTIES = [
  'env',
  'stackName',
  'synthesizer',
  'permissionsBoundary',
  'crossRegionReferences',
  'notificationArns',
] as const satisfies readonly (keyof StackProps)[];

/** A custom domain, in place of the one that AWS generates. */
export interface DomainProps {
  /** In lower case, without a dot at its end. */
  readonly name: string;
  /** The certificate in ACM: for `domain` in the stack's region, for `consoleDomain` in us-east-1. */
  readonly certificateArn: string;
  /**
   * The zone in Route 53 in which its DNS record is created.
   *
   * @default none: you create the record yourself, for the target that an output of the stack names
   */
  readonly hostedZone?: HostedZoneProps | undefined;
}

/** A hosted zone in Route 53. */
export interface HostedZoneProps {
  /** Begins with Z. */
  readonly id: string;
  /** The domain of the zone. */
  readonly name: string;
}

/** An HTTP service that enrichment asks about each clean lead: docs/enrichment.md. */
export interface EnrichmentProviderProps {
  /** The https:// address of the service. */
  readonly url: string;
  /** The complete ARN of the secret in Secrets Manager that holds the service's key, in the stack's region. */
  readonly secretArn: string;
  /**
   * The KMS key of that secret, if it is encrypted with a key of your own.
   *
   * @default the key that AWS manages for Secrets Manager
   */
  readonly keyArn?: string | undefined;
}

/** The settings of the service. Only the stage is required. docs/deploy.md explains them, by the names they have in context. */
export interface LeadIngestStackProps extends Pick<StackProps, (typeof STACK_PROPERTIES)[number]> {
  /**
   * Prod keeps data, protects tables and owners from deletion, and the stack from termination. An account has room for
   * one stack per stage in each region: alarms, topic and dashboard are named after the stage.
   */
  readonly stage: StageName;
  /**
   * Your custom domain for the ingest endpoints.
   *
   * @default none: the address that API Gateway generates
   */
  readonly domain?: DomainProps | undefined;
  /**
   * Your custom domain for the owners' console.
   *
   * @default none: the address that CloudFront generates
   */
  readonly consoleDomain?: DomainProps | undefined;
  /**
   * The HTTP service that enrichment asks about each clean lead.
   *
   * @default none: enrichment asks only DNS
   */
  readonly enrichmentProvider?: EnrichmentProviderProps | undefined;
  /**
   * Gets an email when an alarm goes off; AWS asks that address to confirm.
   *
   * @default none
   */
  readonly alarmEmail?: string | undefined;
  /**
   * Whether there are alarms, which have a monthly cost; always true in prod, where they roll back new code.
   *
   * @default true
   */
  readonly alarms?: boolean | undefined;
  /**
   * Whether there is a dashboard in CloudWatch; has a monthly cost.
   *
   * @default false in dev, true in prod
   */
  readonly dashboard?: boolean | undefined;
  /**
   * Whether there is an owners' console; without it the stack needs no CloudFront, which AWS refuses to new
   * accounts.
   *
   * @default true
   */
  readonly console?: boolean | undefined;
  /**
   * A web ACL that limits what one address can fetch from the owners' console; created in us-east-1, elsewhere
   * it needs consoleWebAclArn; has a monthly cost.
   *
   * @default false in dev, true in prod
   */
  readonly consoleFirewall?: boolean | undefined;
  /**
   * How many requests per minute one address may send to the console, for all owners behind it together.
   *
   * @default 3000
   */
  readonly consoleRequestsPerMinuteByAddress?: number | undefined;
  /**
   * Your own web ACL for the console, instead of the stack's.
   *
   * @default none
   */
  readonly consoleWebAclArn?: string | undefined;
  /**
   * A web ACL that answers floods, and bodies too large for API Gateway, like every other rejection; has a
   * monthly cost.
   *
   * @default false in dev, true in prod
   */
  readonly ingestFirewall?: boolean | undefined;
  /**
   * How many requests per minute one address may send to the ingest endpoints; raise it if a relay sends for
   * more than ten busy workspaces.
   *
   * @default 10000
   */
  readonly requestsPerMinuteByAddress?: number | undefined;
  /**
   * How many requests per minute one address may send to one form's webhook URL, or to any other path except
   * that of server tokens.
   *
   * @default 5000
   */
  readonly requestsPerMinuteByAddressAndPath?: number | undefined;
  /**
   * How much of API Gateway's quota this stack may use; each method is throttled at a fixed share of it.
   *
   * @default 10000
   */
  readonly apiRequestsPerSecond?: number | undefined;
  /**
   * For an account in which Lambda runs only about 10 functions at a time: work after the `202` then takes
   * turns, once a minute, in at most six of them; it excludes the concurrency settings.
   *
   * @default false
   */
  readonly smallAccount?: boolean | undefined;
  /**
   * How many functions may enrich leads at the same time, ten leads each.
   *
   * @default 2
   */
  readonly enrichmentConcurrency?: number | undefined;
  /**
   * How many functions may list leads and make them searchable at the same time, ten leads each.
   *
   * @default 2
   */
  readonly indexConcurrency?: number | undefined;
  /**
   * The sender of email to destinations; SES must have verified the address or its domain in the region. Without it
   * there are no email destinations.
   *
   * @default none
   */
  readonly mailFrom?: string | undefined;
  /**
   * How many functions may look up the destinations of lead events at the same time, ten events each.
   *
   * @default 2
   */
  readonly dispatchConcurrency?: number | undefined;
  /**
   * How many functions may send messages to destinations at the same time, ten messages each.
   *
   * @default 2
   */
  readonly sendingConcurrency?: number | undefined;
  /**
   * The same for destinations that respond slowly, which have functions of their own.
   *
   * @default 2
   */
  readonly slowLaneConcurrency?: number | undefined;
  /**
   * Whether lead events, without personal data, are also put on an EventBridge bus of the stack.
   *
   * @default false
   */
  readonly eventBus?: boolean | undefined;
  /**
   * Cognito's threat protection for owners, which needs the PLUS plan, billed per user.
   *
   * @default false
   */
  readonly ownerThreatProtection?: boolean | undefined;
  /**
   * Deploy to prod although an alarm is on that would roll back new code, in order to fix its cause.
   *
   * @default false
   */
  readonly deployDespiteAlarms?: boolean | undefined;
  /**
   * Whether to set the CloudWatch role that all REST APIs of the account and region share; false if something
   * else manages it.
   *
   * @default true
   */
  readonly manageApiGatewayAccount?: boolean | undefined;
  /**
   * More tags for everything that takes tags, besides service and stage.
   *
   * @default none
   */
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** The queues between the functions. Messages that fail too often go to one of the two dead-letter queues. */
export interface LeadIngestQueues {
  /** Clean leads that wait to be enriched. */
  readonly enrichment: IQueue;
  readonly enrichmentDeadLetters: IQueue;
  /** Lead events that wait to be handed to destinations. */
  readonly dispatch: IQueue;
  /** Messages to destinations. */
  readonly sending: IQueue;
  /** Messages to destinations that respond slowly. */
  readonly slowSending: IQueue;
  /** Changed leads that wait to be listed and searchable. */
  readonly index: IQueue;
  /** Workspaces whose verdicts wait to be learned from. */
  readonly learning: IQueue;
  /** Of all queues but enrichment. */
  readonly sendingDeadLetters: IQueue;
}
