import type { Request } from '@middy/core';
import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { describeError, metricsEnvelope, toStdout, type WriteLine } from '../../aws/telemetry.ts';
import { METRICS } from '../../contract.ts';
import { isSlug } from '../../model/configuration.ts';
import { collectHeaders } from '../../model/headers.ts';
import { parseJsonObject } from '../../model/lead-body.ts';
import { Rejection } from '../../model/reasons.ts';
import { requireIdentityEncoding, requireJsonContentType } from '../../submission/parse-body.ts';
import { type HttpResponse, rawBody, rejected } from '../../submission/submission.ts';
import { keysFromEnvironment } from '../browser-dependencies.ts';
import { BROWSER_TOKEN_SECONDS, mintBrowserToken, parseNonce, type SigningKey } from '../browser-token.ts';
import { readableByPages, respondToPreflight } from '../cors.ts';
import { boundOrigin } from '../sent-origin.ts';

export interface MintTokenDependencies {
  /** The first one signs. */
  readonly readKeys: () => Promise<readonly SigningKey[]>;
  readonly now: () => number;
  readonly write: WriteLine;
}

/**
 * Mints a token for whoever asks, and reads no table: it cannot reveal which forms exist, and cannot be slowed down by
 * them. Everything is judged when the lead is sent.
 */
export function makeMintToken({ readKeys, now, write }: MintTokenDependencies) {
  async function mint(event: APIGatewayProxyEvent): Promise<HttpResponse> {
    const claims = readClaims(event);
    const [key] = await readKeys();
    if (!key) throw new Error('There is no key to sign with');
    const token = mintBrowserToken(claims, key, now());
    return {
      statusCode: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      body: JSON.stringify({ token, expires_in: BROWSER_TOKEN_SECONDS }),
    };
  }

  const handle = middy<APIGatewayProxyEvent, HttpResponse>()
    .use({ onError: respondToMalformed(now, write) })
    .handler(mint);

  /** Also responds to the preflight requests of both routes. */
  return async function mintToken(event: APIGatewayProxyEvent, context: Context): Promise<HttpResponse> {
    if (event.httpMethod === 'OPTIONS') return respondToPreflight();
    return readableByPages(await handle(event, context));
  };
}

/** Like every rejection. Only our own failures are logged and counted: anybody can send nonsense. */
function respondToMalformed(now: () => number, write: WriteLine) {
  return function respondToMalformedOnError(request: Request<APIGatewayProxyEvent, HttpResponse>): void {
    request.response = rejected();
    if (request.error instanceof Rejection) return;
    const { requestId } = request.event.requestContext;
    write(
      JSON.stringify({
        level: 'ERROR',
        code: 'mint.defect',
        requestId,
        ...describeError(request.error),
        // Reported like a failed submission, because the page cannot send one without a token.
        surface: '2',
        reason: 'internal_error',
        [METRICS.rejected]: 1,
        _aws: metricsEnvelope(now(), { names: [METRICS.rejected], dimensions: ['surface', 'reason'] }),
      }),
    );
  };
}

/** Far more than a slug and a nonce take. */
const MAX_BODY_BYTES = 1_024;

function readClaims(event: APIGatewayProxyEvent) {
  const headers = collectHeaders(event.headers, event.multiValueHeaders);
  const body = rawBody(event.body, event.isBase64Encoded);
  if (body.byteLength > MAX_BODY_BYTES) throw new Rejection('body_too_large');
  requireIdentityEncoding(headers);
  requireJsonContentType(headers);
  const { form, nonce } = parseJsonObject(body.bytes()).fields;
  const parsed = typeof nonce === 'string' ? parseNonce(nonce) : undefined;
  if (typeof form !== 'string' || !isSlug(form)) throw new Rejection('form_not_found');
  if (parsed === undefined) throw new Rejection('token_invalid');
  return { slug: form, nonce: parsed, origin: boundOrigin(headers) };
}

export function mintTokenDependencies(env: NodeJS.ProcessEnv): MintTokenDependencies {
  return { readKeys: keysFromEnvironment(env), now: Date.now, write: toStdout };
}
