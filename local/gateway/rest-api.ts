import type { IncomingMessage } from 'node:http';
import { addressOnAws } from '../addresses.ts';
import { InvocationError } from '../environment.ts';
import type { FunctionPools } from '../function-pool.ts';
import { StartupError } from '../lifecycle.ts';
import type { TemplateReader } from '../template.ts';
import { type Answer, type AnswerFault, GatewayFault, readGatewayResponses } from './gateway-responses.ts';
import { describeRequest, type Exchange, isValidHead, readBody } from './request.ts';
import { type ApiIdentity, buildEvent } from './rest-event.ts';
import { readResponse } from './rest-response.ts';
import { type MatchRoute, makeMatcher, type Route, readRoutes } from './routes.ts';
import type { ApiHandler } from './server.ts';

export interface RestApi extends Api {
  readonly routes: readonly Route[];
}

/** The template's REST API, connected to the functions of its routes. */
export function makeRestApi(reader: TemplateReader, pools: FunctionPools): RestApi {
  const { apiId, stage, stageName } = findRestApi(reader);
  const routes = readRoutes(apiId, reader);
  for (const { functionArn } of routes) pools.open(functionArn);
  return {
    routes,
    identity: {
      apiId,
      stage: stageName,
      stageVariables: stage.property('Variables') ?? null,
    },
    match: makeMatcher(routes),
    answerFault: readGatewayResponses(apiId, reader),
    invoke: pools.invoke,
  };
}

/** The API's address on AWS. */
export function restApiOnAws(reader: TemplateReader): string {
  const { apiId, stageName } = findRestApi(reader);
  return addressOnAws(reader, apiId, stageName);
}

function findRestApi(reader: TemplateReader) {
  const [restApi, second] = reader.resources('AWS::ApiGateway::RestApi');
  const [stage] = reader.resources('AWS::ApiGateway::Stage');
  if (restApi === undefined || second !== undefined || stage === undefined) {
    throw new StartupError('The stack must have exactly one REST API with a stage.');
  }
  return { apiId: reader.ref(restApi.logicalId), stage, stageName: stage.required<string>('StageName') };
}

/** A REST API, ready to be served. */
export interface Api {
  readonly identity: ApiIdentity;
  readonly match: MatchRoute;
  readonly answerFault: AnswerFault;
  invoke(functionArn: string, event: string, signal: AbortSignal): Promise<string>;
}

/** Lambda's limit for synchronous events. */
export const EVENT_LIMIT_BYTES = 6_291_456;

/** Answers requests as a REST API does: with two request id headers. */
export function openRestApi(api: Api): ApiHandler {
  const addRequestIds = (plain: Answer, { requestId, extendedRequestId }: Exchange): Answer => ({
    ...plain,
    headers: [...plain.headers, ['x-amzn-RequestId', requestId], ['x-amz-apigw-id', extendedRequestId]],
  });
  return {
    answer: async (incoming, exchange) => addRequestIds(await answer(api, exchange, incoming), exchange),
    answerFault: (type, exchange) => addRequestIds(api.answerFault(type, exchange.requestId), exchange),
  };
}

async function answer(api: Api, exchange: Exchange, incoming: IncomingMessage): Promise<Answer> {
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
    if (error instanceof GatewayFault) return api.answerFault(error.type, exchange.requestId);
    // The function's log says what went wrong.
    if (error instanceof InvocationError) return api.answerFault('DEFAULT_5XX', exchange.requestId);
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
