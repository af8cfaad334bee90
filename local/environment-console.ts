import { format } from 'node:util';

const LEVELS = {
  trace: 'TRACE',
  debug: 'DEBUG',
  log: 'INFO',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
} as const;

/** Makes `console` write as on Lambda: a level and the request id on every line, as text or as JSON. */
export function replaceConsole(logFormat: 'JSON' | 'Text', requestId: () => string | undefined): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, string][]) {
    console[method] = (...values: unknown[]) => {
      const timestamp = new Date().toISOString();
      const line =
        logFormat === 'JSON'
          ? JSON.stringify({ timestamp, level, requestId: requestId(), message: messageOf(values) })
          : // CloudWatch keeps a message of several lines together by this.
            [timestamp, requestId(), level, format(...values).replaceAll('\n', '\r')].join('\t');
      process.stdout.write(`${line}\n`);
    };
  }
}

function messageOf(values: readonly unknown[]): unknown {
  const [first] = values;
  const alone =
    values.length === 1 && typeof first === 'object' && first !== null && !(first instanceof Error);
  return alone ? first : format(...values);
}
