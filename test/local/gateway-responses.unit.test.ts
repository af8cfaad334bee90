import { afterAll, describe, expect, test } from '@jest/globals';
import { readGatewayResponses } from '../../local/gateway/gateway-responses.ts';
import { readResponse } from '../../local/gateway/rest-api.ts';
import { TemplateReader } from '../../local/template.ts';
import { gatewayResponse, templateFixture } from './support/template-fixture.ts';
import {
  openTestGateway,
  REJECTED,
  rawConnect,
  rawExchange,
  responsesIn,
  untilClosed,
} from './support/test-gateway.ts';

const gateway = await openTestGateway();
afterAll(gateway.close);

describe('gateway responses', () => {
  const { Resources, ...template } = templateFixture();
  const customised = {
    ...gatewayResponse('Four', { ResponseType: 'DEFAULT_4XX', StatusCode: '200' }),
    ...gatewayResponse('Timeout', { ResponseType: 'INTEGRATION_TIMEOUT', StatusCode: '599' }),
  };
  const reader = new TemplateReader(
    { ...template, Resources: { ...Resources, ...customised } },
    'LeadIngest-dev',
  );
  const responseFault = readGatewayResponses(reader.ref('Api'), reader);

  test.each([
    ['the default for 4xx is used for each 4xx', 'MISSING_AUTHENTICATION_TOKEN', 200],
    ['also for itself', 'DEFAULT_4XX', 200],
    ['it does not apply to 5xx', 'DEFAULT_5XX', 502],
    ['a specific one takes precedence', 'INTEGRATION_TIMEOUT', 599],
  ] as const)('%s: %s is %i', (_, type, statusCode) => {
    expect(responseFault(type, 'request-1').statusCode).toBe(statusCode);
  });
});

describe('function responses', () => {
  const read = (result: unknown) => readResponse(JSON.stringify(result));

  test('passes status, headers and body on', () => {
    const response = read({
      statusCode: 202,
      headers: { 'Content-Type': 'text/plain', 'X-On': true },
      body: 'ä',
    });
    expect(response).toEqual({
      statusCode: 202,
      headers: [
        ['Content-Type', 'text/plain'],
        ['X-On', 'true'],
      ],
      body: Buffer.from('ä'),
    });
  });

  test('sends each value of multiValueHeaders, which take precedence over headers', () => {
    const { headers } = read({
      headers: { 'set-cookie': 'lost', 'Content-Type': 'a/b' },
      multiValueHeaders: { 'Set-Cookie': ['one', 'two'] },
    });
    expect(headers).toEqual([
      ['Set-Cookie', 'one'],
      ['Set-Cookie', 'two'],
      ['Content-Type', 'a/b'],
    ]);
  });

  test('decodes base64', () => {
    const { body } = read({ body: 'AP8Q', isBase64Encoded: true });
    expect(body).toEqual(Buffer.from([0, 255, 16]));
  });

  test("renames headers that are not a function's to set, and drops those of the connection", () => {
    const { headers } = read({
      headers: { 'Content-Type': 'a/b', 'Content-Length': '99', Date: 'x', 'Transfer-Encoding': 'chunked' },
    });
    expect(headers).toEqual([
      ['Content-Type', 'a/b'],
      ['x-amzn-Remapped-Content-Length', '99'],
      ['x-amzn-Remapped-Date', 'x'],
    ]);
  });

  describe('is no response', () => {
    test.each<[string, unknown]>([
      ['null', null],
      ['text', 'ok'],
      ['a list', []],
      ['an unknown field', { statusCode: 200, cookies: [] }],
      ['a body that is an object', { body: {} }],
      ['a status that is no number', { statusCode: 'ok' }],
      ['a status out of range', { statusCode: 42 }],
      ['an informational status', { statusCode: 101 }],
      ['headers that are a list', { headers: [] }],
      ['a header that is an object', { headers: { a: {} } }],
      ['a header name with a blank', { headers: { 'a b': 'c' } }],
      ['a header with a line break', { headers: { a: 'b\r\nc: d' } }],
      ['values that are no list', { multiValueHeaders: { a: 'b' } }],
    ])('%s', (_, result) => {
      expect(() => read(result)).toThrow(expect.objectContaining({ type: 'DEFAULT_5XX' }));
    });

    test('a body that is not the base64 it claims to be', () => {
      expect(() => read({ body: 'not base64!', isBase64Encoded: true })).toThrow(
        expect.objectContaining({ type: 'API_CONFIGURATION_ERROR' }),
      );
    });
  });
});

describe('connections', () => {
  describe("malformed HTTP gets the API's response to bad requests, never one of Node's", () => {
    test.each([
      ['nonsense', 'nonsense\r\n\r\n'],
      ['no Host', 'POST /api/v1/ingest HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
      [
        'two lengths',
        'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      ],
      ['a broken chunk', 'POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
      ['a header over 64 KB', `POST / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`],
      ['CONNECT', 'CONNECT h:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ])('%s', async (_, request) => {
      const events = gateway.serve();
      const responses = responsesIn(await rawExchange(gateway.url, request));
      expect(responses.at(-1)).toEqual({ status: 'HTTP/1.1 200 OK', body: REJECTED });
      expect(responses).toHaveLength(1);
      expect(events).toEqual([]);
    });
  });

  describe('a connection', () => {
    test('that is cut in the middle of a body does no harm', async () => {
      const events = gateway.serve();
      const socket = await rawConnect(gateway.url);
      socket.write('POST /api/v1/ingest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf');
      socket.resetAndDestroy();
      expect((await gateway.post('{}')).status).toBe(202);
      expect(events).toHaveLength(1);
    });

    test('that is cut before the response does no harm', async () => {
      const started = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      gateway.serve(async () => {
        started.resolve();
        await finish.promise;
        return { body: '' };
      });
      const socket = await rawConnect(gateway.url);
      const closed = untilClosed(socket);
      socket.write('POST /api/v1/ingest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
      await started.promise;
      socket.resetAndDestroy();
      await closed;
      finish.resolve();
      gateway.serve();
      expect((await gateway.post('{}')).status).toBe(202);
    });
  });

  test('closing lets running requests finish and closes idle connections', async () => {
    const closing = await openTestGateway();
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    closing.serve(async () => {
      started.resolve();
      await finish.promise;
      return { statusCode: 202 };
    });
    const lingering = await rawConnect(closing.url);
    lingering.write('CONNECT h:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const response = closing.post('{}');
    await started.promise;
    const closed = Promise.all([closing.close(), closing.close()]);
    finish.resolve();
    expect((await response).status).toBe(202);
    await closed;
    lingering.destroy();
  });
});
