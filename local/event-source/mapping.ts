import { StartupError } from '../lifecycle.ts';
import { LOCAL_CREDENTIALS, type RoleAccess, type RoleEndpoints } from '../local-account.ts';
import type { Resource, TemplateReader } from '../template.ts';
import type { InvokingRule } from './event-rules.ts';

/** The patterns of an event source mapping, as in the template. */
export interface FilterCriteria {
  readonly Filters?: readonly { readonly Pattern?: string }[];
}

/** Whether a value matches a pattern. `undefined` means a missing key. */
export type Matches = (value: unknown) => boolean;

/**
 * Decides whether a record reaches the function: when one of the patterns matches it, or when there are no patterns.
 * Supports the part of Lambda's patterns that the stack uses (values and `exists`) and rejects the rest.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html
 */
export function compileFilter(criteria: FilterCriteria | undefined, mapping: string): Matches {
  const patterns = (criteria?.Filters ?? []).map(({ Pattern }) => {
    try {
      return compilePattern(JSON.parse(Pattern ?? ''), []);
    } catch (error) {
      throw new StartupError(`The filter of ${mapping} is not supported: ${(error as Error).message}.`);
    }
  });
  return patterns.length === 0 ? () => true : (record) => patterns.some((matches) => matches(record));
}

/** All keys of an object must match; one value of a list must. */
function compilePattern(pattern: unknown, path: readonly string[]): Matches {
  if (Array.isArray(pattern)) return compileLeaf(pattern, where(path));
  if (!isObject(pattern)) throw new Error(`${where(path)} must be an object or a list`);
  const parts = Object.entries(pattern).map(([key, inner]): Matches => {
    if (key.startsWith('$')) throw new Error(`${where(path)} uses ${key}`);
    const matches = compilePattern(inner, [...path, key]);
    return (value) => matches(isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined);
  });
  if (parts.length === 0) throw new Error(`${where(path)} is empty`);
  const matchesObject: Matches = (value) => parts.every((matches) => matches(value));
  return (value) => (Array.isArray(value) ? value.some(matchesObject) : matchesObject(value));
}

function compileLeaf(choices: readonly unknown[], path: string): Matches {
  if (choices.length === 0) throw new Error(`${path} is an empty list`);
  const tests = choices.map((choice): Matches => {
    if (Array.isArray(choice)) throw new Error(`${path} contains a nested list`);
    return isObject(choice) ? compileExists(choice, path) : (value) => value === choice;
  });
  const matchesLeaf: Matches = (value) => tests.some((matches) => matches(value));
  return (value) =>
    Array.isArray(value) && value.length > 0 ? value.some(matchesLeaf) : matchesLeaf(leafOf(value));
}

function compileExists(rule: Readonly<Record<string, unknown>>, path: string): Matches {
  const { exists: wanted, ...others } = rule;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`${path} uses the operator ${other}`);
  if (typeof wanted !== 'boolean') throw new Error(`${path} needs "exists": true or false`);
  return (value) => (value !== undefined) === wanted;
}

/** Patterns apply to leaves only: an object counts as a missing value. */
function leafOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? undefined : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function where(path: readonly string[]): string {
  return path.length === 0 ? 'the pattern' : path.join('.');
}

/** How functions, and the event sources that act for them, reach the engines. */
export interface Access extends RoleAccess {
  /** What Lambda checks when a mapping is created. Throws if the function's role lacks a permission. */
  checkMapping(mapping: Mapping): void;
  /** Throws unless the function lets EventBridge invoke it. */
  checkRule(rule: InvokingRule): void;
}

/** Direct access, without permissions. */
export function openAccess({ dynamoDb, sqs, ses, eventBridge, cognito, lambda }: RoleEndpoints): Access {
  return {
    dynamoDb,
    sqs,
    ses,
    eventBridge,
    cognito,
    lambda,
    credentialsOf: () => LOCAL_CREDENTIALS,
    checkMapping: () => undefined,
    checkRule: () => undefined,
  };
}

interface CommonMapping {
  readonly logicalId: string;
  readonly functionArn: string;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly matches: Matches;
  /** Whether the function reports failed items of a batch. */
  readonly reportsItemFailures: boolean;
}

