import { readFileSync } from 'node:fs';
import type { TableNames } from '../../lambdas/aws/dynamodb.ts';
import { OUTPUTS, type TableKey } from '../../lambdas/contract.ts';
import { fileProblem, UsageFailure } from './failure.ts';

/** The outputs of a stack that this program uses. */
export interface StackOutputs {
  readonly stackName: string;
  readonly region: string;
  /** Stacks from before the first release have none. */
  readonly version: string | undefined;
  /** `{base_url}` of both endpoints, without a trailing slash. */
  readonly ingestUrl: string;
  /** Of surface 1c, without a trailing slash. Stacks of earlier versions have none. */
  readonly sourcesUrl: string | undefined;
  readonly tables: TableNames;
  readonly enrichmentQueueUrl: string;
  readonly deadLetterQueueUrl: string;
  /** Messages to destinations. */
  readonly sendingQueueUrl: string;
  readonly sendingDeadLetterQueueUrl: string;
  /** Leads to be brought up to date in the search index. */
  readonly indexQueueUrl: string;
  /** Where owners sign in. Stacks of earlier versions have none. */
  readonly userPoolId: string | undefined;
  readonly userPoolClientId: string | undefined;
  /** The settings API, without a trailing slash. */
  readonly settingsUrl: string | undefined;
  readonly consoleUrl: string | undefined;
  /** The sender of mail; without it there are no email destinations. */
  readonly mailFrom: string | undefined;
  readonly mailConfigurationSet: string | undefined;
  /** Only a stack on this machine has these. */
  readonly localDynamoDbEndpoint: string | undefined;
  readonly localSqsEndpoint: string | undefined;
  readonly localCognitoEndpoint: string | undefined;
  readonly localEventBridgeEndpoint: string | undefined;
  readonly localMailFolder: string | undefined;
}

/** With the Region: two Regions can have stacks of the same name. */
export function placeOf({ stackName, region, localDynamoDbEndpoint }: StackOutputs): string {
  return localDynamoDbEndpoint
    ? `stack ${stackName} on this machine (${localDynamoDbEndpoint})`
    : `stack ${stackName} in ${region}`;
}

type Outputs = Readonly<Record<string, unknown>>;

const HOW_TO_GET_ONE = '`cdk deploy --outputs-file FILE` and `npm start` write one.';

/** Reads the format of `cdk deploy --outputs-file`: outputs by name, by stack. */
export function readStackOutputs(file: string, wantedStack?: string): StackOutputs {
  const [stackName, outputs] = chooseStack(file, readStacks(file), wantedStack);
  const missing: string[] = [];
  const required = (name: string): string => {
    const value = outputs[name];
    if (typeof value === 'string' && value !== '') return value;
    missing.push(name);
    return '';
  };
  const read: StackOutputs = {
    stackName,
    region: required(OUTPUTS.region),
    version: optional(outputs, OUTPUTS.version),
    ingestUrl: required(OUTPUTS.ingestUrl).replace(/\/+$/, ''),
    sourcesUrl: optional(outputs, OUTPUTS.sourcesUrl)?.replace(/\/+$/, ''),
    tables: Object.fromEntries(
      Object.entries(OUTPUTS.tables).map(([tableKey, output]) => [tableKey as TableKey, required(output)]),
    ) as TableNames,
    enrichmentQueueUrl: required(OUTPUTS.queues.enrichment),
    deadLetterQueueUrl: required(OUTPUTS.queues.enrichmentDeadLetters),
    sendingQueueUrl: required(OUTPUTS.queues.sending),
    sendingDeadLetterQueueUrl: required(OUTPUTS.queues.sendingDeadLetters),
    indexQueueUrl: required(OUTPUTS.queues.index),
    userPoolId: optional(outputs, OUTPUTS.userPoolId),
    userPoolClientId: optional(outputs, OUTPUTS.userPoolClientId),
    settingsUrl: optional(outputs, OUTPUTS.settingsUrl)?.replace(/\/+$/, ''),
    consoleUrl: optional(outputs, OUTPUTS.consoleUrl),
    mailFrom: optional(outputs, OUTPUTS.mailFrom),
    mailConfigurationSet: optional(outputs, OUTPUTS.mailConfigurationSet),
    localDynamoDbEndpoint: localEndpoint(file, outputs, OUTPUTS.localDynamoDbEndpoint),
    localSqsEndpoint: localEndpoint(file, outputs, OUTPUTS.localSqsEndpoint),
    localCognitoEndpoint: localEndpoint(file, outputs, OUTPUTS.localCognitoEndpoint),
    localEventBridgeEndpoint: localEndpoint(file, outputs, OUTPUTS.localEventBridgeEndpoint),
    localMailFolder: optional(outputs, OUTPUTS.localMailFolder),
  };
  if (missing.length > 0) {
    throw new UsageFailure(
      `Stack ${stackName} in ${file} has no ${missing.join(', ')}. It is another kind of stack, or another version deployed it. Deploy or start this version, which writes the file again.`,
    );
  }
  return read;
}

