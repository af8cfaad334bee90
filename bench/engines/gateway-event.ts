import { randomUUID } from 'node:crypto';

/** A submission on Surface 1a as API Gateway hands it to a function: base64, headers both ways. */
export function gatewayEvent(token: string, body: string, idempotencyKey?: string) {
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    ...(idempotencyKey !== undefined && { 'X-SVC-Idempotency-Key': idempotencyKey }),
  };
  return {
    resource: '/api/v1/ingest',
    path: '/api/v1/ingest',
    httpMethod: 'POST',
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    queryStringParameters: null,
    pathParameters: null,
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '192.0.2.1', userAgent: 'bench' } },
  };
}

export const LAMBDA_CONTEXT = { functionName: 'bench', getRemainingTimeInMillis: () => 10_000 };
