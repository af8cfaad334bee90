import type { Sender } from '#conformance/world/submission.ts';
import type { Surface } from '#submission/limits.ts';
import { signatureOf } from '#submission/signed-request.ts';

export type { Sender };

export interface Sending {
  readonly surface: Surface;
  readonly sender: Sender;
  readonly requestId: string;
  readonly body: string;
  readonly key: string | undefined;
  readonly nowMilliseconds: number;
}

/** The request as API Gateway hands it over: base64, every header with all of its values. */
export function gatewayEvent({ surface, sender, requestId, body, key, nowMilliseconds }: Sending): unknown {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    ...(key !== undefined && { 'X-SVC-Idempotency-Key': key }),
    ...(surface === '1a'
      ? { Authorization: `Bearer ${sender.token}` }
      : signed(sender.secret, body, nowMilliseconds)),
  };
  return {
    resource: surface === '1a' ? '/api/v1/ingest' : '/api/v1/ingest/{slug}',
    pathParameters: surface === '1a' ? null : { slug: sender.slug },
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    requestContext: { requestId, identity: { sourceIp: '192.0.2.1', userAgent: 'faults' } },
  };
}

function signed(secret: string, body: string, nowMilliseconds: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMilliseconds / 1000));
  const signature = signatureOf(secret, timestamp, Buffer.from(body)).toString('hex');
  return { 'X-SVC-Timestamp': timestamp, 'X-SVC-Signature': signature };
}
