import { once } from 'node:events';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { InvocationError } from '../../local/environment.ts';
import { readGatewayResponses } from '../../local/gateway/gateway-responses.ts';
import { makeMatcher, readRoutes } from '../../local/gateway/routes.ts';
import { type Gateway, openGateway } from '../../local/gateway/server.ts';
import { TemplateReader } from '../../local/template.ts';
import { rawConnect, rawExchange, untilClosed } from './support/raw-client.ts';
import { gatewayResponse, templateFixture } from './support/template-fixture.ts';

const REJECTED = '{"status":"rejected"}';
const OPAQUE = { StatusCode: '200', ResponseTemplates: { 'application/json': REJECTED } };
const MEGABYTE = 1024 * 1024;

type Behave = (event: APIGatewayProxyEvent, signal: AbortSignal) => Promise<unknown> | unknown;

let gateway: Gateway;
let behave: Behave;
let events: APIGatewayProxyEvent[];

beforeAll(async () => {
  gateway = await openGateway(0);
  const template = templateFixture();
  const reader = new TemplateReader(
    {
      ...template,
      Resources: {
        ...template.Resources,
        ...gatewayResponse('Four', { ResponseType: 'DEFAULT_4XX', ...OPAQUE }),
        ...gatewayResponse('Five', { ResponseType: 'DEFAULT_5XX', ...OPAQUE }),
        ...gatewayResponse('TooLarge', { ResponseType: 'REQUEST_TOO_LARGE', ...OPAQUE }),
      },
    },
    'LeadIngest-dev',
  );
  const apiId = reader.ref('Api');
  const routes = readRoutes(apiId, reader).map((route) => ({ ...route, timeoutMilliseconds: 300 }));
  gateway.serve({
    identity: { apiId, stage: 'dev', stageVariables: null },
    match: makeMatcher(routes),
    answerFault: readGatewayResponses(apiId, reader),
    async invoke(_, event, signal) {
      events.push(JSON.parse(event));
      return JSON.stringify(await behave(JSON.parse(event), signal));
    },
  });
});

afterAll(() => gateway.close());

function serve(how: Behave = () => ({ statusCode: 202, body: '{}' })): void {
  events = [];
  behave = how;
}

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  path = '/api/v1/ingest',
) => fetch(`${gateway.url}${path}`, { method: 'POST', body, headers });

const bodyOf = (event: APIGatewayProxyEvent | undefined) => Buffer.from(event?.body ?? '', 'base64');

async function expectOpaque(response: Response, errorType: string): Promise<void> {
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(REJECTED);
  expect(response.headers.get('x-amzn-errortype')).toBe(errorType);
  expect(response.headers.get('x-amzn-requestid')).toMatch(/^[0-9a-f-]{36}$/);
}

/** Splits what came back over one connection, and checks that nobody but the gateway has spoken. */
function answersIn(text: string): { status: string; body: string }[] {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .filter((part) => part !== '')
    .map((part) => {
      const [head = '', body = ''] = part.split('\r\n\r\n');
      expect(head).toMatch(/^x-amzn-RequestId: [0-9a-f-]{36}$/m);
      return { status: head.split('\r\n', 1)[0] ?? '', body };
    });
}

