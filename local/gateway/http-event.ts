import { randomBytes } from 'node:crypto';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayProxyEventV2WithLambdaAuthorizer } from 'aws-lambda';
import { LOCAL_ACCOUNT } from '../local-account.ts';
import type { HttpResponse } from './gateway-responses.ts';
import type { HttpRoute } from './http-routes.ts';
import { type ApiIdentity, commonLogTime, type GatewayRequest } from './rest-event.ts';
import type { RouteMatch } from './routes.ts';

/** What a Lambda authorizer passes on to the function. */
export type AuthorizerContext = Readonly<Record<string, unknown>>;

export type HttpEvent =
  | APIGatewayProxyEventV2
  | APIGatewayProxyEventV2WithLambdaAuthorizer<AuthorizerContext>;

/** Headers about the connection, which ends here. */
const DROPPED = new Set([
  'connection',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Passed as text. Everything else is base64. */
const TEXT = /^\s*(text\/[^;]*|application\/(json|xml|javascript))\s*(;|$)/i;

/** The event of a Lambda proxy integration, format 2.0. Missing parts are omitted. */
export function buildHttpEvent(
  request: GatewayRequest,
  match: RouteMatch<HttpRoute>,
  api: ApiIdentity,
  authorized: AuthorizerContext | undefined,
): HttpEvent {
  const { cookie, ...headers } = collectHeaders(request);
  const query = new URLSearchParams(request.query);
  return {
    version: '2.0',
    routeKey: match.route.routeKey,
    // HTTP APIs decode it despite its name, like the path parameters.
    rawPath: decode(request.path),
    rawQueryString: request.query,
    ...(cookie !== undefined && { cookies: cookie.split(/; */) }),
    headers,
    ...(query.size > 0 && { queryStringParameters: joinValues(query) }),
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: { ...match.pathParameters } }),
    ...(api.stageVariables && { stageVariables: { ...api.stageVariables } }),
    requestContext: requestContext(request, match, api, headers, authorized),
    ...readBody(request, headers['content-type']),
  };
}

function readBody({ body }: GatewayRequest, contentType = ''): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = TEXT.test(contentType);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

/** Lower-case names. Repeated headers are joined with commas. */
function collectHeaders(request: GatewayRequest): Record<string, string> {
  // A map, because a header may be called `__proto__`.
  const collected = new Map<string, string>();
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const name = (request.rawHeaders[index] ?? '').toLowerCase();
    const value = request.rawHeaders[index + 1] ?? '';
    const known = collected.get(name);
    const glue = name === 'cookie' ? '; ' : ',';
    if (!DROPPED.has(name)) collected.set(name, known === undefined ? value : `${known}${glue}${value}`);
  }
  const forwarded = collected.get('x-forwarded-for');
  const seconds = Math.floor(request.receivedAt / 1000).toString(16);
  collected.set(
    'x-forwarded-for',
    forwarded === undefined ? request.sourceIp : `${forwarded}, ${request.sourceIp}`,
  );
  collected.set('x-forwarded-port', String(request.port));
  collected.set('x-forwarded-proto', 'http');
  collected.set('x-amzn-trace-id', `Root=1-${seconds}-${randomBytes(12).toString('hex')}`);
  return Object.fromEntries(collected);
}

function joinValues(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, query.getAll(name).join(',')]));
}

function requestContext(
  request: GatewayRequest,
  { route }: RouteMatch<HttpRoute>,
  api: ApiIdentity,
  headers: Readonly<Record<string, string>>,
  authorized: AuthorizerContext | undefined,
) {
  const domainName = (headers.host ?? '').replace(/:\d+$/, '');
  return {
    accountId: LOCAL_ACCOUNT,
    apiId: api.apiId,
    ...(authorized && { authorizer: { lambda: authorized } }),
    domainName,
    domainPrefix: domainName.split('.', 1)[0] ?? '',
    http: {
      method: request.method,
      path: decode(request.path),
      protocol: request.protocol,
      sourceIp: request.sourceIp,
      userAgent: headers['user-agent'] ?? '',
    },
    requestId: request.extendedRequestId,
    routeKey: route.routeKey,
    stage: api.stage,
    time: commonLogTime(request.receivedAt),
    timeEpoch: request.receivedAt,
  };
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

type Header = [name: string, value: string];

/** Headers that API Gateway sets itself. */
const DROPPED_FROM_RESPONSE = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** Reads a function's result (format 2.0) as an HTTP API does. Undefined if it is invalid. */
export function readHttpResponse(payload: string): HttpResponse | undefined {
  const result: unknown = JSON.parse(payload);
  if (!isResponse(result)) return inferResponse(result);
  const status = Number(result.statusCode);
  const { body = '', isBase64Encoded } = result;
  const headers = readHeaders(result.headers ?? {}, result.cookies ?? []);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if ((typeof body !== 'string' && body !== null) || headers === undefined) return undefined;
  return {
    statusCode: status,
    headers,
    body: Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

/** A result without a status is the body of a response. */
function inferResponse(result: unknown): HttpResponse {
  return {
    statusCode: 200,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(typeof result === 'string' ? result : JSON.stringify(result)),
  };
}

function isResponse(result: unknown): result is Record<string, unknown> {
  return typeof result === 'object' && result !== null && 'statusCode' in result;
}

function readHeaders(given: unknown, cookies: unknown): Header[] | undefined {
  if (typeof given !== 'object' || given === null || !Array.isArray(cookies)) return undefined;
  const headers = [
    ...Object.entries(given).map(([name, value]): Header => [name.toLowerCase(), String(value)]),
    ...cookies.map((cookie): Header => ['set-cookie', String(cookie)]),
  ].filter(([name]) => !DROPPED_FROM_RESPONSE.has(name));
  try {
    for (const [name, value] of headers) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
  } catch {
    return undefined;
  }
  const hasType = headers.some(([name]) => name === 'content-type');
  return hasType ? headers : [...headers, ['content-type', 'text/plain;charset=UTF-8']];
}
