import type { AppClient } from 'cognito-local/lib/services/appClient.js';
import { USER_POOL_AWS_DEFAULTS } from 'cognito-local/lib/services/cognitoService.js';
import type { UserPool } from 'cognito-local/lib/services/userPoolService.js';
import type { Print } from '../function-log.ts';
import type { Closers } from '../lifecycle.ts';
import { listenOnLoopback } from '../loopback.ts';
import type { Resource, TemplateReader } from '../template.ts';
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
    reader.setAttribute(logicalId, 'ProviderURL', `${endpoint}/${reader.ref(logicalId)}`);
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

/** The template's properties of a pool that cognito-local knows by the same name. */
const POOL_PROPERTIES = [
  'AccountRecoverySetting',
  'AdminCreateUserConfig',
  'AutoVerifiedAttributes',
  'MfaConfiguration',
  'Policies',
  'UserAttributeUpdateSettings',
  'UsernameAttributes',
  'UsernameConfiguration',
] as const;

const CLIENT_PROPERTIES = [
  'AccessTokenValidity',
  'EnableTokenRevocation',
  'ExplicitAuthFlows',
  'IdTokenValidity',
  'PreventUserExistenceErrors',
  'ReadAttributes',
  'RefreshTokenValidity',
  'TokenValidityUnits',
  'WriteAttributes',
] as const;

interface SchemaAttribute {
  readonly Name: string;
  readonly Mutable?: boolean;
  readonly AttributeDataType?: string;
}

/** The pool under the id that its Ref has: the same at each start. */
export function poolFromTemplate(resource: Resource, reader: TemplateReader): UserPool {
  const id = reader.ref(resource.logicalId);
  const now = new Date();
  return {
    ...USER_POOL_AWS_DEFAULTS,
    ...pick(resource, POOL_PROPERTIES),
    Id: id,
    Name: reader.name(resource.logicalId),
    SchemaAttributes: schema(resource.property<SchemaAttribute[]>('Schema') ?? []),
    CreationDate: now,
    LastModifiedDate: now,
  } as UserPool;
}

export function clientFromTemplate(resource: Resource, reader: TemplateReader): AppClient {
  const now = new Date();
  return {
    ...pick(resource, CLIENT_PROPERTIES),
    ClientId: reader.ref(resource.logicalId),
    ClientName: reader.name(resource.logicalId),
    UserPoolId: resource.required<string>('UserPoolId'),
    CreationDate: now,
    LastModifiedDate: now,
  } as AppClient;
}

/** Cognito's standard attributes, as the template has them; its own get the prefix `custom:`. */
function schema(given: readonly SchemaAttribute[]) {
  const standard: readonly { readonly Name?: string }[] = USER_POOL_AWS_DEFAULTS.SchemaAttributes ?? [];
  const isStandard = ({ Name }: SchemaAttribute) => standard.some((it) => it.Name === Name);
  return [
    ...standard.map((attribute) => ({ ...attribute, ...given.find((it) => it.Name === attribute.Name) })),
    ...given.filter((it) => !isStandard(it)).map((own) => ({ ...own, Name: `custom:${own.Name}` })),
  ];
}

function pick(resource: Resource, names: readonly string[]): Record<string, unknown> {
  const given = names.map((name) => [name, resource.property<unknown>(name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
