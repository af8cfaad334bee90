import { writeFile } from 'node:fs/promises';
import { OUTPUTS } from '../lambdas/contract.ts';
import type { Endpoints } from './local-account.ts';
import type { TemplateReader } from './template.ts';

/** Addresses on AWS, and those on this machine that stand for them. */
export type Addresses = ReadonlyMap<string, string>;

/** The address of an API on AWS; without a stage, that of its stage `$default`. */
export function addressOnAws(reader: TemplateReader, apiId: string, stage?: string): string {
  const host = `${apiId}.execute-api.${reader.reference('AWS::Region')}.${reader.reference('AWS::URLSuffix')}`;
  return `https://${host}${stage === undefined ? '' : `/${stage}`}`;
}

/** Where the pools of the region are on AWS. */
export function cognitoOnAws(reader: TemplateReader): string {
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
  readonly endpoints: Pick<Endpoints, 'dynamoDb' | 'sqs' | 'cognito'>;
}

/** Writes what `cdk deploy --outputs-file` would have written, had the stack been deployed to this machine. */
export async function writeOutputsFile(settings: OutputsFile): Promise<void> {
  const outputs = Object.entries(settings.outputs).map(([name, value]) => [
    name,
    toLocal(value, settings.addresses),
  ]);
  const local = {
    ...Object.fromEntries(outputs),
    [OUTPUTS.localDynamoDbEndpoint]: settings.endpoints.dynamoDb,
    [OUTPUTS.localSqsEndpoint]: settings.endpoints.sqs,
    [OUTPUTS.localCognitoEndpoint]: settings.endpoints.cognito,
  };
  await writeFile(settings.file, `${JSON.stringify({ [settings.stackName]: local }, null, 2)}\n`);
}
