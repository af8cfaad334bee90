import { METRICS } from '../contract.ts';

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
        Namespace: METRICS.namespace,
        Dimensions: dimensions,
        Metrics: names.map((Name) => ({
          Name,
          Unit: Name === METRICS.latencyMilliseconds ? 'Milliseconds' : 'Count',
        })),
      },
    ],
  };
}
