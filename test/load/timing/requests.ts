import type { APIGatewayProxyEvent } from 'aws-lambda';
import { signatureOf } from '#submission/signed-request.ts';
import { NOW, SECRET } from './records.ts';

export type GatewayEvent = APIGatewayProxyEvent;

/** What a sender adds to a request, or leaves out with null. */
export interface Variation {
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: Buffer;
  /** What it is signed with: the guess of somebody who knows no secret, unless told otherwise. */
  readonly signedWith?: string;
  /** When it is signed: when the clock of the tests stands still, unless told otherwise. */
  readonly signedAtMilliseconds?: number;
}

const BODY = Buffer.from(
  '{"name":"Ada Byron","email":"ada@analytical-engines.co.uk","company":"Analytical Engines"}',
);
const GUESS = `${SECRET.slice(0, -1)}e`;

export function serverRequest(token: string, { headers = {}, body = BODY }: Variation = {}): GatewayEvent {
  return gatewayEvent('/api/v1/ingest', null, body, { Authorization: `Bearer ${token}`, ...headers });
}

export function webhookRequest(slug: string, variation: Variation = {}): GatewayEvent {
  const { headers = {}, body = BODY, signedWith = GUESS, signedAtMilliseconds = NOW } = variation;
  const timestamp = String(Math.floor(signedAtMilliseconds / 1000));
  return gatewayEvent('/api/v1/ingest/{slug}', { slug }, body, {
    'X-SVC-Timestamp': timestamp,
    'X-SVC-Signature': signatureOf(signedWith, timestamp, body).toString('hex'),
    ...headers,
  });
}

/** As API Gateway hands a request over. */
function gatewayEvent(
  resource: string,
  pathParameters: { slug: string } | null,
  body: Buffer,
  given: Readonly<Record<string, string | null>>,
): GatewayEvent {
  const sent = Object.entries({ 'Content-Type': 'application/json', ...given }).filter(
    (header): header is [string, string] => header[1] !== null,
  );
  return {
    resource,
    pathParameters,
    body: body.toString('base64'),
    isBase64Encoded: true,
    headers: Object.fromEntries(sent),
    multiValueHeaders: Object.fromEntries(sent.map(([name, value]) => [name, [value]])),
    requestContext: {
      requestId: '0b1f7a2c-6f4e-4d55-9a37-0c52d1a6a0f4',
      identity: { sourceIp: '192.0.2.1', userAgent: 'timing' },
    },
  } as unknown as GatewayEvent;
}
