import { Readable } from 'node:stream';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { HttpResponse } from '@smithy/core/protocols';
import type { Template } from 'aws-cdk-lib/assertions';
import { defectLine, makeIndexLeads } from '#leads/search/index-leads/handler.ts';
import { makeAuthorize } from '../../lambdas/access/authorize/handler.ts';
import { countsOfRun, makeWatch } from '../../lambdas/alerts/watch/handler.ts';
import { countThrottles } from '../../lambdas/aws/table-throttles.ts';
import { type FunctionLog, makeFunctionLog } from '../../lambdas/aws/telemetry.ts';
import {
  ACTIVITY_METRICS,
  ALERT_METRICS,
  ALL_SURFACES,
  GATEWAY_METRICS,
  METRICS,
  OWNER_METRICS,
  REASONS,
  SEARCH_METRICS,
  SENDING_METRICS,
  STREAM_METRICS,
} from '../../lambdas/contract.ts';
import { makeEnrichmentTelemetry } from '../../lambdas/enrichment/enrich/enrich-lead.ts';
import { makeRelay } from '../../lambdas/enrichment/relay/handler.ts';
import { makeOwnerTelemetry } from '../../lambdas/owner-api/owner-request.ts';
import { ROUTES } from '../../lambdas/owner-api/route-table.ts';
import { makeRecorder } from '../../lambdas/rejections/recorder/handler.ts';
import { makeDispatch } from '../../lambdas/sending/dispatch/handler.ts';
import { MESSAGE_STATUSES } from '../../lambdas/sending/message.ts';
import { makeSendTelemetry } from '../../lambdas/sending/send/handler.ts';
import type { ActiveWorkspaces } from '../../lambdas/stats/active-workspaces-store.ts';
import { makeStats } from '../../lambdas/stats/handler.ts';
import { makeTelemetry } from '../../lambdas/submission/respond-and-report.ts';
import { insertOf } from '../lambdas/stats/stream-records.ts';
import { asText } from './synthesize.ts';

/** Every metric name of the contract. */
export const METRIC_NAMES: readonly string[] = [
  METRICS,
  STREAM_METRICS,
  SENDING_METRICS,
  ALERT_METRICS,
  SEARCH_METRICS,
  OWNER_METRICS,
  ACTIVITY_METRICS,
  GATEWAY_METRICS,
]
  .flatMap((group) => Object.values(group))
  .filter((name) => name !== METRICS.namespace);

