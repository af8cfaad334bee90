import { type IncomingMessage, validateHeaderName, validateHeaderValue } from 'node:http';
import { InvocationError } from '../environment.ts';
import type { FunctionPools } from '../function-pool.ts';
import { StartupError } from '../lifecycle.ts';
import { addressOnAws } from '../local-account.ts';
import type { TemplateReader } from '../template.ts';
import {
  GatewayFault,
  type HttpResponse,
  type ResponseFault,
  readGatewayResponses,
} from './gateway-responses.ts';
import { describeRequest, type Exchange, isValidHead, readBody } from './request.ts';
import { type ApiIdentity, buildEvent } from './rest-event.ts';
import { type MatchRoute, makeMatcher, type Route, readRoutes } from './routes.ts';
import type { ApiHandler } from './server.ts';

const FIELDS = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

/** Headers that API Gateway sets itself. It renames those of a function. */
const REMAPPED = new Set([
  'connection',
  'content-length',
  'date',
  'server',
  'www-authenticate',
  'x-amzn-requestid',
]);
const DROPPED = new Set([
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Reads a function's result as API Gateway does. Anything but the proxy format is an error. */
export function readResponse(payload: string): HttpResponse {
  const result = parse(payload);
  const status = Number(result.statusCode ?? 200);
  const { body } = result;
  if (!Number.isInteger(status) || status < 200 || status > 599) throw new GatewayFault('DEFAULT_5XX');
  if (body !== undefined && body !== null && typeof body !== 'string') throw new GatewayFault('DEFAULT_5XX');
  return {
    statusCode: status,
    headers: readHeaders(result.headers, result.multiValueHeaders),
    body: decodeBody(body ?? '', result.isBase64Encoded === true),
  };
}

function parse(payload: string): Record<string, unknown> {
  const result: unknown = JSON.parse(payload);
  const isProxyFormat =
    typeof result === 'object' &&
    result !== null &&
    !Array.isArray(result) &&
    Object.keys(result).every((field) => FIELDS.has(field));
  if (!isProxyFormat) throw new GatewayFault('DEFAULT_5XX');
  return result as Record<string, unknown>;
}

/** Merges both forms; the list wins. The default content type is JSON. */
function readHeaders(single: unknown, multiple: unknown): [string, string][] {
  const headers = new Map<string, [string, string][]>();
  for (const [name, value] of entriesOf(single)) headers.set(name.toLowerCase(), [[name, text(value)]]);
  for (const [name, values] of entriesOf(multiple)) {
    if (!Array.isArray(values)) throw new GatewayFault('DEFAULT_5XX');
    headers.set(
      name.toLowerCase(),
      values.map((value) => [name, text(value)]),
    );
  }
  if (!headers.has('content-type')) headers.set('content-type', [['Content-Type', 'application/json']]);
  return [...headers].flatMap(([key, values]) => {
    if (DROPPED.has(key)) return [];
    return REMAPPED.has(key)
      ? values.map(([name, value]): [string, string] => [`x-amzn-Remapped-${name}`, value])
      : values;
  });
}

function entriesOf(headers: unknown): [string, unknown][] {
  if (headers === undefined || headers === null) return [];
  if (typeof headers !== 'object' || Array.isArray(headers)) throw new GatewayFault('DEFAULT_5XX');
  const entries = Object.entries(headers);
  for (const [name] of entries) check(() => validateHeaderName(name));
  return entries;
}

function text(value: unknown): string {
  if (!['string', 'boolean', 'number'].includes(typeof value)) throw new GatewayFault('DEFAULT_5XX');
  check(() => validateHeaderValue('x', String(value)));
  return String(value);
}

function check(validate: () => void): void {
  try {
    validate();
  } catch {
    throw new GatewayFault('DEFAULT_5XX');
  }
}

function decodeBody(body: string, isBase64Encoded: boolean): Buffer {
  if (!isBase64Encoded) return Buffer.from(body);
  const decoded = Buffer.from(body, 'base64');
  // Node ignores invalid base64; API Gateway does not.
  if (decoded.toString('base64').replace(/=+$/, '') !== body.replace(/=+$/, '')) {
    throw new GatewayFault('API_CONFIGURATION_ERROR');
  }
  return decoded;
}

export interface RestApi extends Api {
  readonly routes: readonly Route[];
}

/** The logical IDs of the template's REST APIs. */
export const REST_APIS = { ingest: 'IngestApi', sources: 'SourcesApi' } as const;

/** A REST API of the template, connected to the functions of its routes. */
export function makeRestApi(logicalId: string, reader: TemplateReader, pools: FunctionPools): RestApi {
  const { apiId, stage, stageName } = findRestApi(logicalId, reader);
  const routes = readRoutes(apiId, reader);
  for (const { functionArn } of routes) pools.open(functionArn, 'intake');
  return {
    routes,
    identity: {
      apiId,
      stage: stageName,
      stageVariables: stage.property('Variables') ?? null,
    },
    match: makeMatcher(routes),
    responseFault: readGatewayResponses(apiId, reader),
    invoke: pools.invoke,
  };
}

/** The API's address on AWS. */
export function restApiOnAws(logicalId: string, reader: TemplateReader): string {
  const { apiId, stageName } = findRestApi(logicalId, reader);
  return addressOnAws(reader, apiId, stageName);
}

function findRestApi(logicalId: string, reader: TemplateReader) {
  const hasApi = reader.resources('AWS::ApiGateway::RestApi').some((each) => each.logicalId === logicalId);
  const apiId = reader.ref(logicalId);
  const stages = reader.resources('AWS::ApiGateway::Stage');
  const stage = stages.find((each) => each.property('RestApiId') === apiId);
  if (!hasApi || stage === undefined) throw new StartupError(`The stack has no REST API ${logicalId}.`);
  return { apiId, stage, stageName: stage.required<string>('StageName') };
}

/** A REST API, ready to be served. */
export interface Api {
  readonly identity: ApiIdentity;
  readonly match: MatchRoute;
  readonly responseFault: ResponseFault;
  invoke(functionArn: string, event: string, signal: AbortSignal): Promise<string>;
}

/** Lambda's limit for synchronous events. */
export const EVENT_LIMIT_BYTES = 6_291_456;

/** Responds as a REST API does: with two request id headers. */
export function openRestApi(api: Api): ApiHandler {
  const addRequestIds = (plain: HttpResponse, { requestId, extendedRequestId }: Exchange): HttpResponse => ({
    ...plain,
    headers: [...plain.headers, ['x-amzn-RequestId', requestId], ['x-amz-apigw-id', extendedRequestId]],
  });
  return {
    respond: async (incoming, exchange) => addRequestIds(await respond(api, exchange, incoming), exchange),
    responseFault: (type, exchange) => addRequestIds(api.responseFault(type, exchange.requestId), exchange),
  };
}

async function respond(api: Api, exchange: Exchange, incoming: IncomingMessage): Promise<HttpResponse> {
  const body = await readBody(incoming);
  if (!Buffer.isBuffer(body)) return body;
  try {
    if (!isValidHead(incoming)) throw new GatewayFault('DEFAULT_4XX');
    const request = describeRequest(incoming, body, exchange);
    const match = api.match(request.method, request.path);
    if (match === undefined) throw new GatewayFault('MISSING_AUTHENTICATION_TOKEN');
    const event = JSON.stringify(buildEvent(request, match, api.identity));
    if (Buffer.byteLength(event) > EVENT_LIMIT_BYTES) throw new GatewayFault('REQUEST_TOO_LARGE');
    return readResponse(await integrate(api, match.route, event));
  } catch (error) {
    if (error instanceof GatewayFault) return api.responseFault(error.type, exchange.requestId);
    // The function's log says what went wrong.
    if (error instanceof InvocationError) return api.responseFault('DEFAULT_5XX', exchange.requestId);
    throw error;
  }
}

/** A function that exceeds the integration timeout keeps running, as on AWS. */
async function integrate(api: Api, route: Route, event: string): Promise<string> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), route.timeoutMilliseconds);
  try {
    return await api.invoke(route.functionArn, event, timeout.signal);
  } catch (error) {
    throw timeout.signal.aborted ? new GatewayFault('INTEGRATION_TIMEOUT') : error;
  } finally {
    clearTimeout(timer);
  }
}
