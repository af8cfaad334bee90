import { describe, expect, test } from '@jest/globals';
import { type FaultType, readGatewayResponses } from '../../local/gateway/gateway-responses.ts';
import { readResponse } from '../../local/gateway/rest-api.ts';
import { TemplateReader } from '../../local/template.ts';
import { gatewayResponse, templateFixture } from './support/template-fixture.ts';

describe('gateway responses', () => {
  function answerer(...responses: Record<string, ReturnType<typeof gatewayResponse>[string]>[]) {
    const template = templateFixture();
    const reader = new TemplateReader(
      { ...template, Resources: Object.assign({}, template.Resources, ...responses) },
      'LeadIngest-dev',
    );
    const responseFault = readGatewayResponses(reader.ref('Api'), reader);
    return (type: FaultType) => {
      const { statusCode, headers, body } = responseFault(type, 'request-1');
      return { statusCode, headers: Object.fromEntries(headers), body: body.toString() };
    };
  }

  const OPAQUE = { StatusCode: '200', ResponseTemplates: { 'application/json': '{"status":"rejected"}' } };

  describe('by default', () => {
    test.each([
      [
        'MISSING_AUTHENTICATION_TOKEN',
        403,
        'Missing Authentication Token',
        'MissingAuthenticationTokenException',
      ],
      ['INTEGRATION_TIMEOUT', 504, 'Endpoint request timed out', 'InternalServerErrorException'],
      ['DEFAULT_5XX', 502, 'Internal server error', 'InternalServerErrorException'],
      ['REQUEST_TOO_LARGE', 413, 'Request Too Long', 'RequestTooLargeException'],
    ] as const)('%s is %d', (type, statusCode, message, errorType) => {
      expect(answerer()(type)).toEqual({
        statusCode,
        headers: { 'Content-Type': 'application/json', 'x-amzn-ErrorType': errorType },
        body: JSON.stringify({ message }),
      });
    });
  });

  describe('customised', () => {
    const response = answerer(
      gatewayResponse('Four', { ResponseType: 'DEFAULT_4XX', ...OPAQUE }),
      gatewayResponse('Timeout', {
        ResponseType: 'INTEGRATION_TIMEOUT',
        StatusCode: '599',
        ResponseParameters: { 'gatewayresponse.header.X-Why': "'slow'" },
        ResponseTemplates: {
          'text/plain': '$context.error.responseType $context.error.message ($context.requestId)',
        },
      }),
    );

    test('the default for 4xx is used for each 4xx, with its own error type', () => {
      expect(response('MISSING_AUTHENTICATION_TOKEN')).toEqual({
        statusCode: 200,
        headers: {
          'Content-Type': 'application/json',
          'x-amzn-ErrorType': 'MissingAuthenticationTokenException',
        },
        body: '{"status":"rejected"}',
      });
      expect(response('DEFAULT_4XX').statusCode).toBe(200);
    });

    test('a specific one takes precedence over the default, with its headers and variables', () => {
      expect(response('INTEGRATION_TIMEOUT')).toEqual({
        statusCode: 599,
        headers: {
          'Content-Type': 'text/plain',
          'x-amzn-ErrorType': 'InternalServerErrorException',
          'X-Why': 'slow',
        },
        body: 'INTEGRATION_TIMEOUT Endpoint request timed out (request-1)',
      });
    });

    test('does not apply to 5xx', () => {
      expect(response('DEFAULT_5XX').statusCode).toBe(502);
    });

    test('a response without a status keeps that of the error', () => {
      const kept = answerer(gatewayResponse('Five', { ResponseType: 'DEFAULT_5XX' }));
      expect(kept('INTEGRATION_TIMEOUT').statusCode).toBe(504);
    });
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

  test('defaults to JSON, status 200 and an empty body', () => {
    expect(read({})).toEqual({
      statusCode: 200,
      headers: [['Content-Type', 'application/json']],
      body: Buffer.alloc(0),
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
