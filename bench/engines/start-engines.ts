import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { openDataDirectory } from '../../local/data-directory.ts';
import { requireJava, startDynamoDbLocal } from '../../local/dynamodb-local.ts';
import type { Closers } from '../../local/lifecycle.ts';
import { LOCAL_CREDENTIALS, LOCAL_REGION, writeOutputsFile } from '../../local/local-account.ts';
import { startSqs } from '../../local/sqs.ts';
import { synthesize } from '../../local/synthesize.ts';
import { makeTables } from '../../local/tables.ts';
import { TemplateReader } from '../../local/template.ts';
import { type Engines, makeShelfTables } from './contender-fixture.ts';

/** Starts the engines with the tables of the stack and of the functions compared with it. */
export async function startEngines(closers: Closers): Promise<Engines> {
  await requireJava();
  const data = await openDataDirectory(undefined, closers);
  const [assembly, dynamo] = await Promise.all([
    synthesize(data.assembly, closers),
    startDynamoDbLocal(data, closers),
  ]);
  const reader = new TemplateReader(assembly.template, assembly.stackName);
  const sqs = await startSqs(reader, closers);
  // The clock of the measurements stands still.
  await makeTables(dynamo.client, reader, { keepExpired: true });
  await makeShelfTables(dynamo.client);
  const engines = { dynamoDb: dynamo.endpoint, sqs: sqs.endpoint };
  await writeOutputsFile({
    file: data.outputsFile,
    stackName: assembly.stackName,
    // Outputs that need Cognito or an API are not used here.
    outputs: reader.outputs(() => undefined),
    addresses: new Map(),
    endpoints: { ...engines, cognito: 'none', eventBridge: 'none' },
  });
  return {
    data,
    assembly,
    reader,
    client: dynamo.client,
    ...engines,
    shelfQueueUrl: await makeShelfQueue(sqs.endpoint),
  };
}

async function makeShelfQueue(endpoint: string): Promise<string> {
  const client = new SQSClient({ endpoint, region: LOCAL_REGION, credentials: LOCAL_CREDENTIALS });
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: 'shelf' }));
  client.destroy();
  return QueueUrl as string;
}
