const GONE = JSON.stringify({
  error: 'gone',
  message:
    'This endpoint was retired on 2026-06-25. Send leads to POST /api/v1/ingest/:slug (signed) or POST /api/v1/ingest (Bearer token).',
});

/** Responds to the pre-v1 path. A function, because a mock integration fails on bodies with unexpected content types. */
export async function handler() {
  return { statusCode: 410, headers: { 'Content-Type': 'application/json' }, body: GONE };
}
