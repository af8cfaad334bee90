import { randomBytes, randomUUID } from 'node:crypto';
import type { ScheduledEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { BoundedMap } from '../../aws/bounded-map.ts';
import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { makeQueueClient } from '../../aws/queues.ts';
import { makeWorkspaceGuard } from '../../aws/removed-workspaces.ts';
import { describeError, metricsEnvelope, toStdout, type WriteLine } from '../../aws/telemetry.ts';
import {
  ENRICHMENT_VARIABLES,
  QUEUE_VARIABLES,
  requireVariable,
  SENDING_METRICS,
  SENDING_VARIABLES,
  tablesFromEnvironment,
} from '../../contract.ts';
import { makeRecipientStore } from '../../recipients/recipients-store.ts';
import { makeDestinationReader, makeDestinationSwitch } from '../destinations-store.ts';
import { makeHealthStore } from '../health-store.ts';
import { makeMailer } from '../mail-store.ts';
import { isInSlowLane, parseSendTask, type SendTask } from '../message.ts';
import { makeMessages } from '../messages-store.ts';
import { abortable, makePostRequest, makeResolveName } from '../outbound-http.ts';
import { makeRecipientState } from '../recipient-state-store.ts';
import { makeSendQueue } from '../send-queue-store.ts';
import { makeSlowLane } from '../slow-lane-store.ts';
import { type AskDependencies, type AskOutcome, askRecipient } from './ask-recipient.ts';
import { makeSendingReader } from './read-for-sending-store.ts';
import { makeRecipientMailer } from './recipient-mailer.ts';
import type { SendOutcome } from './record-outcome.ts';
import { type SendDependencies, sendMessage } from './send-message.ts';
import { type TurnDependencies, takeTurns } from './take-turns.ts';
import {
  forgetMessages,
  replayMessages,
  sweepDestinations,
  type WakeDependencies,
  wakeDestination,
} from './wake-destination.ts';

export interface SendFunctionDependencies
  extends SendDependencies,
    WakeDependencies,
    AskDependencies,
    TurnDependencies {
  readonly telemetry: SendTelemetry;
}

/**
 * For one task. Well within the function's 30 s, and those are well within the 60 s after which an erasure is
 * announced: no request that contains a lead starts after that.
 */
const DEADLINE_MS = 25_000;
/** To take the slow lane, and to release it. */
const LANE_MS = 2_000;

/** Takes tasks from the queue, and once a minute looks for destinations with something to do. */
export function makeSend(dependencies: SendFunctionDependencies) {
  return async function send(event: SQSEvent | ScheduledEvent): Promise<SQSBatchResponse | undefined> {
    const { telemetry } = dependencies;
    if (!('Records' in event)) {
      telemetry.swept(await sweepDestinations(dependencies, AbortSignal.timeout(DEADLINE_MS)));
      return undefined;
    }
    const tasks = event.Records.map(({ body, messageId }) => ({ messageId, task: parseSendTask(body) }));
    const turns = await takeTurns(
      tasks.map(({ task }) => task).filter((task) => isInSlowLane(task)),
      dependencies,
      AbortSignal.timeout(LANE_MS),
    );
    const failed = await Promise.all(
      tasks.map(async ({ messageId, task }) => {
        try {
          if (!task) throw new Error('a message that is no task');
          const signal = AbortSignal.timeout(DEADLINE_MS);
          const hasTurn = !isInSlowLane(task) || turns.has(task.workspaceId);
          await abortable(perform(task, dependencies, signal, hasTurn), signal);
          return [];
        } catch (error) {
          telemetry.defect(error, task);
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    // Whatever happens here, the lane is free again after half a minute, and the sweep finds what waits.
    await turns.end(AbortSignal.timeout(LANE_MS)).catch((error) => telemetry.defect(error, undefined));
    return { batchItemFailures: failed.flat() };
  };
}

async function perform(
  task: SendTask,
  dependencies: SendFunctionDependencies,
  signal: AbortSignal,
  hasTurn: boolean,
): Promise<void> {
  const { telemetry, messages } = dependencies;
  if (task.task === 'send') telemetry.sent(task, await sendMessage(task, dependencies, signal, hasTurn));
  else if (task.task === 'wake') telemetry.queued(task, await wakeDestination(task, dependencies, signal));
  else if (task.task === 'replay') telemetry.queued(task, await replayMessages(task, dependencies, signal));
  else if (task.task === 'confirm') telemetry.asked(task, await askRecipient(task, dependencies, signal));
  else if (task.task === 'forgetAll') await forgetMessages(task, dependencies, signal);
  else {
    const { destinationId, leadId } = task;
    const types = ['lead.accepted', 'lead.enriched'] as const;
    await Promise.all(types.map((type) => messages.forget({ destinationId, leadId, type }, signal)));
  }
}

/** Ids, codes, statuses and times. Never an address, a body or a response. */
export interface SendTelemetry {
  sent(task: Extract<SendTask, { task: 'send' }>, outcome: SendOutcome): void;
  queued(task: SendTask, messages: number): void;
  asked(task: SendTask, outcome: AskOutcome): void;
  swept(destinations: number): void;
  defect(error: unknown, task: SendTask | undefined): void;
}

const METRIC_OF: Readonly<Partial<Record<SendOutcome['code'], string>>> = {
  delivered: SENDING_METRICS.sent,
  waiting: SENDING_METRICS.retried,
  parked: SENDING_METRICS.parked,
  failed: SENDING_METRICS.failed,
};

export function makeSendTelemetry(now: () => number, write: WriteLine = toStdout): SendTelemetry {
  const line = (level: 'INFO' | 'ERROR', code: string, values: object) =>
    write(JSON.stringify({ level, code, ...values }));
  const about = ({ workspaceId, destinationId }: SendTask) => ({ workspaceId, destinationId });
  return {
    sent(task, { code, attempt, disabled }) {
      const metric = METRIC_OF[code];
      const counts = {
        ...(metric !== undefined && { [metric]: 1 }),
        ...(disabled && { [SENDING_METRICS.disabled]: 1 }),
      };
      const names = Object.keys(counts);
      line('INFO', `send.${code}`, {
        ...about(task),
        leadId: task.leadId,
        type: task.type,
        mode: task.mode,
        status: attempt?.status,
        error: attempt?.error,
        milliseconds: attempt?.milliseconds,
        ...counts,
        ...(names.length > 0 && { _aws: metricsEnvelope(now(), { names, dimensions: [] }) }),
      });
    },
    queued: (task, messages) => line('INFO', `send.${task.task}`, { ...about(task), messages }),
    asked: (task, outcome) => line('INFO', `send.confirm_${outcome}`, about(task)),
    swept: (destinations) => destinations > 0 && line('INFO', 'send.sweep', { destinations }),
    defect: (error, task) =>
      line('ERROR', 'send.defect', { ...(task && about(task)), ...describeError(error) }),
  };
}

const TABLES = [
  ...(['destinations', 'destinationSecrets', 'messages', 'leads', 'forms', 'alerts'] as const),
  ...(['workspaces', 'recipients', 'members'] as const),
];

const REMEMBERED_LINKS = 1_000;

export function sendDependencies(env: NodeJS.ProcessEnv): SendFunctionDependencies {
  const context = { client: makeDocumentClient(), tables: tablesFromEnvironment(env, TABLES) };
  const { [SENDING_VARIABLES.mailFrom]: mailFrom, [SENDING_VARIABLES.linksUrl]: linksUrl } = env;
  const dnsServers = (env[ENRICHMENT_VARIABLES.dnsServers] ?? '').split(',').filter(Boolean);
  const reader = makeSendingReader(context);
  const recipients = makeRecipientStore(context);
  const mailer =
    mailFrom && linksUrl
      ? makeRecipientMailer({
          mailer: makeMailer(mailFrom, env[SENDING_VARIABLES.configurationSet]),
          store: recipients,
          reader,
          linksUrl,
          stopLinks: new BoundedMap(REMEMBERED_LINKS),
          newBytes: randomBytes,
          now: Date.now,
        })
      : undefined;
  return {
    reader,
    recipients,
    recipientState: makeRecipientState(context),
    messages: makeMessages(context),
    health: makeHealthStore(context),
    destinations: makeDestinationSwitch(context),
    destinationList: makeDestinationReader(context),
    slowLane: makeSlowLane(context),
    workspaces: makeWorkspaceGuard(context),
    queue: makeSendQueue(makeQueueClient(), {
      sending: requireVariable(env, QUEUE_VARIABLES.sending),
      slowSending: requireVariable(env, QUEUE_VARIABLES.slowSending),
    }),
    post: makePostRequest({
      resolve: makeResolveName(dnsServers),
      allowLoopback: env[SENDING_VARIABLES.allowLoopback] === 'true',
    }),
    mailer,
    consoleUrl: env[SENDING_VARIABLES.consoleUrl],
    telemetry: makeSendTelemetry(Date.now),
    now: Date.now,
    newId: randomUUID,
    random: Math.random,
  };
}
