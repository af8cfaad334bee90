import { Duration } from 'aws-cdk-lib';
import { NONE_IS_FINE, NONE_IS_NO_NEWS, type RunbookAlarm } from './runbook-alarm.ts';
import type { Watched } from './watched.ts';

const period = Duration.minutes(5);

/** What happens after the 202. Nothing is lost yet when these go off: that is why they go off so early. */
export function backgroundAlarms({ recorder, enrichment, leadStats }: Watched): RunbookAlarm[] {
  const streams = {
    relay: enrichment.metricStreamAge({ period }),
    stats: leadStats.metricStreamAge({ period }),
    recorder: recorder.metricStreamAge('authenticated', { period }),
    'recorder-unauthenticated': recorder.metricStreamAge('unauthenticated', { period }),
  };
  return [
    ...Object.entries(streams).map(([name, metric]) => ({
      heading: 'StreamBehind',
      of: name,
      meaning: `The function ${name} is a quarter of an hour behind its stream, which forgets after 24 hours.`,
      metric,
      threshold: Duration.minutes(15).toMilliseconds(),
      missingData: NONE_IS_NO_NEWS,
    })),
    {
      heading: 'EnrichmentBehind',
      meaning: 'A clean lead has waited for an hour to be enriched. The queue forgets after 14 days.',
      metric: enrichment.metricQueueAge({ period }),
      // A message that fails again and again is a dead letter after a few minutes, long before this.
      threshold: Duration.hours(1).toSeconds(),
      // SQS is silent about a queue that nobody has used for hours: it is empty.
      missingData: NONE_IS_FINE,
    },
    {
      heading: 'DeadLetters',
      meaning: 'The enrichment of a lead failed five times, and waits for somebody.',
      metric: enrichment.metricDeadLetters({ period }),
      threshold: 1,
      missingData: NONE_IS_FINE,
    },
  ];
}
