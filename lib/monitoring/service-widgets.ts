import type { GraphWidget } from 'aws-cdk-lib/aws-cloudwatch';
import type { MonitoredResources } from './runbook-alarm.ts';
import { graph, NOUNS } from './service-metric.ts';

const AREAS = ['settings', 'diagnostics'] as const;

/** The stream, the queue, and what came of it. */
export function backgroundWidgets({ recorder, enrichment, leadStats }: MonitoredResources): GraphWidget[] {
  return [
    graph('Behind the stream, ms', {
      left: [
        enrichment.metricStreamAge({ label: 'relay' }),
        leadStats.metricStreamAge({ label: 'stats' }),
        recorder.metricStreamAge('authenticated', { label: 'recorder' }),
        recorder.metricStreamAge('unauthenticated', { label: 'recorder-unauthenticated' }),
      ],
    }),
    graph('Queue: oldest message, s (left), messages (right)', {
      left: [enrichment.metricQueueAge({ label: 'age of the oldest' })],
      right: [
        enrichment.metricWaiting({ label: 'waiting' }),
        enrichment.metricDeadLetters({ label: 'dead letters' }),
      ],
    }),
    graph('Leads relayed, enriched, counted; rejections recorded', {
      left: [
        ...(['relayed', 'refused', 'enriched', 'retried', 'failed'] as const).map((label) =>
          enrichment.metricCount(label, { label }),
        ),
        leadStats.metricCounted({ label: 'counted' }),
        recorder.metricRecorded({ label: 'rejections recorded' }),
      ],
    }),
  ];
}

export function ownerWidgets({ settingsApi }: MonitoredResources): GraphWidget[] {
  return [
    graph('Requests of owners', {
      left: AREAS.map((area) => settingsApi.metricRequests(area, { label: area })),
    }),
    graph('Answered with 500 or more', {
      left: [
        ...AREAS.map((area) => settingsApi.metricFailures(area, { label: `by the function: ${area}` })),
        settingsApi.metricServerErrors({ label: 'in all, API Gateway included' }),
      ],
    }),
    graph('In the function, p99, ms', {
      left: AREAS.map((area) => settingsApi.metricLatency(area, { label: area })),
    }),
  ];
}

/** What AWS bills by use: units of tables, calls and time of functions. */
export function costWidgets({ tables, functions }: MonitoredResources): GraphWidget[] {
  return [
    graph('Write units, by table', {
      left: NOUNS.map((noun) => tables.metricWriteUnits(noun, { label: noun })),
      stacked: true,
    }),
    graph('Read units, by table', {
      left: NOUNS.map((noun) => tables.metricReadUnits(noun, { label: noun })),
      stacked: true,
    }),
    graph('Functions: calls (left), ms in all (right)', {
      left: functions.map((fn) => fn.metricInvocations({ label: fn.name })),
      right: functions.map((fn) => fn.metricDuration({ statistic: 'Sum', label: `${fn.name}, ms` })),
    }),
  ];
}
