import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  CreateUserPoolCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { makeClosers } from '../../local/closers.ts';
import { makeCognitoServer } from '../../local/cognito/server.ts';
import { makeCognitoServices } from '../../local/cognito/services.ts';
import { listenOnLoopback } from '../../local/loopback.ts';
import { testOutputsFile } from './run-leadctl.ts';

/** A Cognito of one's own with an empty user pool, and an outputs file by which the test stack has it. */
export async function startOwnCognito() {
  const folder = mkdtempSync(join(tmpdir(), 'leadctl-cognito-'));
  const closers = makeClosers();
  const services = await makeCognitoServices(folder, () => undefined);
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
    JSON.stringify({ [name]: { ...rest, UserPoolId, LocalCognitoEndpoint: endpoint } }),
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