function optional(outputs: Outputs, name: string): string | undefined {
  const value = outputs[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function localEndpoint(file: string, outputs: Outputs, name: string): string | undefined {
  const endpoint = outputs[name];
  if (endpoint === undefined) return undefined;
  // Never fall back to the operator's AWS account: the file is of a stack on this machine.
  if (typeof endpoint === 'string' && /^https?:\/\//.test(endpoint) && URL.canParse(endpoint))
    return endpoint;
  throw new UsageFailure(`${name} in ${file} is not a URL. Start the local stack again to rewrite the file.`);
}

function chooseStack(
  file: string,
  stacks: ReadonlyMap<string, Outputs>,
  wanted: string | undefined,
): [string, Outputs] {
  const names = [...stacks.keys()];
  const name = wanted ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined) {
    throw new UsageFailure(`${file} has several stacks. Choose one with --stack: ${names.join(', ')}.`);
  }
  const outputs = stacks.get(name);
  if (!outputs) throw new UsageFailure(`${file} has no stack ${name}. It has: ${names.join(', ')}.`);
  return [name, outputs];
}

function readStacks(file: string): ReadonlyMap<string, Outputs> {
  const stacks = parse(file, readText(file));
  if (!isRecord(stacks) || !Object.values(stacks).every(isRecord) || Object.keys(stacks).length === 0) {
    throw new UsageFailure(`${file} is not an outputs file. ${HOW_TO_GET_ONE}`);
  }
  return new Map(Object.entries(stacks as Record<string, Outputs>));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageFailure(`Cannot read the outputs file ${file}: ${fileProblem(error)}. ${HOW_TO_GET_ONE}`);
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not the parser's message: it quotes the text, and the file may be a key.
    throw new UsageFailure(`${file} is not an outputs file: it is not JSON. Check the path.`);
  }
}

function isRecord(value: unknown): value is Outputs {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where a backend sends leads with a server token. */
export function serverUrl({ ingestUrl }: StackOutputs): string {
  return `${ingestUrl}/api/v1/ingest`;
}

/** Where a webhook provider sends leads to a form, signed. */
export function webhookUrl({ ingestUrl }: StackOutputs, slug: string): string {
  return `${ingestUrl}/api/v1/ingest/${encodeURIComponent(slug)}`;
}

/** Where a provider sends leads to a form in its own way, or without a slug, a tool with a server token. */
export function sourceUrl({ sourcesUrl }: StackOutputs, slug?: string): string {
  if (sourcesUrl === undefined) {
    throw new UsageFailure(
      'The stack has no surface 1c. Deploy or start this version, which writes the outputs file again.',
    );
  }
  return `${sourcesUrl}/sources/v1${slug === undefined ? '' : `/${encodeURIComponent(slug)}`}`;
}
