import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { describeError, toStdout, type WriteLine } from '../aws/telemetry.ts';
import { CONSOLE_HEADER, requireVariable, SESSION_VARIABLES } from '../contract.ts';
import { type CognitoTokens, CognitoUnavailable, makeCognitoTokens, type Tokens } from './cognito-tokens.ts';
import { makePasswords, type PasswordOutcome } from './passwords.ts';
import { clearedCookie, isRefreshToken, readSessionCookie, sessionCookie } from './session-cookie.ts';
import { makeSignOuts, type SignOuts } from './sign-outs-store.ts';

type HttpResponse = APIGatewayProxyStructuredResultV2;

export interface SessionDependencies {
  readonly cognito: CognitoTokens;
  readonly signOuts: SignOuts;
  readonly write: WriteLine;
}

/**
 * Keeps the console's refresh token in a cookie that no script can read: PUT stores it, POST exchanges it for an ID
 * token, GET tells whether there is a second factor, PATCH changes or resets the password, DELETE revokes the token.
 * docs/decisions/0030-session-cookie.md
 */
export function makeSession({ cognito, signOuts, write }: SessionDependencies) {
  const passwords = makePasswords({ cognito, signOuts, report });

  /** Exchanging it proves that the token is ours and still valid. */
  async function store(event: APIGatewayProxyEventV2): Promise<HttpResponse> {
    const { refreshToken } = fieldsIn(event);
    if (!isRefreshToken(refreshToken)) return problem(400, 'A refresh token is required');
    const tokens = await cognito.exchange(refreshToken);
    if (!tokens) return problem(401, 'The refresh token is not valid');
    return withCookie(tokensResponse(tokens), sessionCookie(refreshToken));
  }

  async function resume({ cookies }: APIGatewayProxyEventV2): Promise<HttpResponse> {
    const refreshToken = readSessionCookie(cookies);
    if (refreshToken === undefined) return problem(401, 'No session');
    const tokens = await cognito.exchange(refreshToken);
    return tokens
      ? tokensResponse(tokens)
      : withCookie(problem(401, 'The session has ended'), clearedCookie());
  }

  async function describe({ cookies }: APIGatewayProxyEventV2): Promise<HttpResponse> {
    const refreshToken = readSessionCookie(cookies);
    const tokens = refreshToken === undefined ? undefined : await cognito.exchange(refreshToken);
    if (!tokens) return problem(401, 'No session');
    const secondFactor = await cognito.hasSecondFactor(tokens.accessToken);
    return json(200, 'application/json', { secondFactor });
  }

  /** With the current password, or with an emailed code. Afterwards no session is left, this one included. */
  async function changePassword(event: APIGatewayProxyEventV2): Promise<HttpResponse> {
    const { currentPassword, email, code, newPassword: next } = fieldsIn(event);
    if (next === undefined) return problem(400, 'A new password is required');
    if (currentPassword !== undefined) {
      return passwordAnswer(await passwords.change(readSessionCookie(event.cookies), currentPassword, next));
    }
    if (email === undefined || code === undefined)
      return problem(400, 'An email address and a code are required');
    return passwordAnswer(await passwords.reset(email, code, next));
  }

  /** The cookie is cleared in any case, and nothing else knows the token. */
  async function end({ cookies }: APIGatewayProxyEventV2): Promise<HttpResponse> {
    const refreshToken = readSessionCookie(cookies);
    if (refreshToken !== undefined) await cognito.revoke(refreshToken).catch(report);
    return withCookie({ statusCode: 204, headers: HEADERS }, clearedCookie());
  }

  function report(error: unknown): void {
    write(JSON.stringify({ level: 'ERROR', code: 'session.cognito_failed', ...describeError(error) }));
  }

  const acts: Readonly<Record<string, (event: APIGatewayProxyEventV2) => Promise<HttpResponse>>> = {
    GET: describe,
    PUT: store,
    POST: resume,
    PATCH: changePassword,
    DELETE: end,
  };

  return async function respondToSession(event: APIGatewayProxyEventV2): Promise<HttpResponse> {
    const { method } = event.requestContext.http;
    const act = acts[method];
    const response = await respondWith(act, event).catch((error: unknown) => {
      // Anything else is a defect, which Lambda counts and logs.
      if (!(error instanceof CognitoUnavailable)) throw error;
      report(error);
      return problem(503, 'The sign-in service is not available');
    });
    write(JSON.stringify({ level: 'INFO', code: 'session.request', method, status: response.statusCode }));
    return response;
  };
}

/** Other sites cannot send either header, and the cookie is not read without them. */
async function respondWith(
  act: ((event: APIGatewayProxyEventV2) => Promise<HttpResponse>) | undefined,
  event: APIGatewayProxyEventV2,
): Promise<HttpResponse> {
  const { headers } = event;
  if (headers['sec-fetch-site'] !== 'same-origin' || headers[CONSOLE_HEADER] !== '1') {
    return problem(403, 'Only the console may call this');
  }
  return act ? act(event) : problem(405, 'Method not allowed');
}

/** Longer than any password or address that Cognito takes; refresh tokens have a limit of their own. */
const MAX_FIELD_LENGTH = 8_000;

function fieldsIn({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Partial<Record<string, string>> {
  try {
    const given: unknown = JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
    const isText = ([, value]: [string, unknown]) =>
      typeof value === 'string' && value !== '' && value.length <= MAX_FIELD_LENGTH;
    return Object.fromEntries(Object.entries(Object(given)).filter(isText)) as Record<string, string>;
  } catch {
    return {};
  }
}

function passwordAnswer(outcome: PasswordOutcome): HttpResponse {
  if (outcome === 'ended') return problem(401, 'No session');
  if (outcome === 'open') return problem(503, 'Other sessions may still be open', 'SessionsNotEnded');
  if (outcome !== 'done') return problem(400, 'Cognito did not accept this', outcome.refusal);
  return withCookie({ statusCode: 204, headers: HEADERS }, clearedCookie());
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

function tokensResponse({ idToken }: Tokens): HttpResponse {
  return json(200, 'application/json', { idToken });
}

/** `reason` is the name of an error, for the console's own words. */
function problem(status: number, title: string, reason?: string): HttpResponse {
  return json(status, 'application/problem+json', { title, status, reason });
}

function json(statusCode: number, type: string, value: object): HttpResponse {
  return { statusCode, headers: { 'content-type': type, ...HEADERS }, body: JSON.stringify(value) };
}

function withCookie(response: HttpResponse, cookie: string): HttpResponse {
  return { ...response, cookies: [cookie] };
}

/** Below the function's timeout, so that the console gets a response. */
const COGNITO_TIMEOUT_MS = 5_000;

export function sessionDependencies(env: NodeJS.ProcessEnv): SessionDependencies {
  const cognito = makeCognitoTokens({
    endpoint: requireVariable(env, SESSION_VARIABLES.cognitoEndpoint),
    clientId: requireVariable(env, SESSION_VARIABLES.clientId),
    timeoutMilliseconds: COGNITO_TIMEOUT_MS,
  });
  const signOuts = makeSignOuts({
    userPoolId: requireVariable(env, SESSION_VARIABLES.userPoolId),
    timeoutMilliseconds: COGNITO_TIMEOUT_MS,
  });
  return { cognito, signOuts, write: toStdout };
}
