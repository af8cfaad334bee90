import { writeFile } from 'node:fs/promises';
import { OUTPUTS } from '../lambdas/contract.ts';
import type { Endpoints } from './access.ts';
import { type Addresses, toLocal } from './addresses.ts';

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
