import { Duration } from 'aws-cdk-lib';
import { type GraphWidget, type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { QUEUE_RETENTION } from '../event-sources.ts';
import { SENDING_QUEUES } from '../sending.ts';
import type { MonitoredResources } from './runbook-alarm.ts';
import { graph, metricId, sumOf, TABLE_KEYS } from './service-metric.ts';

const AREAS = ['settings', 'diagnostics', 'members'] as const;

/** The stream, the queue, and the outcomes. */
export function backgroundWidgets({
  recorder,
  enrichment,
  search,
  learning,
  leadStats,
}: MonitoredResources): GraphWidget[] {
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
      left: [
        enrichment.metricQueueAge({ label: 'age of the oldest' }),
        search.metricQueueAge({ label: 'age of the oldest for the search index' }),
        learning.metricQueueAge({ label: 'age of the oldest to learn from' }),
      ],
      right: [
        enrichment.metricWaiting({ label: 'waiting' }),
        enrichment.metricDeadLetters({ label: 'dead letters' }),
      ],
    }),
    graph('Leads relayed, enriched, counted, indexed; rejections recorded', {
      left: [
        ...(['relayed', 'refused', 'enriched', 'retried', 'failed'] as const).map((label) =>
          enrichment.metricCount(label, { label }),
        ),
        leadStats.metricCounted({ label: 'counted' }),
        search.metricCount('indexed', { label: 'indexed' }),
        search.metricCount('failed', { label: 'not indexed yet' }),
        recorder.metricRecorded({ label: 'rejections recorded' }),
      ],
    }),
  ];
}

/** What became of messages, whether they wait too long, and what needs an operator. */
export function sendingWidgets({ sending }: MonitoredResources): GraphWidget[] {
  return [
    graph('Messages to destinations', {
      left: (['dispatched', 'sent', 'retried', 'parked', 'failed'] as const).map((label) =>
        sending.metricCount(label, { label }),
      ),
    }),
    graph('Queues: oldest event and oldest message, s', {
      left: SENDING_QUEUES.map((of) => sending.metricQueueAge(of, { label: of })),
    }),
    graph('Dead letters, and destinations that were disabled', {
      left: [
        sending.metricDeadLetters({ label: 'dead letters' }),
        sending.metricCount('disabled', { label: 'destinations disabled' }),
      ],
    }),
  ];
}

/** Whether the watch runs and for whom, and what it found. */
export function watchWidgets({ alerts }: MonitoredResources): GraphWidget[] {
  return [
    // Every point is one run.
    graph('Workspaces watched', {
      left: [alerts.metricCount('watched', { statistic: 'Maximum', label: 'workspaces' })],
    }),
    graph('Alerts', {
      left: (['opened', 'closed'] as const).map((label) => alerts.metricCount(label, { label })),
    }),
    graph('Workspaces that could not be watched', {
      left: [alerts.metricCount('failed', { label: 'failures' })],
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
      left: TABLE_KEYS.map((tableKey) => tables.metricWriteUnits(tableKey, { label: tableKey })),
      stacked: true,
    }),
    graph('Read units, by table', {
      left: TABLE_KEYS.map((tableKey) => tables.metricReadUnits(tableKey, { label: tableKey })),
      stacked: true,
    }),
    graph('Functions: calls (left), ms in all (right)', {
      left: functions.map((fn) => fn.metricInvocations({ label: fn.name })),
      right: functions.map((fn) => fn.metricDuration({ statistic: 'Sum', label: `${fn.name}, ms` })),
    }),
  ];
}

/** AWS's default quotas: docs/scale.md has the sources, and what to request. */
const DEFAULTS = { gatewayRequestsASecond: 10_000, tableWriteUnitsASecond: 40_000 };

const STREAM_RETENTION = Duration.hours(24);

/** Per minute, because short peaks reach a limit first. */
const period = Duration.minutes(1);

/** The used percentage of each limit, so that the nearest one stands out. */
export function limitWidgets(watched: MonitoredResources): GraphWidget[] {
  const halfAPage = { width: 12, leftYAxis: { min: 0, label: '%', showUnits: false } };
  return [
    graph('Used of the limits before the 202, %', { ...halfAPage, left: limitsOfIngest(watched) }),
    graph('Used of the limits behind it, %', { ...halfAPage, left: downstreamLimits(watched) }),
  ];
}

function limitsOfIngest({ ingestApi, sourcesApi, tables }: MonitoredResources): IMetric[] {
  const { gatewayRequestsASecond, tableWriteUnitsASecond } = DEFAULTS;
  return [
    usedConcurrency(),
    percentOf(
      sumOf(
        [ingestApi, sourcesApi].map((api) => api.metricRequests({ period })),
        'requests',
        period,
      ),
      60 * gatewayRequestsASecond,
      `API Gateway, of ${gatewayRequestsASecond} requests/s`,
    ),
    ...TABLE_KEYS.map((tableKey) =>
      percentOf(
        tables.metricWriteUnits(tableKey, { period }),
        60 * tableWriteUnitsASecond,
        `${tableKey}, of ${tableWriteUnitsASecond} write units/s`,
      ),
    ),
  ];
}

function downstreamLimits({ enrichment, sending, leadStats }: MonitoredResources): IMetric[] {
  return [
    percentOf(
      enrichment.metricConcurrency({ period }),
      enrichment.concurrency,
      `enrichment, of ${enrichment.concurrency} functions`,
    ),
    percentOf(enrichment.metricQueueAge({ period }), QUEUE_RETENTION.toSeconds(), 'queue, of 14 days'),
    percentOf(
      enrichment.metricStreamAge({ period }),
      STREAM_RETENTION.toMilliseconds(),
      'relay, of 24 hours',
    ),
    percentOf(leadStats.metricStreamAge({ period }), STREAM_RETENTION.toMilliseconds(), 'stats, of 24 hours'),
    percentOf(
      sending.metricConcurrency({ period }),
      sending.concurrency.send,
      `sending, of ${sending.concurrency.send} functions`,
    ),
    ...SENDING_QUEUES.map((of) =>
      percentOf(sending.metricQueueAge(of, { period }), QUEUE_RETENTION.toSeconds(), `${of}, of 14 days`),
    ),
  ];
}

function percentOf(used: IMetric, limit: number, label: string): MathExpression {
  const id = metricId(label);
  return new MathExpression({
    expression: `100 * ${id} / ${limit}`,
    usingMetrics: { [id]: used },
    label,
    period,
  });
}

/** For the whole account in this region, with its current quota. */
function usedConcurrency(): MathExpression {
  const used = new Metric({
    namespace: 'AWS/Usage',
    metricName: 'ResourceCount',
    dimensionsMap: { Service: 'Lambda', Type: 'Resource', Resource: 'ConcurrentExecutions', Class: 'None' },
    statistic: 'Maximum',
    period,
  });
  return new MathExpression({
    expression: '100 * concurrency / SERVICE_QUOTA(concurrency)',
    usingMetrics: { concurrency: used },
    label: "Lambda, of the account's concurrency",
    period,
  });
}
