import { Aws, Duration, NestedStack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  type GraphWidget,
  SearchExpression,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { ALL_SURFACES, type AnySurface, METRICS } from '../lambdas/contract.ts';
import {
  backgroundAlarms,
  INTERNAL_ERRORS,
  OWNER_ERRORS,
  ownerAlarms,
  sendingAlarms,
  submissionAlarms,
  watchAlarms,
} from './monitoring/alarms.ts';
import { FUNCTION_ERRORS, resourceAlarms, tableThrottles } from './monitoring/resource-alarms.ts';
import {
  AlarmTopic,
  alarmPrefix,
  type MonitoredResources,
  makeAlarm,
  nestedPrefix,
  type RunbookAlarm,
} from './monitoring/runbook-alarm.ts';
import { graph, metricsNamespace, POINT, TABLE_KEYS } from './monitoring/service-metric.ts';
import {
  backgroundWidgets,
  costWidgets,
  limitWidgets,
  ownerWidgets,
  sendingWidgets,
  watchWidgets,
} from './monitoring/widgets.ts';
import type { ServiceFunction } from './service-function.ts';
import type { Stage } from './stage.ts';

export interface MonitoringProps extends MonitoredResources {
  readonly hasAlarms: boolean;
  readonly hasDashboard: boolean;
  readonly alarmEmail: string | undefined;
}

/** Alarms besides a function's own errors that show that its callers have problems. */
const CALLER_ALARMS: Readonly<Record<string, string>> = {
  'ingest-server': INTERNAL_ERRORS,
  'ingest-webhook': INTERNAL_ERRORS,
  'mint-token': INTERNAL_ERRORS,
  'browser-submission': INTERNAL_ERRORS,
  'source-submission': INTERNAL_ERRORS,
  settings: OWNER_ERRORS,
  diagnostics: OWNER_ERRORS,
  authorize: OWNER_ERRORS,
  invite: OWNER_ERRORS,
};

/** The headings of alarms that roll back a deployment, and are therefore in the same stack as the functions. */
const ROLLS_BACK = new Set([FUNCTION_ERRORS, ...Object.values(CALLER_ALARMS)]);

/** An alarm for everything that needs action, and a dashboard: docs/runbook.md. */
export class Monitoring extends Construct {
  /** Where alarms are announced. Undefined if there are none. */
  readonly alarmTopic: Topic | undefined;
  private readonly rollbackAlarms = new Map<string, Alarm>();

  constructor(
    scope: Construct,
    id: string,
    { hasAlarms, hasDashboard, alarmEmail, ...watched }: MonitoringProps,
  ) {
    super(scope, id);
    if (!hasAlarms && !hasDashboard) return;
    const { stage } = watched;
    // A stack has room for 500 resources. Nothing outside refers to what is in this one.
    const nested = new NestedStack(this, 'Nested', {
      description: `Alarms and dashboard of lead-ingest (${stage.name})`,
    });
    if (hasAlarms)
      this.alarmTopic = new AlarmTopic(this, 'Announcements', { stage, email: alarmEmail }).topic;
    const groups = this.alarmTopic ? this.makeAlarms(nested, watched, this.alarmTopic) : {};
    if (hasDashboard) makeDashboard(nested, watched, groups);
  }

  private makeAlarms(
    nested: NestedStack,
    watched: MonitoredResources,
    topic: Topic,
  ): Record<string, Alarm[]> {
    const { stage } = watched;
    const announceAt = new SnsAction(topic);
    const make = (alarms: RunbookAlarm[]) =>
      alarms.map((each) => {
        if (!ROLLS_BACK.has(each.heading)) return makeAlarm(nested, nestedPrefix(stage), announceAt, each);
        const alarm = makeAlarm(this, alarmPrefix(stage), announceAt, each);
        this.rollbackAlarms.set(alarm.node.id, alarm);
        return alarm;
      });
    return {
      'the service': make([
        ...submissionAlarms(watched),
        ...backgroundAlarms(watched),
        ...sendingAlarms(watched),
        ...watchAlarms(watched),
        ...ownerAlarms(watched),
      ]),
      'functions and tables': make(resourceAlarms(watched)),
    };
  }

  /** The alarms that show that a new version of a function is worse than the old one. */
  alarmsAgainst(fn: ServiceFunction): Alarm[] {
    const names = [`${FUNCTION_ERRORS}-${fn.name}`, CALLER_ALARMS[fn.name]];
    return names.flatMap((name) => (name === undefined ? [] : (this.rollbackAlarms.get(name) ?? [])));
  }
}

const WHOLE_WIDTH = 24;

/** One page that answers questions from top to bottom, one per heading. */
export function makeDashboard(
  scope: Construct,
  watched: MonitoredResources,
  alarmGroups: Readonly<Record<string, Alarm[]>>,
): void {
  const dashboard = new Dashboard(scope, 'Dashboard', {
    // Dashboard names are global in an account: without the region, two stacks would share one.
    dashboardName: `${nestedPrefix(watched.stage)}${Aws.REGION}`,
    defaultInterval: Duration.hours(12),
  });
  // One widget shows at most 100 alarms.
  for (const [of, alarms] of Object.entries(alarmGroups)) {
    const title = `Alarms of ${of}: docs/runbook.md`;
    dashboard.addWidgets(new AlarmStatusWidget({ title, alarms, width: WHOLE_WIDTH, height: 4 }));
  }
  const questions = {
    'Are leads getting in?': submissionWidgets(watched),
    'How fast?': speedWidgets(watched),
    'Is what comes after the 202 keeping up?': backgroundWidgets(watched),
    'Do leads reach their destinations?': sendingWidgets(watched),
    'Are owners told what is wrong?': watchWidgets(watched),
    'Do owners get answers?': ownerWidgets(watched),
    'What does it cost?': costWidgets(watched),
    'Which limit is near?': limitWidgets(watched),
  };
  for (const [question, widgets] of Object.entries(questions)) {
    dashboard.addWidgets(new TextWidget({ markdown: `## ${question}`, width: WHOLE_WIDTH, height: 1 }));
    dashboard.addWidgets(...widgets);
  }
}

const OUTCOMES = ['accepted', 'replayed', 'rejected'] as const;

/** Accepted, rejected by reason, blocked before a function; then the causes of internal errors. */
export function submissionWidgets({
  stage,
  ingestApi,
  functions,
  tables,
}: MonitoredResources): GraphWidget[] {
  const blocked = ingestApi.metricBlocked({ label: 'blocked by the web ACL' });
  return [
    graph('Submissions', {
      left: OUTCOMES.flatMap((outcome) =>
        ALL_SURFACES.map((surface) =>
          ingestApi.metricOutcome(outcome, surface, { label: `${outcome}, ${surface}` }),
        ),
      ),
      stacked: true,
    }),
    ...ALL_SURFACES.map((surface) =>
      graph(`Rejected on ${surface}, by reason`, { left: [rejectedByReason(stage, surface)], stacked: true }),
    ),
    graph('Seen by no function, or not recorded', {
      left: [
        ingestApi.metricGatewayResponses({ label: 'answered by API Gateway' }),
        ...(blocked ? [blocked] : []),
        ...ALL_SURFACES.map((surface) =>
          ingestApi.metricDiagnosticsDropped(surface, { label: `reason not recorded, ${surface}` }),
        ),
      ],
    }),
    graph('Functions: errors (left) and throttles (right)', {
      left: functions.map((fn) => fn.metricErrors({ label: fn.name })),
      right: functions.map((fn) => fn.metricThrottles({ label: `${fn.name}, throttled` })),
    }),
    graph('Throttled by DynamoDB: by table (left), attempts of functions (right)', {
      left: TABLE_KEYS.map((tableKey) => tables.metricThrottles(tableKey, POINT)),
      right: [tableThrottles(stage, { period: POINT, label: 'attempts' })],
    }),
  ];
}

/** A search lists only reasons that occurred. Two dozen empty ones would fill the legend. */
function rejectedByReason(stage: Stage, surface: AnySurface): SearchExpression {
  const where = `{${metricsNamespace(stage)},surface,reason} MetricName="${METRICS.rejected}" surface="${surface}"`;
  return new SearchExpression({
    expression: `SEARCH('${where}', 'Sum', ${POINT.toSeconds()})`,
    label: `\${PROP('Dim.reason')}`,
  });
}

/** In the functions, and as senders see it. */
export function speedWidgets({ ingestApi, sourcesApi }: MonitoredResources): GraphWidget[] {
  return [
    ...ALL_SURFACES.map((surface) =>
      graph(`In the function, on ${surface}, ms`, {
        left: ['p50', 'p99'].map((statistic) =>
          ingestApi.metricLatency(surface, { statistic, label: statistic }),
        ),
      }),
    ),
    graph('Whole requests, cold starts included, ms', {
      left: ['p50', 'p99'].flatMap((statistic) => [
        ingestApi.metricGatewayLatency({ statistic, label: statistic }),
        sourcesApi.metricGatewayLatency({ statistic, label: `${statistic}, on 1c` }),
      ]),
    }),
  ];
}
