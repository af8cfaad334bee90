import { InvocationError } from '../environment.ts';
import { LOCAL_ACCOUNT, LOCAL_REGION } from '../local-account.ts';
import type { AuthorizerContext, HttpEvent } from './http-event.ts';
import type { AuthorizerSettings, HttpRoute } from './http-routes.ts';

/** A function's time to decide. API Gateway waits no longer. */
const PATIENCE_MILLISECONDS = 10_000;

type Invoke = (functionArn: string, event: string, signal: AbortSignal) => Promise<string>;

/** What a Lambda authorizer decided. `failed` is a crash, a timeout or a response that API Gateway cannot read. */
export type Decision =
  | { readonly verdict: 'allowed'; readonly context: AuthorizerContext }
  | { readonly verdict: 'refused' | 'failed' };

/**
 * Asks the authorizer as an HTTP API does, in format 2.0 with a simple response.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
export async function askAuthorizer(
  invoke: Invoke,
  authorizer: AuthorizerSettings,
  route: HttpRoute,
  event: HttpEvent,
): Promise<Decision> {
  const question = JSON.stringify(authorizerEvent(authorizer, route, event));
  const timeout = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  try {
    return readDecision(JSON.parse(await invoke(authorizer.functionArn, question, timeout)));
  } catch (error) {
    // The function's log says what went wrong.
    if (timeout.aborted || error instanceof InvocationError) return { verdict: 'failed' };
    throw error;
  }
}

/** The request without its body. */
function authorizerEvent({ header }: AuthorizerSettings, route: HttpRoute, event: HttpEvent) {
  const { body: _body, isBase64Encoded: _encoding, ...request } = event;
  const { apiId, stage } = event.requestContext;
  return {
    ...request,
    type: 'REQUEST',
    routeArn: `arn:aws:execute-api:${LOCAL_REGION}:${LOCAL_ACCOUNT}:${apiId}/${stage}/${route.httpMethod}${event.rawPath}`,
    identitySource: [event.headers[header]],
  };
}

function readDecision(response: unknown): Decision {
  const { isAuthorized, context = {} } = Object(response) as Record<string, unknown>;
  if (typeof isAuthorized !== 'boolean' || typeof context !== 'object') return { verdict: 'failed' };
  return isAuthorized ? { verdict: 'allowed', context: { ...context } } : { verdict: 'refused' };
}
