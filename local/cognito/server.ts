import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { CognitoError, InvalidPasswordError, UnsupportedError } from 'cognito-local/lib/errors.js';
import { Router } from 'cognito-local/lib/server/Router.js';
import { isForThisMachine } from '../loopback.ts';
import { CONTEXT, type CognitoServices } from './services.ts';

/** The same in every copy of cognito-local, with its private half: its tokens prove nothing beyond this machine. */
const { jwk: PUBLIC_KEY } = createRequire(import.meta.url)('cognito-local/lib/keys/cognitoLocal.public.json');

/** What the console calls. All other operations, the administrator's above all, are for programs on this machine. */
const OPERATIONS_OF_CONSOLE: ReadonlySet<string> = new Set([
  'AssociateSoftwareToken',
  'ConfirmForgotPassword',
  'ForgotPassword',
  'GetTokensFromRefreshToken',
  'GetUser',
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

/** Cognito's API, AWS JSON 1.1, and the documents by which others check its tokens. */
export function makeCognitoServer(services: CognitoServices, consoleUrl: string): Server {
  const route = Router(services);
  // The same server, by the other name that people type.
  const consoleOrigins = [consoleUrl, consoleUrl.replace('127.0.0.1', 'localhost')];

  async function reply(request: IncomingMessage): Promise<Reply> {
    const { origin } = request.headers;
    if (!isForThisMachine(request) || (origin !== undefined && !consoleOrigins.includes(origin)))
      return FORBIDDEN;
    if (request.method === 'OPTIONS') return { status: 200, content: {} };
    if (request.method === 'GET') return describe(request);
    const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
    if (origin !== undefined && !OPERATIONS_OF_CONSOLE.has(operation)) return FORBIDDEN;
    try {
      const body = JSON.parse((await text(request)) || '{}');
      const known = translateOperation(operation, body);
      return { status: 200, content: await route(known.operation)(CONTEXT, known.body) };
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

function allow(origin: string) {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': '*',
    'access-control-allow-methods': 'GET, POST',
  };
}

/** The operation by which browsers renew tokens is newer than cognito-local: it knows the same as a way to sign in. */
function translateOperation(operation: string, body: Record<string, unknown>) {
  if (operation !== 'GetTokensFromRefreshToken') return { operation, body };
  const { ClientId, RefreshToken } = body;
  const AuthParameters = { REFRESH_TOKEN: RefreshToken };
  return { operation: 'InitiateAuth', body: { ClientId, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters } };
}

/** `/<pool>/.well-known/…`, as Cognito has them. */
function describe(request: IncomingMessage): Reply {
  const [, pool, document] = /^\/([^/]+)\/\.well-known\/([^/?]+)/.exec(request.url ?? '') ?? [];
  const issuer = `http://${request.headers.host}/${pool}`;
  if (document === 'jwks.json') return { status: 200, content: { keys: [PUBLIC_KEY] } };
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
  // By that name Cognito means a new password that is too weak. A wrong one it does not tell from an unknown user.
  if (error instanceof InvalidPasswordError && operation.endsWith('InitiateAuth')) {
    const message = 'Incorrect username or password.';
    return { status: 400, content: { __type: 'NotAuthorizedException', message } };
  }
  if (error instanceof CognitoError) {
    return { status: 400, content: { __type: error.code, message: error.message } };
  }
  return { status: 500, content: { __type: 'InternalErrorException', message: String(error) } };
}

/** AWS JSON writes a time as seconds since 1970. By `this`, since a Date is text by the time that it is a value. */
function datesAsSeconds(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const date = this[key];
  return date instanceof Date ? Math.floor(date.getTime() / 1000) : value;
}
