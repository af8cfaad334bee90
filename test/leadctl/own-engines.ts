import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  CreateUserPoolCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { OUTPUTS } from '../../lambdas/contract.ts';
import { makeCognitoServices } from '../../local/cognito/services.ts';
import { makeCognitoServer } from '../../local/cognito/start-cognito.ts';
import { listenOnLoopback, makeClosers } from '../../local/lifecycle.ts';
import { testOutputsFile } from './run-leadctl.ts';

/** A separate Cognito with an empty user pool, and an outputs file that adds it to the test stack. */
export async function startOwnCognito() {
  const folder = mkdtempSync(join(tmpdir(), 'leadctl-cognito-'));
  const closers = makeClosers();
  const services = await makeCognitoServices(folder, { mailFolder: folder, print: () => undefined });
  const endpoint = await listenOnLoopback(makeCognitoServer(services, 'http://127.0.0.1'), closers);
  services.issueFrom(endpoint);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new CognitoIdentityProviderClient({ endpoint, credentials, region: 'local' });
  const { UserPool } = await client.send(
    new CreateUserPoolCommand({
      PoolName: 'owners',
      UsernameAttributes: ['email'],
      Schema: [{ Name: 'workspace_id', AttributeDataType: 'String', Mutable: false }],
    }),
  );
  const UserPoolId = UserPool?.Id as string;
  const { UserPoolClient } = await client.send(
    new CreateUserPoolClientCommand({ UserPoolId, ClientName: 'console' }),
  );

  const stacks = JSON.parse(readFileSync(testOutputsFile(), 'utf8')) as Record<string, object>;
  const [[name, outputs] = ['Local', {}]] = Object.entries(stacks);
  const outputsFile = join(folder, 'outputs.json');
  const { UserPoolId: _pool, LocalCognitoEndpoint: _endpoint, ...rest } = outputs as Record<string, string>;
  writeFileSync(
    outputsFile,
    JSON.stringify({
      [name]: { ...rest, UserPoolId, LocalCognitoEndpoint: endpoint, LocalMailFolder: folder },
    }),
  );
  writeFileSync(join(folder, 'without.json'), JSON.stringify({ [name]: rest }));
  return {
    client,
    clientId: UserPoolClient?.ClientId as string,
    outputsFile,
    withoutCognito: join(folder, 'without.json'),
    async close() {
      client.destroy();
      await closers.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Separate queues with dead letters on the local SQS, as outputs: other tests count what they receive. */
export async function makeOwnQueues(client: SQSClient): Promise<Record<string, string>> {
  const make = async (name: string, Attributes = {}) => {
    const command = new CreateQueueCommand({ QueueName: `${name}-${randomUUID()}`, Attributes });
    return (await client.send(command)).QueueUrl as string;
  };
  const makeSource = async (name: string, deadLetters: string) => {
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
    );
    const policy = { deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: 1 };
    return make(name, { RedrivePolicy: JSON.stringify(policy) });
  };
  const [enrichmentDeadLetters, sendingDeadLetters] = [await make('dead'), await make('sending-dead')];
  return {
    [OUTPUTS.queues.enrichment]: await makeSource('queue', enrichmentDeadLetters),
    [OUTPUTS.queues.enrichmentDeadLetters]: enrichmentDeadLetters,
    [OUTPUTS.queues.sending]: await makeSource('sending', sendingDeadLetters),
    [OUTPUTS.queues.sendingDeadLetters]: sendingDeadLetters,
    [OUTPUTS.queues.index]: await makeSource('index', sendingDeadLetters),
    /** No output of the stack: another queue that shares the dead letters. */
    otherSource: await makeSource('events', sendingDeadLetters),
  };
}

/** An outputs file that has these outputs in place of those of the test stack. */
export function outputsWith(changed: Readonly<Record<string, string | undefined>>, folder: string): string {
  const stacks = JSON.parse(readFileSync(testOutputsFile(), 'utf8')) as Record<string, object>;
  const [[name, outputs] = ['', {}]] = Object.entries(stacks);
  const file = join(folder, `${name}-${randomUUID()}.json`);
  writeFileSync(file, JSON.stringify({ [name]: { ...outputs, ...changed } }));
  return file;
}

/** Sends a message to the separate queue and receives it so often that it becomes a dead letter. */
export async function letDie(client: SQSClient, QueueUrl: string, MessageBody: string): Promise<void> {
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  for (let receives = 0; receives < 2; receives += 1) {
    await client.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
  }
}
