import { METRICS, METRICS_NAMESPACE_VARIABLE } from '../contract.ts';

const NAMESPACE = process.env[METRICS_NAMESPACE_VARIABLE] ?? METRICS.namespace;

/** Metrics by the same dimensions. Each name with each value of its dimensions is a metric that AWS bills by the month. */
export interface MetricSet {
  readonly names: readonly string[];
  readonly dimensions: readonly string[];
}

/** What makes a log line an EMF document, from which CloudWatch takes the metrics that it names. */
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
