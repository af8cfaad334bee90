const GONE = JSON.stringify({
  error: 'gone',
  message:
    'This endpoint was retired on 2026-06-25. Send leads to POST /api/v1/ingest/:slug (signed) or POST /api/v1/ingest (Bearer token).',
});

/** Answers the pre-v1 path. A function, since a mock integration fails on bodies of unforeseen content types. */
export async function retired() {
  return { statusCode: 410, headers: { 'Content-Type': 'application/json' }, body: GONE };
}
