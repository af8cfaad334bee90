import { STATUS_CODES } from 'node:http';
import type { TemplateReader } from '../template.ts';

/** The response to the client. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** API Gateway's own errors, as far as they can happen here. */
export type FaultType =
  | 'API_CONFIGURATION_ERROR'
  | 'DEFAULT_4XX'
  | 'DEFAULT_5XX'
  | 'INTEGRATION_TIMEOUT'
  | 'MISSING_AUTHENTICATION_TOKEN'
  | 'REQUEST_TOO_LARGE';

interface Fault {
  readonly statusCode: number;
  readonly message: string;
  readonly errorType: string;
}

const FAULTS: Readonly<Record<FaultType, Fault>> = {
  API_CONFIGURATION_ERROR: fault(500, 'Internal server error', 'InternalServerErrorException'),
  DEFAULT_4XX: fault(400, 'Bad Request', 'BadRequestException'),
  // A function that fails, crashes, times out or returns an invalid response.
  DEFAULT_5XX: fault(502, 'Internal server error', 'InternalServerErrorException'),
  INTEGRATION_TIMEOUT: fault(504, 'Endpoint request timed out', 'InternalServerErrorException'),
  // An unknown path or method: API Gateway reports a missing signature.
  MISSING_AUTHENTICATION_TOKEN: fault(
    403,
    'Missing Authentication Token',
    'MissingAuthenticationTokenException',
  ),
  REQUEST_TOO_LARGE: fault(413, 'Request Too Long', 'RequestTooLargeException'),
};

/** A request that the gateway itself rejects. */
export class GatewayFault extends Error {
  override readonly name = 'GatewayFault';
  readonly type: FaultType;

  constructor(type: FaultType) {
    super(FAULTS[type].message);
    this.type = type;
  }
}

export type ResponseFault = (type: FaultType, requestId: string) => HttpResponse;

interface Customization {
  readonly statusCode: number | undefined;
  readonly contentType: string;
  readonly template: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** The API's responses to its own errors: from the template's gateway responses, or API Gateway's defaults. */
export function readGatewayResponses(restApiId: string, reader: TemplateReader): ResponseFault {
  const customized = new Map<string, Customization>();
  for (const resource of reader.resources('AWS::ApiGateway::GatewayResponse')) {
    if (resource.property('RestApiId') !== restApiId) continue;
    const [[contentType, template] = ['application/json', DEFAULT_TEMPLATE]] = Object.entries(
      resource.property<Record<string, string>>('ResponseTemplates') ?? {},
    );
    const statusCode = resource.property<string>('StatusCode');
    customized.set(resource.required('ResponseType'), {
      statusCode: statusCode === undefined ? undefined : Number(statusCode),
      contentType,
      template,
      headers: staticHeaders(resource.property<Record<string, string>>('ResponseParameters') ?? {}),
    });
  }
  return (type, requestId) => {
    const { statusCode, message, errorType } = FAULTS[type];
    const fallback = statusCode < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX';
    const custom = customized.get(type) ?? customized.get(fallback);
    const context = { 'error.message': message, 'error.responseType': type, requestId };
    return {
      statusCode: custom?.statusCode ?? statusCode,
      headers: [
        ['Content-Type', custom?.contentType ?? 'application/json'],
        ['x-amzn-ErrorType', errorType],
        ...(custom?.headers ?? []),
      ],
      body: Buffer.from(render(custom?.template ?? DEFAULT_TEMPLATE, context)),
    };
  };
}

const DEFAULT_TEMPLATE = '{"message":$context.error.messageString}';

function render(template: string, context: Readonly<Record<string, string>>): string {
  return template.replace(/\$context\.([A-Za-z.]*[A-Za-z])/g, (_, name: string) =>
    name === 'error.messageString' ? JSON.stringify(context['error.message']) : (context[name] ?? ''),
  );
}

/** `gatewayresponse.header.X: "'value'"`. Values from the request are not supported. */
function staticHeaders(parameters: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(parameters).flatMap(([key, value]): [string, string][] => {
    const [, name] = /^gatewayresponse\.header\.(.+)$/.exec(key) ?? [];
    const [, text] = /^'(.*)'$/.exec(value) ?? [];
    return name === undefined || text === undefined ? [] : [[name, text]];
  });
}

/** Errors raised before the API is known. Gateway responses don't apply to them. */
export const BODY_OVER_10_MB: HttpResponse = {
  statusCode: 413,
  headers: [
    ['Content-Type', 'text/plain'],
    ['x-amzn-ErrorType', 'RequestTooLargeException'],
  ],
  body: Buffer.from('HTTP content length exceeded 10485760 bytes.'),
};

export const CORRUPT_CODING: HttpResponse = {
  statusCode: 415,
  headers: [
    ['Content-Type', 'application/json'],
    ['x-amzn-ErrorType', 'UnsupportedMediaTypeException'],
  ],
  body: Buffer.from(JSON.stringify({ message: STATUS_CODES[415] })),
};

function fault(statusCode: number, message: string, errorType: string): Fault {
  return { statusCode, message, errorType };
}
