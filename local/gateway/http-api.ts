import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { InvocationError } from '../environment.ts';
import type { FunctionPools } from '../function-pool.ts';
import { StartupError } from '../lifecycle.ts';
import { addressOnAws, LOCAL_ACCOUNT, LOCAL_REGION } from '../local-account.ts';
import type { TemplateReader } from '../template.ts';
import type { FaultType, HttpResponse } from './gateway-responses.ts';
import { type AuthorizerContext, buildHttpEvent, type HttpEvent, readHttpResponse } from './http-event.ts';
import { type AuthorizerSettings, type HttpRoute, readHttpRoutes } from './http-routes.ts';
import { collectBody, describeRequest, type Exchange, isValidHead } from './request.ts';
import { EVENT_LIMIT_BYTES } from './rest-api.ts';
import type { ApiIdentity, GatewayRequest } from './rest-event.ts';
import { type MatchRoute, makeStrictMatcher, type RouteMatch } from './routes.ts';
import type { ApiHandler } from './server.ts';

/** The template's HTTP API, connected to the functions of its routes. */
export function makeHttpApi(reader: TemplateReader, pools: FunctionPools) {
  const { apiId, stage } = findHttpApi(reader);
  const routes = readHttpRoutes(apiId, reader);
  for (const { functionArn, authorizer } of routes) {
    pools.open(functionArn);
    if (authorizer) pools.open(authorizer.functionArn);
  }
  const api: HttpApi = {
    identity: {
      apiId,
      stage: stage.required('StageName'),
      stageVariables: stage.property('StageVariables') ?? null,
    },
    match: makeStrictMatcher(routes),
    invoke: pools.invoke,
  };
  return openHttpApi(api);
}

/** The API's address on AWS. */
export function httpApiOnAws(reader: TemplateReader): string {
  return addressOnAws(reader, findHttpApi(reader).apiId);
}

function findHttpApi(reader: TemplateReader) {
  const [api, second] = reader.resources('AWS::ApiGatewayV2::Api');
  const [stage] = reader.resources('AWS::ApiGatewayV2::Stage');
  if (api === undefined || second !== undefined || stage?.property('StageName') !== '$default') {
    throw new StartupError('The stack must have exactly one HTTP API with the stage $default.');
  }
  return { apiId: reader.ref(api.logicalId), stage };
}

/** An HTTP API, ready to be served. */
export interface HttpApi {
  readonly identity: ApiIdentity;
  readonly match: MatchRoute<HttpRoute>;
  invoke(functionArn: string, event: string, signal: AbortSignal): Promise<string>;
}

const FAULT_STATUS: Readonly<Partial<Record<FaultType, number>>> = {
  DEFAULT_4XX: 400,
  MISSING_AUTHENTICATION_TOKEN: 404,
};

/** Responds as an HTTP API does: with one request id header. */
export function openHttpApi(api: HttpApi): ApiHandler {
  const addRequestId = (plain: HttpResponse, { extendedRequestId }: Exchange): HttpResponse => ({
    ...plain,
    headers: [...plain.headers, ['Apigw-Requestid', extendedRequestId]],
  });
  return {
    respond: async (incoming, exchange) => addRequestId(await respond(api, incoming, exchange), exchange),
    responseFault: (type, exchange) => addRequestId(fault(FAULT_STATUS[type] ?? 500), exchange),
  };
}

async function respond(api: HttpApi, incoming: IncomingMessage, exchange: Exchange): Promise<HttpResponse> {
  const body = await collectBody(incoming);
  if (body === undefined) return fault(413, 'Request Entity Too Large');
  if (!isValidHead(incoming)) return fault(400);
  const request = describeRequest(incoming, body, exchange);
  const match = api.match(request.method, request.path);
  if (match === undefined) return fault(404);
  const { authorizer } = match.route;
  if (authorizer === undefined) return integrate(api, match, request, undefined);
  // Without its header, the authorizer is not called. An empty header counts as missing.
  if (!incoming.headers[authorizer.header]) return fault(401);
  const event = buildHttpEvent(request, match, api.identity, undefined);
  const decision = await askAuthorizer(api.invoke, authorizer, match.route, event);
  if (decision.verdict !== 'allowed') return fault(decision.verdict === 'failed' ? 500 : 403);
  return integrate(api, match, request, decision.context);
}

/** A function that exceeds the integration timeout keeps running, as on AWS. */
async function integrate(
  api: HttpApi,
  match: RouteMatch<HttpRoute>,
  request: GatewayRequest,
  authorized: AuthorizerContext | undefined,
): Promise<HttpResponse> {
  const event = JSON.stringify(buildHttpEvent(request, match, api.identity, authorized));
  if (Buffer.byteLength(event) > EVENT_LIMIT_BYTES) return fault(413, 'Request Entity Too Large');
  const { functionArn, timeoutMilliseconds } = match.route;
  const timeout = AbortSignal.timeout(timeoutMilliseconds);
  try {
    return readHttpResponse(await api.invoke(functionArn, event, timeout)) ?? fault(500);
  } catch (error) {
    if (timeout.aborted) return fault(503);
    // The function's log says what went wrong.
    if (error instanceof InvocationError) return fault(500);
    throw error;
  }
}

/** An HTTP API's own errors, which can't be customized. */
function fault(statusCode: number, message = STATUS_CODES[statusCode]): HttpResponse {
  return {
    statusCode,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/** A function's time to decide. API Gateway waits no longer. */
const PATIENCE_MILLISECONDS = 10_000;

type Invoke = (functionArn: string, event: string, signal: AbortSignal) => Promise<string>;

/** What a Lambda authorizer decided. `failed` is a crash, a timeout or an answer that API Gateway cannot read. */
type Decision =
  | { readonly verdict: 'allowed'; readonly context: AuthorizerContext }
  | { readonly verdict: 'refused' | 'failed' };

/**
 * Asks the authorizer as an HTTP API does, in format 2.0 with a simple response.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-lambda-authorizer.html
 */
async function askAuthorizer(
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
