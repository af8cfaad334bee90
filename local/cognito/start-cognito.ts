import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Closers } from '../closers.ts';
import type { Print } from '../function-log.ts';
import type { TemplateReader } from '../template.ts';
import { clientFromTemplate, poolFromTemplate } from './pool-from-template.ts';
import { makeCognitoServer } from './server.ts';
import { CONTEXT, type CognitoServices, makeCognitoServices } from './services.ts';

const HOST = '127.0.0.1';

export interface CognitoSettings {
  readonly directory: string;
  readonly print: Print;
}

/** Serves the template's user pools. The reader then knows the issuer of their tokens. */
export async function startCognito(
  reader: TemplateReader,
  { directory, print }: CognitoSettings,
  closers: Closers,
): Promise<{ readonly endpoint: string }> {
  const services = await makeCognitoServices(directory, print);
  await makePools(services, reader);
  const server = makeCognitoServer(services);
  server.listen(0, HOST);
  await once(server, 'listening');
  closers.defer(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const endpoint = `http://${HOST}:${(server.address() as AddressInfo).port}`;
  services.issueFrom(endpoint);
  for (const { logicalId } of reader.resources('AWS::Cognito::UserPool')) {
    reader.learn(logicalId, 'ProviderURL', `${endpoint}/${reader.ref(logicalId)}`);
  }
  return { endpoint };
}

/** Makes what is new, and brings what is there up to the template; its users stay. */
async function makePools({ cognito }: CognitoServices, reader: TemplateReader): Promise<void> {
  const known = await cognito.listUserPools(CONTEXT);
  for (const resource of reader.resources('AWS::Cognito::UserPool')) {
    const wanted = poolFromTemplate(resource, reader);
    if (!known.some(({ Id }) => Id === wanted.Id)) await cognito.createUserPool(CONTEXT, wanted);
    const pool = await cognito.getUserPool(CONTEXT, wanted.Id);
    await pool.updateOptions(CONTEXT, wanted);
  }
  for (const resource of reader.resources('AWS::Cognito::UserPoolClient')) {
    const client = clientFromTemplate(resource, reader);
    const pool = await cognito.getUserPool(CONTEXT, client.UserPoolId);
    await pool.saveAppClient(CONTEXT, client);
  }
}