/**
 * A table's stream. Ignored: the parallelization factor (one batch per shard at a time), the on-failure destination
 * (discarded records are only printed), the maximum record age, and the final invocation of a tumbling window.
 */
export interface StreamMapping extends CommonMapping {
  readonly kind: 'stream';
  readonly streamArn: string;
  readonly startingPosition: 'TRIM_HORIZON' | 'LATEST';
  readonly bisects: boolean;
  /** With a tumbling window, events name their shard and the function must return a state. */
  readonly tumblingWindowSeconds: number;
  /** Infinity by default. */
  readonly maximumRetries: number;
}

export interface QueueMapping extends CommonMapping {
  readonly kind: 'queue';
  readonly queueArn: string;
  readonly queueUrl: string;
  readonly maximumConcurrency: number;
}

export type Mapping = StreamMapping | QueueMapping;

/** Lambda goes far beyond this; one machine does not need to. */
const CONCURRENCY_LIMIT = 5;

/** The enabled event source mappings of the template. */
export function readMappings(reader: TemplateReader): Mapping[] {
  return reader
    .resources('AWS::Lambda::EventSourceMapping')
    .filter((resource) => resource.property('Enabled') !== false)
    .map((resource) => readMapping(resource, reader));
}

function readMapping(resource: Resource, reader: TemplateReader): Mapping {
  const { logicalId } = resource;
  const sourceArn = resource.property<string>('EventSourceArn') ?? '';
  const common = {
    logicalId,
    functionArn: functionArn(resource.required('FunctionName'), reader),
    batchingWindowSeconds: resource.property<number>('MaximumBatchingWindowInSeconds') ?? 0,
    matches: compileFilter(resource.property('FilterCriteria'), logicalId),
    reportsItemFailures: (resource.property<string[]>('FunctionResponseTypes') ?? []).includes(
      'ReportBatchItemFailures',
    ),
  };
  if (/^arn:aws:dynamodb:.*\/stream\//.test(sourceArn)) {
    return { ...common, ...readStreamProperties(resource), streamArn: sourceArn };
  }
  const queue = reader
    .resources('AWS::SQS::Queue')
    .find((candidate) => reader.arn(candidate.logicalId) === sourceArn);
  if (queue === undefined) {
    throw new StartupError(`${logicalId} reads neither from a table's stream nor from a queue of the stack.`);
  }
  return {
    ...common,
    kind: 'queue',
    queueArn: sourceArn,
    queueUrl: reader.ref(queue.logicalId),
    batchSize: resource.property('BatchSize') ?? 10,
    maximumConcurrency: Math.min(
      resource.property<{ MaximumConcurrency?: number }>('ScalingConfig')?.MaximumConcurrency ??
        CONCURRENCY_LIMIT,
      CONCURRENCY_LIMIT,
    ),
  };
}

function readStreamProperties(resource: Resource) {
  const { logicalId } = resource;
  const startingPosition = resource.required<string>('StartingPosition');
  if (startingPosition !== 'TRIM_HORIZON' && startingPosition !== 'LATEST') {
    throw new StartupError(
      `${logicalId} starts at ${startingPosition}, which DynamoDB streams don't support.`,
    );
  }
  const maximumRetries = resource.property<number>('MaximumRetryAttempts') ?? -1;
  return {
    kind: 'stream',
    startingPosition,
    batchSize: resource.property<number>('BatchSize') ?? 100,
    tumblingWindowSeconds: resource.property<number>('TumblingWindowInSeconds') ?? 0,
    bisects: resource.property<boolean>('BisectBatchOnFunctionError') ?? false,
    maximumRetries: maximumRetries < 0 ? Number.POSITIVE_INFINITY : maximumRetries,
  } as const;
}

/** A mapping refers to its function by name or ARN. */
function functionArn(name: string, reader: TemplateReader): string {
  if (name.startsWith('arn:')) return name;
  const fn = reader
    .resources('AWS::Lambda::Function')
    .find(({ logicalId }) => reader.ref(logicalId) === name);
  if (fn === undefined) throw new StartupError(`The stack has no function ${name}.`);
  return reader.arn(fn.logicalId);
}
