import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type TableNames, toDocumentClient } from '../../lambdas/aws/dynamodb.ts';
import { type Administration, makeAdministration } from '../../lambdas/workspaces/administration.ts';
import { readStackOutputs, type StackOutputs } from './stack-outputs.ts';

export interface OpenStack {
  readonly administration: Administration;
  readonly outputs: StackOutputs;
  /** The caller destroys both clients when done. */
  readonly client: DynamoDBDocumentClient;
  readonly queueClient: SQSClient;
  readonly tables: TableNames;
}

/** The local engines require a signature but do not check it. They must not get the operator's own keys. */
export const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' };

/** An unreachable address must become an error message while the operator waits. */
export const PATIENCE = { connectionTimeout: 5_000, requestTimeout: 15_000, throwOnRequestTimeout: true };

/** Opens the stack of the outputs file: on this machine, or on AWS with the operator's credentials. */
export function openStack(outputsFile: string, stackName?: string): OpenStack {
  const outputs = readStackOutputs(outputsFile, stackName);
  const { region, tables, localDynamoDbEndpoint: endpoint } = outputs;
  const local = endpoint === undefined ? {} : { endpoint, credentials: LOCAL_CREDENTIALS };
  const client = toDocumentClient(new DynamoDBClient({ region, requestHandler: PATIENCE, ...local }));
  const localQueues =
    outputs.localSqsEndpoint === undefined
      ? {}
      : { endpoint: outputs.localSqsEndpoint, credentials: LOCAL_CREDENTIALS };
  return {
    administration: makeAdministration({ client, tables, now: Date.now, randomBytes }),
    outputs,
    client,
    queueClient: new SQSClient({ region, requestHandler: PATIENCE, ...localQueues }),
    tables,
  };
}