/** A log line, as a function writes it. */
export type Line = Readonly<Record<string, unknown>> & {
  readonly _aws?: {
    readonly CloudWatchMetrics: readonly {
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
};

type Write = (line: string) => void;

/** What identifies a metric in CloudWatch: its name and the values of its dimensions. */
export function identityOf(name: string, dimensions: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(dimensions).sort(([one], [other]) => (one < other ? -1 : 1));
  return [name, ...sorted.map(([key, value]) => `${key}=${value}`)].join(' ');
}

/** The metrics in all log lines that the functions can write. */
export async function emittedMetrics(): Promise<Set<string>> {
  return new Set([...(await writtenLines()).flatMap(metricsOfLine), GATEWAY_METRICS.responses]);
}

/** One log line of every kind. */
export async function writtenLines(): Promise<Line[]> {
  const lines: string[] = [];
  const write: Write = (line) => void lines.push(line);
  writeSubmissions(write);
  writeOwnerRequests(write);
  await refuseRequests(write);
  writeEnrichments(write);
  writeMessages(write);
  await throttle(write);
  const log = makeFunctionLog(Date.now, write);
  const taken = { send: async () => new Set<never>() };
  await makeRelay({ enrichment: taken, dispatch: taken, index: taken, learning: taken, log })({
    Records: [],
  });
  const sending = { destinations: { list: async () => [] }, queue: { add: async () => undefined } };
  await makeDispatch({ ...sending, bus: undefined, log, now: Date.now })({ Records: [] });
  const unused = async () => {
    throw failure();
  };
  const index = {
    write: unused,
    noteFailedEnrichment: unused,
    remove: unused,
    noteHandling: unused,
    forget: unused,
    liftTombstone: unused,
    isOutdated: unused,
    removePerson: unused,
  };
  const leads = () => ({ read: unused, hasFailedEnrichment: unused });
  const workspaces = { removed: async () => new Set<string>() };
  await makeIndexLeads({ leads, index, workspaces, log })({ Records: [] });
  write(defectLine(failure()));
  const stats = { count: async () => undefined };
  const active = { mark: async () => undefined, list: async () => [], leaveForLater: async () => undefined };
  await makeStats({ stats, active, workspaces, log, now: Date.now })(ONE_LEAD);
  await watchOneWorkspace({ ...active, list: async () => [{ workspaceId: 'w', markedAt: 1 }] }, log, write);
  log.write('watch.run', countsOfRun(1, { opened: 1, closed: 1, failed: 1 }));
  await makeRecorder({ store: { enter: async () => 1 }, workspaces, log, now: Date.now })(ONE_REJECTION);
  return lines.map((line) => JSON.parse(line) as Line);
}

/** A run that fails for its only workspace. */
async function watchOneWorkspace(active: ActiveWorkspaces, log: FunctionLog, write: Write): Promise<void> {
  const fail = async () => {
    throw failure();
  };
  const reader = { facts: fail, history: fail, forms: fail, tokenNames: fail };
  const store = { read: fail, open: fail, close: fail, announced: fail, keepBaselines: fail };
  const events = { send: async () => new Set<never>() };
  const watch = makeWatch({ active, reader, store, events, newAlertId: () => '', log, write });
  await watch({ time: '2026-11-16T12:00:00Z' });
}

/** A call of the real client that DynamoDB throttles. */
async function throttle(write: Write): Promise<void> {
  const __type = 'com.amazonaws.dynamodb.v20120810#ThrottlingException';
  const body = Readable.from([JSON.stringify({ __type })]);
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    maxAttempts: 1,
    requestHandler: { handle: async () => ({ response: new HttpResponse({ statusCode: 400, body }) }) },
  });
  countThrottles(client, write);
  await client
    .send(new GetItemCommand({ TableName: 'Leads', Key: { id: { S: '1' } } }))
    .catch(() => undefined);
}

const SHARD = { shardId: 's', eventSourceARN: 'arn' };

const ONE_LEAD = { ...SHARD, Records: [insertOf()] };

const ONE_REJECTION = {
  ...SHARD,
  Records: [
    {
      dynamodb: {
        SequenceNumber: '1',
        NewImage: {
          requestId: { S: 'r' },
          sk: { S: 'w#1' },
          at: { S: '2026-11-15T12:00:00.000Z' },
          surface: { S: '1a' },
          reason: { S: 'token_invalid' },
          authenticated: { BOOL: false },
        },
      },
    },
  ],
};

const SIGNALS = [new AbortController().signal, AbortSignal.abort()];

/** An error like those of the AWS SDK, with all details. */
function failure(): Error {
  return Object.assign(new Error('never shown', { cause: new Error('nor this') }), {
    code: 'ECONNRESET',
    $metadata: { httpStatusCode: 500, attempts: 3 },
  });
}

function writeSubmissions(write: Write): void {
  const telemetry = makeTelemetry(Date.now, write);
  const rejections = REASONS.map((reason) => ({ kind: 'rejected' as const, reason, diagnosticsDropped: 1 }));
  for (const surface of ALL_SURFACES) {
    for (const outcome of [
      { kind: 'accepted' as const, submissionId: 's' },
      { kind: 'replayed' as const, submissionId: 's' },
      { kind: 'ignored' as const, because: 'ping' },
      ...rejections,
    ]) {
      const attribution = { workspaceIds: ['w'], formId: 'f' };
      const submission = { surface, requestId: 'r', outcome, attribution, body: { byteLength: 1 } };
      telemetry.submission(submission as unknown as Parameters<typeof telemetry.submission>[0], 1);
    }
    for (const signal of SIGNALS) telemetry.defect(failure(), { requestId: 'r', surface, signal });
  }
}

