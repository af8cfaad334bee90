import type { Request } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { OwnerEvent, Step } from './owner-request.ts';
import { Problem } from './problem.ts';

const LARGEST_BODY_BYTES = 256 * 1024;

/**
 * Reads the body, if there is one. The parser's errors carry the body with them: they end here, and what is thrown
 * in their place says only what kind of mistake it was.
 */
export function readJsonBody(): Step {
  const parse = httpJsonBodyParser().before as unknown as (request: Request<OwnerEvent>) => void;
  return {
    before: function readJsonBodyBefore(request) {
      const { body, isBase64Encoded, requestContext } = request.event;
      // A body means nothing to GET and DELETE: clients that send one all the same are not turned away for it.
      const isReadable = !['GET', 'DELETE'].includes(requestContext.http.method);
      if (!isReadable || typeof body !== 'string' || body === '') {
        request.event.body = undefined;
        return;
      }
      if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > LARGEST_BODY_BYTES) {
        throw new Problem('body-too-large', { detail: `At most ${LARGEST_BODY_BYTES} bytes are taken.` });
      }
      try {
        parse(request as Request<OwnerEvent>);
      } catch (error) {
        const { statusCode } = error as { statusCode?: number };
        if (statusCode === 415) throw new Problem('unsupported-media-type');
        throw new Problem('invalid-request', { errors: [{ field: '', problem: 'is not valid JSON' }] });
      }
    },
  };
}
