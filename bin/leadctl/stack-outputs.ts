import { readFileSync } from 'node:fs';
import type { TableNames } from '../../lambdas/aws/tables.ts';
import { OUTPUTS, type TableNoun } from '../../lambdas/contract.ts';
import { UsageFailure } from './failure.ts';

/** What a stack says about itself, as far as this program needs it. */
export interface StackOutputs {
  readonly stackName: string;
  readonly region: string;
  /** `{base_url}` of both endpoints, without a trailing slash. */
  readonly ingestUrl: string;
  readonly tables: TableNames;
  readonly enrichmentQueueUrl: string;
  readonly deadLetterQueueUrl: string;
  /** Where owners sign in. A stack of an earlier version has none. */
  readonly userPoolId: string | undefined;
  readonly userPoolClientId: string | undefined;
  /** Of the owner's API, without a trailing slash. */
  readonly settingsUrl: string | undefined;
  readonly consoleUrl: string | undefined;
  /** Only a stack on this machine has these. */
  readonly localDynamoDbEndpoint: string | undefined;
  readonly localSqsEndpoint: string | undefined;
  readonly localCognitoEndpoint: string | undefined;
}

/** Two stacks of one name in two Regions are two stacks. */
export function placeOf({ stackName, region, localDynamoDbEndpoint }: StackOutputs): string {
  return localDynamoDbEndpoint
    ? `stack ${stackName} on this machine (${localDynamoDbEndpoint})`
    : `stack ${stackName} in ${region}`;
}

type Outputs = Readonly<Record<string, unknown>>;

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
    ingestUrl: required(OUTPUTS.ingestUrl).replace(/\/+$/, ''),
    tables: Object.fromEntries(
      Object.entries(OUTPUTS.tables).map(([noun, output]) => [noun as TableNoun, required(output)]),
    ) as TableNames,
    enrichmentQueueUrl: required(OUTPUTS.queues.enrichment),
    deadLetterQueueUrl: required(OUTPUTS.queues.enrichmentDeadLetters),
    userPoolId: optional(outputs, OUTPUTS.userPoolId),
    userPoolClientId: optional(outputs, OUTPUTS.userPoolClientId),
    settingsUrl: optional(outputs, OUTPUTS.settingsUrl)?.replace(/\/+$/, ''),
    consoleUrl: optional(outputs, OUTPUTS.consoleUrl),
    localDynamoDbEndpoint: localEndpoint(file, outputs, OUTPUTS.localDynamoDbEndpoint),
    localSqsEndpoint: localEndpoint(file, outputs, OUTPUTS.localSqsEndpoint),
    localCognitoEndpoint: localEndpoint(file, outputs, OUTPUTS.localCognitoEndpoint),
  };
  if (missing.length > 0) {
    throw new UsageFailure(
      `Stack ${stackName} in ${file} lacks ${missing.join(', ')}: either it is another stack, or it was deployed by another version of this program. Deploy it again with --outputs-file.`,
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
  // Never the operator's AWS account instead: the file means a stack on this machine.
  if (typeof endpoint === 'string' && /^https?:\/\//.test(endpoint) && URL.canParse(endpoint))
    return endpoint;
  throw new UsageFailure(
    `The ${name} in ${file} is not an address: start the local stack again, it writes the file anew.`,
  );
}

function chooseStack(
  file: string,
  stacks: ReadonlyMap<string, Outputs>,
  wanted: string | undefined,
): [string, Outputs] {
  const names = [...stacks.keys()];
  const name = wanted ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined) {
    throw new UsageFailure(
      `${file} has the outputs of several stacks: choose one with --stack (${names.join(', ')}).`,
    );
  }
  const outputs = stacks.get(name);
  if (!outputs) throw new UsageFailure(`${file} has no stack ${name}. It has: ${names.join(', ')}.`);
  return [name, outputs];
}

function readStacks(file: string): ReadonlyMap<string, Outputs> {
  const stacks = parse(file, readText(file));
  if (!isRecord(stacks) || !Object.values(stacks).every(isRecord) || Object.keys(stacks).length === 0) {
    throw new UsageFailure(
      `${file} is not an outputs file: \`cdk deploy --outputs-file FILE\` writes one, and so does \`npm start\`.`,
    );
  }
  return new Map(Object.entries(stacks as Record<string, Outputs>));
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new UsageFailure(
      `The outputs file ${file} ${problem}: \`cdk deploy --outputs-file FILE\` writes one, and so does \`npm start\`.`,
    );
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, and the file may be anything, a key for instance.
    throw new UsageFailure(`${file} is not JSON, so it is no outputs file: is the path right?`);
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