function writeOwnerRequests(write: Write): void {
  for (const area of ['settings', 'diagnostics', 'members'] as const) {
    const telemetry = makeOwnerTelemetry(area, Date.now, write);
    for (const signal of SIGNALS) {
      const principal = { kind: 'user', workspaceId: 'w', id: 'u', name: '', role: 'owner' } as const;
      const event = { requestContext: { requestId: 'r' }, route: ROUTES.listForms, signal, principal };
      telemetry.request(event as Parameters<typeof telemetry.request>[0], { statusCode: 200, body: '' }, 1);
      telemetry.defect(failure(), event as Parameters<typeof telemetry.defect>[1]);
      telemetry.activityLost(failure(), event as Parameters<typeof telemetry.defect>[1], {});
    }
  }
}

/** The authorizer: one that is refused, and one that fails. */
async function refuseRequests(write: Write): Promise<void> {
  const fail = () => Promise.reject(failure());
  const members = { find: fail, noteJoined: fail, adoptOwner: fail };
  const apiKeys = { find: fail, noteUse: fail };
  for (const verify of [async () => undefined, fail]) {
    const authorize = makeAuthorize({ idTokens: { verify }, members, apiKeys, write });
    await authorize({ requestContext: { requestId: 'r' } }).catch(() => undefined);
  }
}

function writeEnrichments(write: Write): void {
  const enrichment = makeEnrichmentTelemetry(Date.now, write);
  const line = {
    messageId: 'm',
    leadId: 'l',
    receiveCount: 1,
    tookMilliseconds: 1,
    failures: ['dns:ETIMEOUT'],
  };
  for (const code of ['enriched', 'failed', 'malformed'] as const) enrichment.message({ code, ...line });
  enrichment.message({ code: 'retried', ...line, error: failure() });
}

function writeMessages(write: Write): void {
  const telemetry = makeSendTelemetry(Date.now, write);
  const about = { workspaceId: 'w', destinationId: 'd' };
  const at = '2026-11-15T12:00:00.000Z';
  const task = { task: 'send', ...about, leadId: 'l', type: 'lead.accepted', mode: 'retry', at } as const;
  const attempt = { at, milliseconds: 1, status: 500, error: 'timeout' };
  const others = ['duplicate', 'too_early', 'destination_gone'] as const;
  for (const code of [...MESSAGE_STATUSES, ...others])
    telemetry.sent(task, { code, attempt, disabled: true });
  telemetry.queued({ task: 'wake', ...about }, 1);
  telemetry.queued({ task: 'replay', ...about, from: 'l' }, 1);
  telemetry.swept(1);
  telemetry.defect(failure(), task);
}

function metricsOfLine(line: Line): string[] {
  return (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Dimensions, Metrics }) =>
    Metrics.flatMap(({ Name }) =>
      Dimensions.map((keys) =>
        identityOf(Name, Object.fromEntries(keys.map((key) => [key, line[key] as string]))),
      ),
    ),
  );
}

export interface MetricInUse {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

export const alarmsOf = (template: Template) =>
  Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

export type AlarmProperties = ReturnType<typeof alarmsOf>[number];

/** The metrics of an alarm, whether it uses one metric or an expression. */
export function metricsOf(alarm: AlarmProperties): MetricInUse[] {
  const plain = alarm.MetricName === undefined ? [] : [alarm];
  const inExpression = (alarm.Metrics ?? []).flatMap((it: AlarmProperties) => it.MetricStat?.Metric ?? []);
  return [...plain, ...inExpression].map(({ Namespace, MetricName, Dimensions = [] }) => ({
    namespace: Namespace,
    name: MetricName,
    dimensions: Object.fromEntries(
      Dimensions.map(({ Name, Value }: { Name: string; Value: unknown }) => [Name, asText(Value)]),
    ),
  }));
}
