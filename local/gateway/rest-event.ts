import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { LOCAL_ACCOUNT } from '../local-account.ts';
import type { RouteMatch } from './routes.ts';

/** What the gateway knows of a request before it knows the API. */
export interface GatewayRequest {
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly receivedAt: number;
  readonly method: string;
  /** As sent: percent-encoding and all. */
  readonly path: string;
  readonly query: string;
  readonly protocol: string;
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[];
  readonly sourceIp: string;
  readonly port: number;
  readonly body: Buffer;
}

export interface ApiIdentity {
  readonly apiId: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>> | null;
}

/** Headers that end at the gateway: they speak of the connection, or are made anew from the event's body. */
const DROPPED = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The event of a Lambda proxy integration, format 1.0, of an API whose binary media types are all types. Its path is the
 * path as sent; its path parameters are decoded.
 */
export function buildEvent(
  request: GatewayRequest,
  match: RouteMatch,
  api: ApiIdentity,
): APIGatewayProxyEvent {
  const multiValueHeaders = collectHeaders(request);
  const headers = lastOfEach(multiValueHeaders);
  const query = collectQuery(request.query);
  const hasQuery = query.length > 0;
  return {
    resource: match.route.resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers,
    multiValueHeaders: Object.fromEntries(multiValueHeaders),
    queryStringParameters: hasQuery ? lastOfEach(query) : null,
    multiValueQueryStringParameters: hasQuery ? Object.fromEntries(query) : null,
    pathParameters: Object.keys(match.pathParameters).length > 0 ? { ...match.pathParameters } : null,
    stageVariables: api.stageVariables && { ...api.stageVariables },
    requestContext: requestContext(request, match, api, headers),
    body: request.body.length > 0 ? request.body.toString('base64') : null,
    isBase64Encoded: request.body.length > 0,
  };
}

/** Spelled as sent; one that is sent twice under two spellings counts as one. Of several values the last is *the* value. */
function collectHeaders(request: GatewayRequest) {
  // A map, for a header may be called `constructor` or `__proto__`.
  const collected = new Map<string, { readonly spelling: string; readonly values: string[] }>();
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const spelling = request.rawHeaders[index] ?? '';
    const name = spelling.toLowerCase();
    if (DROPPED.has(name)) continue;
    const known = collected.get(name) ?? { spelling, values: [] };
    known.values.push(request.rawHeaders[index + 1] ?? '');
    collected.set(name, known);
  }
  const forwarded = [...(collected.get('x-forwarded-for')?.values ?? []), request.sourceIp].join(', ');
  const seconds = Math.floor(request.receivedAt / 1000).toString(16);
  for (const [spelling, value] of [
    ['X-Forwarded-For', forwarded],
    ['X-Forwarded-Port', String(request.port)],
    ['X-Forwarded-Proto', 'http'],
    ['X-Amzn-Trace-Id', `Root=1-${seconds}-${randomBytes(12).toString('hex')}`],
  ] as const) {
    collected.set(spelling.toLowerCase(), { spelling, values: [value] });
  }
  return [...collected.values()].map(({ spelling, values }): [string, string[]] => [spelling, values]);
}

function collectQuery(query: string): [string, string[]][] {
  const collected = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    collected.set(name, [...(collected.get(name) ?? []), value]);
  }
  return [...collected];
}

function lastOfEach(values: readonly [string, string[]][]): Record<string, string> {
  return Object.fromEntries(values.map(([name, all]) => [name, all.at(-1) ?? '']));
}

function requestContext(
  request: GatewayRequest,
  { route }: RouteMatch,
  api: ApiIdentity,
  headers: Readonly<Record<string, string>>,
): APIGatewayProxyEvent['requestContext'] {
  const header = (name: string) =>
    Object.entries(headers).find(([candidate]) => candidate.toLowerCase() === name)?.[1];
  const domainName = (header('host') ?? '').replace(/:\d+$/, '');
  return {
    accountId: LOCAL_ACCOUNT,
    apiId: api.apiId,
    authorizer: null,
    domainName,
    domainPrefix: domainName.split('.', 1)[0],
    extendedRequestId: request.extendedRequestId,
    httpMethod: request.method,
    identity: {
      ...ANONYMOUS_IDENTITY,
      sourceIp: request.sourceIp,
      userAgent: header('user-agent') ?? null,
    },
    path: request.path,
    protocol: request.protocol,
    requestId: request.requestId,
    requestTime: commonLogTime(request.receivedAt),
    requestTimeEpoch: request.receivedAt,
    resourceId: route.resourceId,
    resourcePath: route.resourcePath,
    stage: api.stage,
  };
}

const ANONYMOUS_IDENTITY = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

/** `09/Apr/2015:12:34:56 +0000` */
export function commonLogTime(milliseconds: number): string {
  const [, day, month, year, time] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(milliseconds).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
