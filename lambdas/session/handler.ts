import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { describeError, toStdout, type WriteLine } from '../aws/telemetry.ts';
import { CONSOLE_HEADER, requireVariable, SESSION_VARIABLES } from '../contract.ts';
import { type CognitoTokens, CognitoUnavailable, makeCognitoTokens, type Tokens } from './cognito-tokens.ts';
import { clearedCookie, isRefreshToken, readSessionCookie, sessionCookie } from './session-cookie.ts';

type Answer = APIGatewayProxyStructuredResultV2;

export interface SessionDependencies {
  readonly cognito: CognitoTokens;
  readonly write: WriteLine;
}

/**
 * Keeps the console's refresh token in a cookie that no script can read: PUT stores it, POST exchanges it for an ID and
 * an access token, DELETE revokes it. docs/decisions/0030-session-cookie.md
 */
export function makeSession({ cognito, write }: SessionDependencies) {
  /** Exchanging it proves that the token is ours and still valid. */
  async function store({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Promise<Answer> {
    const refreshToken = tokenIn(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
    if (refreshToken === undefined) return problem(400, 'A refresh token is required');
    const tokens = await cognito.exchange(refreshToken);
    if (!tokens) return problem(401, 'The refresh token is not valid');
    return withCookie(tokensAnswer(tokens), sessionCookie(refreshToken));
  }

  async function resume({ cookies }: APIGatewayProxyEventV2): Promise<Answer> {
    const refreshToken = readSessionCookie(cookies);
    if (refreshToken === undefined) return problem(401, 'No session');
    const tokens = await cognito.exchange(refreshToken);
    return tokens ? tokensAnswer(tokens) : withCookie(problem(401, 'The session has ended'), clearedCookie());
  }

  /** The cookie is cleared in any case, and nothing else knows the token. */
  async function end({ cookies }: APIGatewayProxyEventV2): Promise<Answer> {
    const refreshToken = readSessionCookie(cookies);
    if (refreshToken !== undefined) await cognito.revoke(refreshToken).catch(report);
    return withCookie({ statusCode: 204, headers: HEADERS }, clearedCookie());
  }

  function report(error: unknown): void {
    write(JSON.stringify({ level: 'ERROR', code: 'session.cognito_failed', ...describeError(error) }));
  }

  const acts: Readonly<Record<string, (event: APIGatewayProxyEventV2) => Promise<Answer>>> = {
    PUT: store,
    POST: resume,
    DELETE: end,
  };

  return async function answerSession(event: APIGatewayProxyEventV2): Promise<Answer> {
    const { method } = event.requestContext.http;
    const act = acts[method];
    const answer = await answerWith(act, event).catch((error: unknown) => {
      // Anything else is a defect, which Lambda counts and logs.
      if (!(error instanceof CognitoUnavailable)) throw error;
      report(error);
      return problem(503, 'The sign-in service is not available');
    });
    write(JSON.stringify({ level: 'INFO', code: 'session.request', method, status: answer.statusCode }));
    return answer;
  };
}

/** Other sites cannot send either header, and the cookie is not read without them. */
async function answerWith(
  act: ((event: APIGatewayProxyEventV2) => Promise<Answer>) | undefined,
  event: APIGatewayProxyEventV2,
): Promise<Answer> {
  const { headers } = event;
  if (headers['sec-fetch-site'] !== 'same-origin' || headers[CONSOLE_HEADER] !== '1') {
    return problem(403, 'Only the console may call this');
  }
  return act ? act(event) : problem(405, 'Method not allowed');
}

function tokenIn(body: string): string | undefined {
  try {
    const { refreshToken } = JSON.parse(body) as { refreshToken?: unknown };
    return isRefreshToken(refreshToken) ? refreshToken : undefined;
  } catch {
    return undefined;
  }
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

function tokensAnswer({ idToken, accessToken }: Tokens): Answer {
  return json(200, 'application/json', { idToken, accessToken });
}

function problem(status: number, title: string): Answer {
  return json(status, 'application/problem+json', { title, status });
}

function json(statusCode: number, type: string, value: object): Answer {
  return { statusCode, headers: { 'content-type': type, ...HEADERS }, body: JSON.stringify(value) };
}

function withCookie(answer: Answer, cookie: string): Answer {
  return { ...answer, cookies: [cookie] };
}

/** Below the function's timeout, so that the console gets an answer. */
const COGNITO_TIMEOUT_MS = 5_000;

export function sessionDependencies(env: NodeJS.ProcessEnv): SessionDependencies {
  const cognito = makeCognitoTokens({
    endpoint: requireVariable(env, SESSION_VARIABLES.cognitoEndpoint),
    clientId: requireVariable(env, SESSION_VARIABLES.clientId),
    timeoutMilliseconds: COGNITO_TIMEOUT_MS,
  });
  return { cognito, write: toStdout };
}