describe('a request', () => {
  test('reaches the function byte for byte, whatever its bytes', async () => {
    serve();
    const sent = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 7) % 256));
    const response = await post(sent, { 'content-type': 'application/json' });
    expect(response.status).toBe(202);
    expect(bodyOf(events[0]).equals(sent)).toBe(true);
    expect(response.headers.get('x-amzn-requestid')).toBe(events[0]?.requestContext.requestId);
    expect(response.headers.get('x-amz-apigw-id')).toBe(events[0]?.requestContext.extendedRequestId);
  });

  test('may come in chunks', async () => {
    serve();
    const chunks = '5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n';
    await rawExchange(
      gateway.url,
      `POST /api/v1/ingest HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
    );
    expect(bodyOf(events[0]).toString()).toBe('{"a":1}');
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('in %s is decompressed; the header still says what it was', async (coding, compress) => {
    serve();
    await post(compress('{"a":1}'), { 'content-encoding': coding });
    expect(bodyOf(events[0]).toString()).toBe('{"a":1}');
    expect(events[0]?.headers['content-encoding']).toBe(coding);
  });

  test.each(['br', 'constructor'])('in %s is left as it is', async (coding) => {
    serve();
    await post('{"a":1}', { 'content-encoding': coding });
    expect(bodyOf(events[0]).toString()).toBe('{"a":1}');
  });

  test('to an address instead of a path, as proxies get it, finds its route', async () => {
    serve();
    await rawExchange(
      gateway.url,
      'POST http://h/api/v1/ingest/x?a=1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n',
    );
    expect(events[0]).toMatchObject({ path: '/api/v1/ingest/x', queryStringParameters: { a: '1' } });
  });

  test('with an expectation that nobody knows is answered all the same', async () => {
    serve();
    const text = await rawExchange(
      gateway.url,
      'POST /api/v1/ingest HTTP/1.1\r\nHost: h\r\nExpect: miracles\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    );
    expect(answersIn(text)).toEqual([{ status: 'HTTP/1.1 202 Accepted', body: '{}' }]);
  });
});

describe('limits', () => {
  test("a body of 10 MB and a byte: 413 of the gateway's own", async () => {
    serve();
    const response = await post(Buffer.alloc(10 * MEGABYTE + 1));
    expect(response.status).toBe(413);
    expect(await response.text()).toBe('HTTP content length exceeded 10485760 bytes.');
    expect(events).toEqual([]);
  });

  test('a body that unfolds to more than 10 MB: the same', async () => {
    serve();
    const response = await post(gzipSync(Buffer.alloc(10 * MEGABYTE + 1)), { 'content-encoding': 'gzip' });
    expect(response.status).toBe(413);
    expect(events).toEqual([]);
  });

  test('an event over 6 MB is too large for Lambda: opaque', async () => {
    serve();
    await expectOpaque(await post(Buffer.alloc(5 * MEGABYTE)), 'RequestTooLargeException');
    expect(events).toEqual([]);
  });

  test('a body of 4 MB is not', async () => {
    serve();
    expect((await post(Buffer.alloc(4 * MEGABYTE))).status).toBe(202);
    expect(bodyOf(events[0]).length).toBe(4 * MEGABYTE);
  });

  test("a coding that is not what it says: 415 of the gateway's own", async () => {
    serve();
    expect((await post('plain', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect(events).toEqual([]);
  });

  test('headers of 8 KB pass; more than 10,240 bytes are opaque', async () => {
    serve();
    expect((await post('{}', { 'x-long': 'x'.repeat(8_192) })).status).toBe(202);
    await expectOpaque(await post('{}', { 'x-long': 'x'.repeat(10_240) }), 'BadRequestException');
    expect(events).toHaveLength(1);
  });

  test('an integration that takes too long: opaque, and the waiting is called off', async () => {
    const aborted = Promise.withResolvers<void>();
    serve(async (_, signal) => {
      await once(signal, 'abort');
      aborted.resolve();
      throw new InvocationError('late');
    });
    await expectOpaque(await post('{}'), 'InternalServerErrorException');
    await aborted.promise;
  });
});

describe('what the gateway answers itself', () => {
  test.each([
    ['POST', '/nowhere'],
    ['GET', '/api/v1/ingest'],
    ['OPTIONS', '/api/v1/ingest'],
    ['POST', '/dev/api/v1/ingest'],
  ])('%s %s: there is no such route', async (method, path) => {
    serve();
    await expectOpaque(await fetch(gateway.url + path, { method }), 'MissingAuthenticationTokenException');
  });

  test.each<[string, Behave]>([
    ['fails', () => Promise.reject(new InvocationError('crashed'))],
    ['returns what is no answer', () => 'ok'],
  ])('a function that %s', async (_, how) => {
    serve(how);
    await expectOpaque(await post('{}'), 'InternalServerErrorException');
  });

  test.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a method that does not exist', 'PO ST / HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['no Host', 'POST /api/v1/ingest HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: many\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a broken chunk', 'POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a header over 64 KB', `POST / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['a null byte', 'POST /a\0b HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['CONNECT', 'CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n'],
  ])('malformed HTTP: %s', async (_, request) => {
    serve();
    const answers = answersIn(await rawExchange(gateway.url, request));
    expect(answers.at(-1)).toEqual({ status: 'HTTP/1.1 200 OK', body: REJECTED });
    expect(answers).toHaveLength(1);
    expect(events).toEqual([]);
  });
});

describe('a connection', () => {
  const request = (path: string, extra = '') =>
    `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n${extra}\r\n`;

  test('carries pipelined requests, answered in order', async () => {
    serve(async (event) => {
      // The first takes longest.
      await new Promise((resolve) => setTimeout(resolve, event.pathParameters?.slug === 'one' ? 50 : 0));
      return { body: event.pathParameters?.slug };
    });
    const text = await rawExchange(
      gateway.url,
      request('/api/v1/ingest/one') + request('/api/v1/ingest/two', 'Connection: close\r\n'),
    );
    expect(answersIn(text).map(({ body }) => body)).toEqual(['one', 'two']);
  });

  test('that turns to nonsense still gets the answer to what came before', async () => {
    serve(async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { body: 'answer' };
    });
    const text = await rawExchange(gateway.url, `${request('/api/v1/ingest/one')}nonsense\r\n\r\n`);
    expect(answersIn(text).map(({ body }) => body)).toEqual(['answer', REJECTED]);
  });

  test('that is cut in the middle of a body disturbs nobody', async () => {
    serve();
    const socket = await rawConnect(gateway.url);
    socket.write('POST /api/v1/ingest HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf');
    socket.resetAndDestroy();
    expect((await post('{}')).status).toBe(202);
    expect(events).toHaveLength(1);
  });

  test('that is cut before the answer disturbs nobody', async () => {
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    serve(async () => {
      started.resolve();
      await finish.promise;
      return { body: '' };
    });
    const socket = await rawConnect(gateway.url);
    const closed = untilClosed(socket);
    socket.write(request('/api/v1/ingest/one'));
    await started.promise;
    socket.resetAndDestroy();
    await closed;
    finish.resolve();
    serve();
    expect((await post('{}')).status).toBe(202);
  });
});

test('requests that come before there is an API wait for it', async () => {
  const early = await openGateway(0);
  const response = fetch(`${early.url}/x`, { method: 'POST' });
  early.serve({
    identity: { apiId: 'a', stage: 'dev', stageVariables: null },
    match: () => undefined,
    answerFault: () => ({ statusCode: 418, headers: [], body: Buffer.from('') }),
    invoke: () => Promise.reject(new Error('never')),
  });
  expect((await response).status).toBe(418);
  await early.close();
});

test('a port that is taken is one line', async () => {
  const { port } = new URL(gateway.url);
  await expect(openGateway(Number(port))).rejects.toThrow(`Port ${port} is taken.`);
});
