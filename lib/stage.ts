import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';

export type StageName = 'dev' | 'prod';

/** What differs between the stages. Everything else is the same in both, so that dev rehearses prod. */
export interface Stage {
  readonly name: StageName;
  /** Keep what holds data when it leaves the stack, and refuse to delete it. */
  readonly keepsData: boolean;
  readonly removalPolicy: RemovalPolicy;
  readonly logRetention: RetentionDays;
  /** How long a deleted key can be called back. */
  readonly keyPendingWindow: Duration;
  /** Whether there is a web ACL unless context says otherwise. It costs by the month, used or not. */
  readonly hasFirewall: boolean;
}

const STAGES: Readonly<Record<StageName, Stage>> = {
  dev: {
    name: 'dev',
    keepsData: false,
    removalPolicy: RemovalPolicy.DESTROY,
    logRetention: RetentionDays.ONE_WEEK,
    keyPendingWindow: Duration.days(7),
    hasFirewall: false,
  },
  prod: {
    name: 'prod',
    keepsData: true,
    removalPolicy: RemovalPolicy.RETAIN,
    logRetention: RetentionDays.THREE_MONTHS,
    keyPendingWindow: Duration.days(30),
    hasFirewall: true,
  },
};

/** The settings that come from context: `cdk synth -c stage=prod -c manageApiGatewayAccount=false`. */
export interface Settings {
  readonly stage: Stage;
  /** Whether this stack sets the CloudWatch role that all REST APIs of one account and region share. */
  readonly manageApiGatewayAccount: boolean;
  readonly enrichmentProvider: EnrichmentProvider | undefined;
  /** Cognito's threat protection for owners, with the PLUS plan that it needs. */
  readonly ownerThreatProtection: boolean;
  /** The web ACL before the ingest endpoints. */
  readonly ingestFirewall: boolean;
}

/** A service over HTTP that enrichment asks about each clean lead. Off unless both are given. */
export interface EnrichmentProvider {
  readonly url: string;
  /** The secret in Secrets Manager that holds the provider's key. */
  readonly secretArn: string;
}

const YES_OR_NO = { true: true, false: false };

/** A context value that is not allowed. Its message is meant for the person who typed it. */
export class ContextError extends Error {
  override readonly name = 'ContextError';
}

export function readSettings(node: Node): Settings {
  const stage = oneOf(node, 'stage', STAGES, 'dev');
  return {
    stage,
    manageApiGatewayAccount: oneOf(node, 'manageApiGatewayAccount', YES_OR_NO, 'true'),
    enrichmentProvider: readProvider(node),
    ownerThreatProtection: oneOf(node, 'ownerThreatProtection', YES_OR_NO, 'false'),
    ingestFirewall: oneOf(node, 'ingestFirewall', YES_OR_NO, String(stage.hasFirewall)),
  };
}

function readProvider(node: Node): EnrichmentProvider | undefined {
  const url = matching(node, 'enrichmentProviderUrl', /^https:\/\/[^\s/]+/, 'an https:// address');
  const secretArn = matching(
    node,
    'enrichmentProviderSecretArn',
    /^arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:.+$/,
    'the ARN of a secret in Secrets Manager',
  );
  if (url !== undefined && secretArn !== undefined) return { url, secretArn };
  if (url === undefined && secretArn === undefined) return undefined;
  throw new ContextError('Context "enrichmentProviderUrl" and "enrichmentProviderSecretArn" go together.');
}

function matching(node: Node, key: string, pattern: RegExp, what: string): string | undefined {
  const given: unknown = node.tryGetContext(key);
  if (given === undefined || (typeof given === 'string' && pattern.test(given))) return given;
  throw new ContextError(`Context "${key}" must be ${what}, but is ${JSON.stringify(given)}.`);
}

/** Values typed after `-c` arrive as text, those of cdk.json as JSON: both are read alike. */
function oneOf<Value>(
  node: Node,
  key: string,
  allowed: Readonly<Record<string, Value>>,
  byDefault: string,
): Value {
  const given: unknown = node.tryGetContext(key) ?? byDefault;
  const value = Object.hasOwn(allowed, String(given)) ? allowed[String(given)] : undefined;
  if (value === undefined) {
    const choices = Object.keys(allowed).join(' or ');
    throw new ContextError(`Context "${key}" must be ${choices}, but is ${JSON.stringify(given)}.`);
  }
  return value;
}
