import type { Closers } from '../closers.ts';
import type { Print } from '../function-log.ts';
import { listenOnLoopback } from '../loopback.ts';
import type { TemplateReader } from '../template.ts';
import { clientFromTemplate, poolFromTemplate } from './pool-from-template.ts';
import { makeCognitoServer } from './server.ts';
import { CONTEXT, type CognitoServices, makeCognitoServices } from './services.ts';

export interface CognitoSettings {
  readonly directory: string;
  /** Where the console is: no other page in a browser may call. */
  readonly consoleUrl: string;
  readonly print: Print;
}

/** Serves the template's user pools. The reader then knows the issuer of their tokens. */
export async function startCognito(
  reader: TemplateReader,
  { directory, consoleUrl, print }: CognitoSettings,
  closers: Closers,
): Promise<{ readonly endpoint: string }> {
  const services = await makeCognitoServices(directory, print);
  await makePools(services, reader);
  const endpoint = await listenOnLoopback(makeCognitoServer(services, consoleUrl), closers);
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
