import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  BROWSER_VARIABLES,
  ENRICHMENT_VARIABLES,
  SENDING_VARIABLES,
  TABLE_VARIABLES,
} from '../lambdas/contract.ts';
import { type Addresses, type Endpoints, LOCAL_REGION, type RoleAccess, toLocal } from './local-account.ts';
import type { Assembly } from './synthesize.ts';
import type { Resource, TemplateReader } from './template.ts';

/** A function as the template describes it. */
export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  readonly codeFolder: string;
  /** `index.handler`: file without its ending, then the export. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly logFormat: 'JSON' | 'Text';
  readonly logGroup: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** What a function's environment variables say about this machine. */
export interface Surroundings {
  readonly endpoints: Endpoints;
  readonly addresses: Addresses;
  readonly access: RoleAccess;
  /** Whether owners may name this machine as a destination. */
  readonly allowLoopbackDestinations?: boolean;
}

/** A function's ARN without the suffix of a version or alias. */
export function unqualified(functionArn: string): string {
  return functionArn.split(':').slice(0, 7).join(':');
}

/** Where the code of functions is, by their logical ids, if it is not the assembly's. */
export type CodeFolders = ReadonlyMap<string, string>;

/** The template's function of this ARN, with or without the suffix of a version or alias. */
export function findFunction(
  arn: string,
  reader: TemplateReader,
  assembly: Assembly,
  codeFolders: CodeFolders = new Map(),
): FunctionDefinition {
  const resource = reader
    .resources('AWS::Lambda::Function')
    .find(({ logicalId }) => reader.arn(logicalId) === unqualified(arn));
  if (resource === undefined) throw new Error(`the template has no function ${arn}`);
  const { S3Key } = resource.required<{ S3Key: string }>('Code');
  return readFunction(resource, reader, codeFolders.get(resource.logicalId) ?? assembly.assetFolder(S3Key));
}

function readFunction(resource: Resource, reader: TemplateReader, codeFolder: string): FunctionDefinition {
  const name = reader.ref(resource.logicalId);
  const logging = resource.property<{ LogFormat?: 'JSON' | 'Text'; LogGroup?: string }>('LoggingConfig');
  const environment = resource.property<{ Variables?: Record<string, string> }>('Environment');
  return {
    name,
    arn: reader.arn(resource.logicalId),
    codeFolder,
    handler: resource.required('Handler'),
    // Lambda's own defaults.
    timeoutSeconds: resource.property('Timeout') ?? 3,
    memoryMegabytes: resource.property('MemorySize') ?? 128,
    logFormat: logging?.LogFormat ?? 'Text',
    logGroup: logging?.LogGroup ?? `/aws/lambda/${name}`,
    variables: environment?.Variables ?? {},
  };
}

/** Instead of Secrets Manager's. Tokens live for two minutes, so that new keys at each start do no harm. */
const BROWSER_KEYS = JSON.stringify({ current: randomBytes(32).toString('base64url') });

/** The variables that Lambda sets, and the addresses of the local engines. */
export function environmentVariables(
  definition: FunctionDefinition,
  { endpoints, addresses, access, allowLoopbackDestinations = false }: Surroundings,
): Record<string, string> {
  const { accessKeyId, secretAccessKey } = access.credentialsOf(definition.arn);
  // The SDK sends to the host that a queue's URL names.
  const known = new Map([...addresses, [endpoints.sqs, access.sqs]]);
  const given = Object.entries(definition.variables).map(([name, value]) => [name, toLocal(value, known)]);
  // The functions that save and use the addresses of destinations.
  const isAboutAddresses = TABLE_VARIABLES.destinationSecrets in definition.variables;
  return {
    // Set for every function, read by the one that looks up mail hosts.
    [ENRICHMENT_VARIABLES.dnsServers]: endpoints.dns,
    ...Object.fromEntries(given),
    ...(allowLoopbackDestinations && isAboutAddresses && { [SENDING_VARIABLES.allowLoopback]: 'true' }),
    ...(BROWSER_VARIABLES.keysSecretArn in definition.variables && {
      [BROWSER_VARIABLES.localKeys]: BROWSER_KEYS,
    }),
    _HANDLER: definition.handler,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_DEFAULT_REGION: LOCAL_REGION,
    AWS_REGION: LOCAL_REGION,
    AWS_ENDPOINT_URL_DYNAMODB: access.dynamoDb,
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: access.dynamoDb,
    AWS_ENDPOINT_URL_LAMBDA: access.lambda,
    AWS_ENDPOINT_URL_SQS: access.sqs,
    AWS_ENDPOINT_URL_SESV2: access.ses,
    AWS_ENDPOINT_URL_EVENTBRIDGE: access.eventBridge,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: access.cognito,
    // Lambda has no such files, and those of the current user must not be read.
    AWS_CONFIG_FILE: join(definition.codeFolder, 'no-config'),
    AWS_SHARED_CREDENTIALS_FILE: join(definition.codeFolder, 'no-credentials'),
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_FORMAT: definition.logFormat,
    AWS_LAMBDA_LOG_GROUP_NAME: definition.logGroup,
    LAMBDA_TASK_ROOT: definition.codeFolder,
    LANG: 'en_US.UTF-8',
    PATH: process.env.PATH ?? '',
  };
}
