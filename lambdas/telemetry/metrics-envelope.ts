import { METRICS, METRICS_NAMESPACE_VARIABLE } from '../contract.ts';

const NAMESPACE = process.env[METRICS_NAMESPACE_VARIABLE] ?? METRICS.namespace;

/** What makes a log line an EMF document, from which CloudWatch takes the metrics that it names. */
export function metricsEnvelope(
  timestamp: number,
  names: readonly string[],
  dimensions: readonly (readonly string[])[],
) {
  return {
    Timestamp: timestamp,
    CloudWatchMetrics: [
      {
        Namespace: NAMESPACE,
        Dimensions: dimensions,
        Metrics: names.map((Name) => ({
          Name,
          Unit: Name === METRICS.latencyMilliseconds ? 'Milliseconds' : 'Count',
        })),
      },
    ],
  };
}
