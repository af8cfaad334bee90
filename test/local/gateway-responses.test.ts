import { describe, expect, test } from '@jest/globals';
import { type FaultType, readGatewayResponses } from '../../local/gateway/gateway-responses.ts';
import { TemplateReader } from '../../local/template.ts';
import { gatewayResponse, templateFixture } from './support/template-fixture.ts';

function answerer(...responses: Record<string, ReturnType<typeof gatewayResponse>[string]>[]) {
  const template = templateFixture();
  const reader = new TemplateReader(
    { ...template, Resources: Object.assign({}, template.Resources, ...responses) },
    'LeadIngest-dev',
  );
  const answerFault = readGatewayResponses(reader.ref('Api'), reader);
  return (type: FaultType) => {
    const { statusCode, headers, body } = answerFault(type, 'request-1');
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
  const answer = answerer(
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

  test('the default for 4xx answers each 4xx, with its own error type', () => {
    expect(answer('MISSING_AUTHENTICATION_TOKEN')).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/json',
        'x-amzn-ErrorType': 'MissingAuthenticationTokenException',
      },
      body: '{"status":"rejected"}',
    });
    expect(answer('DEFAULT_4XX').statusCode).toBe(200);
  });

  test('a specific one goes before the default, with its headers and variables', () => {
    expect(answer('INTEGRATION_TIMEOUT')).toEqual({
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
    expect(answer('DEFAULT_5XX').statusCode).toBe(502);
  });

  test('a response without a status keeps that of the error', () => {
    const kept = answerer(gatewayResponse('Five', { ResponseType: 'DEFAULT_5XX' }));
    expect(kept('INTEGRATION_TIMEOUT').statusCode).toBe(504);
  });
});
