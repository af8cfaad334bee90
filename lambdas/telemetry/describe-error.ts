/** Names the cause and the place. Messages stay out: some quote the data that they complain about. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const details = error as Error & {
    code?: unknown;
    $metadata?: { httpStatusCode?: number; attempts?: number };
  };
  return {
    error: error.name,
    errorCode: typeof details.code === 'string' ? details.code : undefined,
    httpStatusCode: details.$metadata?.httpStatusCode,
    attempts: details.$metadata?.attempts,
    stack: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 8)
      .map((line) => line.trim()),
    cause: error.cause instanceof Error ? describeError(error.cause) : undefined,
  };
}
