import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readGatewayResponses } from '#local/gateway/gateway-responses.ts';
import { type Api, openRestApi } from '#local/gateway/rest-api.ts';
import { makeMatcher, readRoutes } from '#local/gateway/routes.ts';
import { openGateway } from '#local/gateway/server.ts';
import { TemplateReader } from '#local/template.ts';
import { gatewayResponse, templateFixture } from './template-fixture.ts';

/** A client that sends exactly these bytes, valid HTTP or not. */
export async function rawExchange(url: string, request: string | Buffer): Promise<string> {
  const socket = await rawConnect(url);
  socket.write(request);
  return untilClosed(socket);
}

export async function rawConnect(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

export async function untilClosed(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** A POST with exactly these headers: unlike `fetch`, also with a `host` of another name. */
export async function post(url: string, headers: Readonly<Record<string, string>>, body = '{}') {
  const outgoing = request(url, { method: 'POST', headers });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

export const REJECTED = '{"status":"rejected"}';
const OPAQUE = { StatusCode: '200', ResponseTemplates: { 'application/json': REJECTED } };

/** What the one function behind the gateway does. */
export type Behave = (event: APIGatewayProxyEvent, signal: AbortSignal) => Promise<unknown> | unknown;

export type TestGateway = Awaited<ReturnType<typeof openTestGateway>>;

/** The gateway with the fixture's routes, opaque gateway responses, and a function of the test. */
export async function openTestGateway() {
  const gateway = await openGateway(0);
  const template = templateFixture();
  const responses = {
    ...gatewayResponse('Four', { ResponseType: 'DEFAULT_4XX', ...OPAQUE }),
    ...gatewayResponse('Five', { ResponseType: 'DEFAULT_5XX', ...OPAQUE }),
    ...gatewayResponse('TooLarge', { ResponseType: 'REQUEST_TOO_LARGE', ...OPAQUE }),
  };
  const reader = new TemplateReader(
    { ...template, Resources: { ...template.Resources, ...responses } },
    'LeadIngest-dev',
  );
  const apiId = reader.ref('Api');
  let behave: Behave;
  let events: APIGatewayProxyEvent[];
  const api: Api = {
    identity: { apiId, stage: 'dev', stageVariables: null },
    match: makeMatcher(readRoutes(apiId, reader).map((route) => ({ ...route, timeoutMilliseconds: 300 }))),
    responseFault: readGatewayResponses(apiId, reader),
    async invoke(_, event, signal) {
      events.push(JSON.parse(event));
      return JSON.stringify(await behave(JSON.parse(event), signal));
    },
  };
  gateway.serve(openRestApi(api));
  return {
    url: gateway.url,
    close: () => gateway.close(),
    /** Starts a new list, which collects the events that reach the function. */
    serve(how: Behave = () => ({ statusCode: 202, body: '{}' })): APIGatewayProxyEvent[] {
      events = [];
      behave = how;
      return events;
    },
    post: (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      fetch(`${gateway.url}/api/v1/ingest`, { method: 'POST', body, headers }),
  };
}

export const bodyOf = (event: APIGatewayProxyEvent | undefined) => Buffer.from(event?.body ?? '', 'base64');

/** Splits the responses of one connection, and checks that all are the gateway's. */
export function responsesIn(text: string): { status: string; body: string }[] {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .filter((part) => part !== '')
    .map((part) => {
      const [head = '', body = ''] = part.split('\r\n\r\n');
      expect(head).toMatch(/^x-amzn-RequestId: [0-9a-f-]{36}$/m);
      return { status: head.split('\r\n', 1)[0] ?? '', body };
    });
}
