import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { CognitoError, InvalidPasswordError, UnsupportedError } from 'cognito-local/lib/errors.js';
import { Router } from 'cognito-local/lib/server/Router.js';
import type { AppClient } from 'cognito-local/lib/services/appClient.js';
import { USER_POOL_AWS_DEFAULTS } from 'cognito-local/lib/services/cognitoService.js';
import type { UserPool } from 'cognito-local/lib/services/userPoolService.js';
import type { Print } from '../function-log.ts';
import { type Closers, isForThisMachine, listenOnLoopback } from '../lifecycle.ts';
import type { Resource, TemplateReader } from '../template.ts';
import { CONTEXT, type CognitoServices, makeCognitoServices } from './services.ts';
import { SIGN_OUTS } from './sign-out-everywhere.ts';

export interface CognitoSettings {
  readonly directory: string;
  /** Where invitations and codes are written. */
  readonly mailFolder: string;
  /** The only web page that may call. */
  readonly consoleUrl: string;
  readonly print: Print;
}

/** Serves the template's user pools, and tells the reader the issuer of their tokens. */
export async function startCognito(
  reader: TemplateReader,
  { directory, mailFolder, consoleUrl, print }: CognitoSettings,
  closers: Closers,
): Promise<{ readonly endpoint: string }> {
  const services = await makeCognitoServices(directory, { mailFolder, print });
  await makePools(services, reader);
  const endpoint = await listenOnLoopback(makeCognitoServer(services, consoleUrl), closers);
  services.issueFrom(endpoint);
  for (const { logicalId } of reader.resources('AWS::Cognito::UserPool')) {
    reader.setAttribute(logicalId, 'ProviderURL', `${endpoint}/${reader.ref(logicalId)}`);
  }
  return { endpoint };
}

/** Creates or updates the pools and clients. Users are kept. */
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

/** Properties that have the same name in the template and in cognito-local. */
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

/** The pool, under the same id at each start. */
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

/** Cognito's standard attributes with the template's changes. Custom attributes get the prefix `custom:`. */
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

/** The operations that the console calls. All others, such as those of administrators, are for local programs. */
const OPERATIONS_OF_CONSOLE: ReadonlySet<string> = new Set([
  'AssociateSoftwareToken',
  'ForgotPassword',
  'InitiateAuth',
  'RespondToAuthChallenge',
  'RevokeToken',
  'SetUserMFAPreference',
  'VerifySoftwareToken',
]);

interface Reply {
  readonly status: number;
  readonly content: unknown;
}

const FORBIDDEN: Reply = {
  status: 403,
  content: { __type: 'ForbiddenException', message: 'Web pages other than the console may not call this.' },
};

/** Cognito's API (AWS JSON 1.1) and the documents for verifying its tokens. */
export function makeCognitoServer(services: CognitoServices, consoleUrl: string): Server {
  const route = Router(services);
  // The same server under its other common name.
  const consoleOrigins = [consoleUrl, consoleUrl.replace('127.0.0.1', 'localhost')];

  async function reply(request: IncomingMessage): Promise<Reply> {
    const { origin } = request.headers;
    if (!isForThisMachine(request) || (origin !== undefined && !consoleOrigins.includes(origin)))
      return FORBIDDEN;
    if (request.method === 'OPTIONS') return { status: 200, content: {} };
    if (request.method === 'GET') return describe(request, services);
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    if (origin !== undefined && !OPERATIONS_OF_CONSOLE.has(operation)) return FORBIDDEN;
    try {
      const body = JSON.parse((await text(request)) || '{}');
      const content = await (SIGN_OUTS[operation]?.(services, body) ?? route(operation)(CONTEXT, body));
      if (operation === 'RespondToAuthChallenge') await keepRefreshToken(services, body, content);
      return { status: 200, content };
    } catch (error) {
      return explain(error, operation);
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, content } = await reply(request);
    const { origin = '' } = request.headers;
    response.writeHead(status, {
      'content-type': 'application/x-amz-json-1.1',
      vary: 'origin',
      ...(consoleOrigins.includes(origin) && allow(origin)),
    });
    response.end(JSON.stringify(content, datesAsSeconds));
  }

  return createServer((request, response) => void handle(request, response));
}

interface AnsweredChallenge {
  readonly AuthenticationResult?: { readonly RefreshToken?: string };
}

/** cognito-local forgets the refresh token of a sign-in with a second step. */
async function keepRefreshToken(
  { cognito }: CognitoServices,
  { ClientId, ChallengeResponses }: { ClientId: string; ChallengeResponses: Record<string, string> },
  content: object,
): Promise<void> {
  const { RefreshToken } = (content as AnsweredChallenge).AuthenticationResult ?? {};
  const pool = await cognito.getUserPoolForClientId(CONTEXT, ClientId);
  const user = await pool.getUserByUsername(CONTEXT, ChallengeResponses.USERNAME ?? '');
  if (RefreshToken !== undefined && user !== null) await pool.storeRefreshToken(CONTEXT, RefreshToken, user);
}

function allow(origin: string) {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': '*',
    'access-control-allow-methods': 'GET, POST',
  };
}

/** `/<pool>/.well-known/…`, as in Cognito. */
function describe(request: IncomingMessage, { publicKey }: CognitoServices): Reply {
  const [, pool, document] = /^\/([^/]+)\/\.well-known\/([^/?]+)/.exec(request.url ?? '') ?? [];
  const issuer = `http://${request.headers.host}/${pool}`;
  if (document === 'jwks.json') return { status: 200, content: { keys: [publicKey] } };
  if (document === 'openid-configuration') {
    const content = {
      issuer,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      id_token_signing_alg_values_supported: ['RS256'],
    };
    return { status: 200, content };
  }
  return { status: 404, content: { message: 'Not Found' } };
}

function explain(error: unknown, operation: string): Reply {
  if (error instanceof UnsupportedError) {
    return { status: 500, content: { __type: 'UnsupportedByCognitoLocal', message: error.message } };
  }
  // Cognito uses this name for weak new passwords. It reports a wrong password like an unknown user.
  if (error instanceof InvalidPasswordError && /InitiateAuth$|^ChangePassword$/.test(operation)) {
    const message = 'Incorrect username or password.';
    return { status: 400, content: { __type: 'NotAuthorizedException', message } };
  }
  if (error instanceof CognitoError) {
    return { status: 400, content: { __type: error.code, message: error.message } };
  }
  return { status: 500, content: { __type: 'InternalErrorException', message: String(error) } };
}

/** AWS JSON writes times as seconds since 1970. Reads `this`, because `value` is already a string. */
function datesAsSeconds(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const date = this[key];
  return date instanceof Date ? Math.floor(date.getTime() / 1000) : value;
}
