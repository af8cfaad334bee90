import { writeFile } from 'node:fs/promises';
import { OUTPUTS } from '../lambdas/contract.ts';

/** The pretend account that the local stack is "deployed" to. */
export const LOCAL_REGION = 'us-east-1';
export const LOCAL_ACCOUNT = '000000000000';

/** DynamoDB Local requires a signature but does not check it. */
export const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' } as const;

/** The addresses of the local engines. */
export interface Endpoints {
  readonly dynamoDb: string;
  readonly sqs: string;
  readonly ses: string;
  readonly eventBridge: string;
  readonly cognito: string;
  readonly lambda: string;
  /** `127.0.0.1:53` */
  readonly dns: string;
}

/** What functions call with the permissions of their roles. */
export type RoleEndpoints = Omit<Endpoints, 'dns'>;

/** How a function reaches the engines, with the permissions of its role. */
export interface RoleAccess extends RoleEndpoints {
  credentialsOf(functionArn: string): Credentials;
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Addresses on AWS, mapped to their local replacements. */
export type Addresses = ReadonlyMap<string, string>;

/** Knows pseudo parameters such as `AWS::Region`; a template does. */
interface PseudoParameters {
  reference(name: string): unknown;
}

/** The address of an API on AWS. Without a stage, that of the stage `$default`. */
export function addressOnAws(reader: PseudoParameters, apiId: string, stage?: string): string {
  const host = `${apiId}.execute-api.${reader.reference('AWS::Region')}.${reader.reference('AWS::URLSuffix')}`;
  return `https://${host}${stage === undefined ? '' : `/${stage}`}`;
}

/** Cognito's address on AWS. */
export function cognitoOnAws(reader: PseudoParameters): string {
  return `https://cognito-idp.${reader.reference('AWS::Region')}.${reader.reference('AWS::URLSuffix')}`;
}

export function toLocal(value: string, addresses: Addresses): string {
  for (const [onAws, here] of addresses) if (value.startsWith(onAws)) return here + value.slice(onAws.length);
  return value;
}

export interface OutputsFile {
  readonly file: string;
  readonly stackName: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly addresses: Addresses;
  readonly mailFolder: string;
  readonly endpoints: Pick<Endpoints, 'dynamoDb' | 'sqs' | 'cognito' | 'eventBridge'>;
}

/** Writes what `cdk deploy --outputs-file` would write, with local addresses. */
export async function writeOutputsFile(settings: OutputsFile): Promise<void> {
  const outputs = Object.entries(settings.outputs).map(([name, value]) => [
    name,
    toLocal(value, settings.addresses),
  ]);
  const local = {
    ...Object.fromEntries(outputs),
    [OUTPUTS.localDynamoDbEndpoint]: settings.endpoints.dynamoDb,
    [OUTPUTS.localSqsEndpoint]: settings.endpoints.sqs,
    [OUTPUTS.localEventBridgeEndpoint]: settings.endpoints.eventBridge,
    [OUTPUTS.localCognitoEndpoint]: settings.endpoints.cognito,
    [OUTPUTS.localMailFolder]: settings.mailFolder,
  };
  await writeFile(settings.file, `${JSON.stringify({ [settings.stackName]: local }, null, 2)}\n`);
}
