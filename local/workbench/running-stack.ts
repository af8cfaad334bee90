import { readFileSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableNames } from '../../lambdas/aws/dynamodb.ts';
import { OUTPUTS, TABLE_VARIABLES, type TableNoun } from '../../lambdas/contract.ts';
import { LOCAL_CREDENTIALS } from '../local-account.ts';

/** A local stack that is already running, known by its outputs file. */
export interface RunningStack {
  readonly outputsFile: string;
  readonly ingestUrl: string;
  readonly tables: TableNames;
  /** Any output of the stack by name. */
  readonly output: (name: string) => string;
  readonly newClient: (options?: ConstructorParameters<typeof DynamoDBClient>[0]) => DynamoDBClient;
}

export function readRunningStack(outputsFile: string): RunningStack {
  const [outputs] = Object.values(
    JSON.parse(readFileSync(outputsFile, 'utf8')) as Record<string, Record<string, string>>,
  );
  const output = (name: string): string => {
    const value = outputs?.[name];
    if (value === undefined) throw new Error(`The outputs file has no ${name}`);
    return value;
  };
  const nouns = Object.keys(TABLE_VARIABLES) as TableNoun[];
  return {
    outputsFile,
    ingestUrl: output(OUTPUTS.ingestUrl),
    output,
    tables: Object.fromEntries(nouns.map((noun) => [noun, output(OUTPUTS.tables[noun])])) as TableNames,
    newClient: (options = {}) =>
      new DynamoDBClient({
        endpoint: output(OUTPUTS.localDynamoDbEndpoint),
        region: output(OUTPUTS.region),
        credentials: LOCAL_CREDENTIALS,
        ...options,
      }),
  };
}
