import { METRICS, METRICS_NAMESPACE_VARIABLE } from '../contract.ts';

export type WriteLine = (line: string) => void;

/** Not console.log: with Lambda's JSON logging that would wrap the line, and CloudWatch would find no metrics in it. */
export const toStdout: WriteLine = (line) => void process.stdout.write(`${line}\n`);

const NAMESPACE = process.env[METRICS_NAMESPACE_VARIABLE] ?? METRICS.namespace;

/** Metrics by the same dimensions. Each name with each value of its dimensions is a metric that AWS bills by the month. */
export interface MetricSet {
  readonly names: readonly string[];
  readonly dimensions: readonly string[];
}

/** Makes a log line an EMF document, from which CloudWatch extracts the metrics it names. */
export function metricsEnvelope(timestamp: number, ...sets: readonly MetricSet[]) {
  return {
    Timestamp: timestamp,
    CloudWatchMetrics: sets.map(({ names, dimensions }) => ({
      Namespace: NAMESPACE,
      Dimensions: [dimensions],
      Metrics: names.map((Name) => ({
        Name,
        Unit: Name === METRICS.latencyMilliseconds ? 'Milliseconds' : 'Count',
      })),
    })),
  };
}

/** The cause and the place. Never the message: some quote the data they complain about. */
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

/** The log of a background function: a code and counts, never the content of a lead. */
export interface FunctionLog {
  write(code: string, counts: Readonly<Record<string, number>>): void;
}

/** Each line is also an EMF document, in which every count is a metric of that name. */
export function makeFunctionLog(now: () => number, write: WriteLine = toStdout): FunctionLog {
  return {
    write(code, counts) {
      const _aws = metricsEnvelope(now(), { names: Object.keys(counts), dimensions: [] });
      write(JSON.stringify({ level: 'INFO', code, ...counts, _aws }));
    },
  };
}
