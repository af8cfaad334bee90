import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  element,
  encodeJson,
  encodeXml,
  modelOf,
  type Operation,
  type ServiceModel,
} from './encode-response.ts';

/** An error of AWS: one of the service's model, or one that every service has. */
export class AwsError extends Error {}

/** What was asked: the body's members, or those in the path and query. */
export interface Asked {
  readonly operation: string;
  readonly region: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** By `service:Operation`: the response, checked against the service's model, or an error. */
export type Responses = Readonly<Record<string, ((asked: Asked) => object | AwsError) | object | AwsError>>;

/** Errors that are in no model, each with the status that AWS sends. */
const COMMON_ERRORS: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  AccessDeniedException: 400,
  ExpiredToken: 403,
  InvalidAction: 400,
  ThrottlingException: 400,
  ValidationError: 400,
};

export interface FakeAws {
  readonly endpoint: string;
  /** Sets the responses from now on. Operations without a response fail as unknown operations do on AWS. */
  respondWith(responses: Responses): void;
  readonly asked: readonly Asked[];
  /** Throws if a response did not fit the service's model. */
  close(): Promise<void>;
}

/** Speaks the wire protocol of each service, to the real SDK. */
export async function startFakeAws(): Promise<FakeAws> {
  let responses: Responses = {};
  const asked: Asked[] = [];
  const mistakes: string[] = [];
  const server = createServer(async (request, response) => {
    try {
      const { service, region } = scopeOf(request);
      const model = modelOf(service);
      const { operation, input } = await understand(request, model);
      asked.push({ operation: `${service}:${operation.name}`, region, input });
      const given = responses[`${service}:${operation.name}`] ?? new AwsError('InvalidAction');
      const answer = typeof given === 'function' ? given(asked.at(-1) as Asked) : given;
      if (answer instanceof AwsError) sendError(response, model, answer.message);
      else sendResponse(response, model, operation, answer);
    } catch (error) {
      mistakes.push((error as Error).message);
      // Not retried by the SDK.
      response.writeHead(418).end('{}');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    respondWith(next) {
      responses = next;
      asked.length = 0;
    },
    asked,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
    },
  };
}

/** Every request is signed for a service and a region. */
function scopeOf({ headers }: IncomingMessage): { service: string; region: string } {
  const [, region = '', service = ''] =
    /Credential=[^/]+\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(headers.authorization ?? '') ?? [];
  return { service, region };
}

async function understand(request: IncomingMessage, model: ServiceModel) {
  const body = await text(request);
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://aws');
  if (model.protocol === 'query') {
    const { Action = '', ...input } = Object.fromEntries(new URLSearchParams(body));
    return { operation: require(model, Action), input };
  }
  if (model.protocol === 'json') {
    const target = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    return { operation: require(model, target), input: JSON.parse(body) };
  }
  for (const operation of model.operations.values()) {
    const [method, path = ''] = operation.http ?? [];
    const pattern = path
      .replace(/\?.*$/, '')
      .replace(/\/$/, '')
      .replace(/\{(\w+)\+?\}/g, '(?<$1>[^/]+)');
    const match = method === request.method && new RegExp(`^${pattern}/?$`).exec(pathname);
    if (match) return { operation, input: { ...Object.fromEntries(searchParams), ...match.groups } };
  }
  throw new Error(`no operation ${request.method} ${pathname}`);
}

function require({ operations }: ServiceModel, name: string): Operation {
  const operation = operations.get(name);
  if (operation) return operation;
  throw new Error(`no operation ${name}`);
}

function sendResponse(
  response: ServerResponse,
  { protocol }: ServiceModel,
  operation: Operation,
  answer: object,
) {
  const { name, output } = operation;
  if (protocol === 'json' || protocol === 'rest-json') {
    const json = JSON.stringify(encodeJson(output, answer));
    response.writeHead(operation.http?.[2] ?? 200, { 'content-type': 'application/json' }).end(json);
    return;
  }
  const members = encodeXml(output, answer);
  const xml =
    protocol === 'query'
      ? element(`${name}Response`, element(`${name}Result`, members) + element('ResponseMetadata', ''))
      : element(output.getName() ?? '', members);
  response.writeHead(200, { 'content-type': 'text/xml' }).end(xml);
}

function sendError(response: ServerResponse, model: ServiceModel, given: string) {
  const [name = '', words = 'refused'] = given.split(': ');
  const common = COMMON_ERRORS[name];
  const { code, status } = model.error(name) ?? { code: name, status: common ?? 0 };
  if (status === 0) throw new Error(`the model has no error ${name}`);
  if (model.protocol === 'json' || model.protocol === 'rest-json') {
    const headers = { 'x-amzn-errortype': name, 'x-amzn-query-error': `${code};Sender` };
    response.writeHead(status, model.protocol === 'json' ? {} : headers);
    response.end(JSON.stringify({ __type: name, message: words }));
    return;
  }
  const error = element('Type', 'Sender') + element('Code', code) + element('Message', words);
  response.writeHead(status, { 'content-type': 'text/xml' });
  response.end(element('ErrorResponse', element('Error', error) + element('RequestId', '1')));
}
