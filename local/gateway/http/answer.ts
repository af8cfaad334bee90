import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { InvocationError } from '../../environment.ts';
import { EVENT_LIMIT_BYTES } from '../answer.ts';
import type { ApiIdentity, GatewayRequest } from '../event.ts';
import type { Exchange } from '../exchange.ts';
import type { FrontDoor } from '../front-door.ts';
import type { Answer, FaultType } from '../gateway-responses.ts';
import { collectBody } from '../request-body.ts';
import { describeRequest, isSoundHead } from '../request-head.ts';
import type { MatchRoute, RouteMatch } from '../routes.ts';
import type { Authorize } from './authorizer.ts';
import { buildHttpEvent } from './event.ts';
import { readHttpResponse } from './response.ts';
import type { HttpRoute } from './routes.ts';

/** An HTTP API, ready to be served. */
export interface HttpApi {
  readonly identity: ApiIdentity;
  readonly match: MatchRoute<HttpRoute>;
  readonly authorize: Authorize;
  invoke(functionArn: string, event: string, signal: AbortSignal): Promise<string>;
}

const FAULT_STATUS: Readonly<Partial<Record<FaultType, number>>> = {
  DEFAULT_4XX: 400,
  MISSING_AUTHENTICATION_TOKEN: 404,
};

/** The HTTP API as the server wants it: its answers name their request in one header. */
export function openHttpApi(api: HttpApi): FrontDoor {
  const sign = (plain: Answer, { extendedRequestId }: Exchange): Answer => ({
    ...plain,
    headers: [...plain.headers, ['Apigw-Requestid', extendedRequestId]],
  });
  return {
    answer: async (incoming, exchange) => sign(await answer(api, incoming, exchange), exchange),
    answerFault: (type, exchange) => sign(fault(FAULT_STATUS[type] ?? 500), exchange),
  };
}

async function answer(api: HttpApi, incoming: IncomingMessage, exchange: Exchange): Promise<Answer> {
  const body = await collectBody(incoming);
  if (body === undefined) return fault(413, 'Request Entity Too Large');
  if (!isSoundHead(incoming)) return fault(400);
  const request = describeRequest(incoming, body, exchange);
  const match = api.match(request.method, request.path);
  if (match === undefined) return fault(404);
  const { authorizer } = match.route;
  if (authorizer === undefined) return integrate(api, match, request, undefined);
  const token = incoming.headers[authorizer.header];
  if (token === undefined) return unauthorized('Bearer');
  const claims = await api.authorize(String(token), authorizer);
  if (claims === undefined) return unauthorized('Bearer error="invalid_token"');
  return integrate(api, match, request, claims);
}

type Claims = Awaited<ReturnType<Authorize>>;

/** A function that takes longer than the integration may is not waited for, and not stopped: as on AWS. */
async function integrate(
  api: HttpApi,
  match: RouteMatch<HttpRoute>,
  request: GatewayRequest,
  claims: Claims,
): Promise<Answer> {
  const event = JSON.stringify(buildHttpEvent(request, match, api.identity, claims));
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

function unauthorized(challenge: string): Answer {
  const { headers, ...rest } = fault(401);
  return { ...rest, headers: [...headers, ['www-authenticate', challenge]] };
}

/** What an HTTP API answers by itself: its gateway responses cannot be dressed. */
function fault(statusCode: number, message = STATUS_CODES[statusCode]): Answer {
  return {
    statusCode,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify({ message })),
  };
}
