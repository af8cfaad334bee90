import type { HttpResponse } from '../submission/submission.ts';

/**
 * The same for every origin and form, so that it reveals no list. Pages may read the responses, which say nothing that
 * the sender does not know; which origins may send is judged by the submission. No cookies: `*` excludes them.
 */
const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' } as const;

/** As long as Chrome keeps it. */
const PREFLIGHT_SECONDS = 7_200;

export function respondToPreflight(): HttpResponse {
  return {
    statusCode: 204,
    headers: {
      ...ANY_ORIGIN,
      'Access-Control-Allow-Methods': 'POST',
      // By name: the wildcard does not include Authorization.
      'Access-Control-Allow-Headers': 'authorization, content-type',
      'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
    },
    body: '',
  };
}

export function readableByPages(response: HttpResponse): HttpResponse {
  return { ...response, headers: { ...response.headers, ...ANY_ORIGIN } };
}
