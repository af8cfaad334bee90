import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { makeDocumentClient } from '../../aws/dynamodb.ts';
import { makeQueueClient } from '../../aws/queues.ts';
import { describeError, type FunctionLog, makeFunctionLog, toStdout } from '../../aws/telemetry.ts';
import {
  QUEUE_VARIABLES,
  requireVariable,
  SENDING_METRICS,
  SENDING_VARIABLES,
  tablesFromEnvironment,
} from '../../contract.ts';
import type { ForwardedEvent } from '../../model/lead-events.ts';
import { type AlertEvent, DESTINATION_EVENTS, type Destination, subscribesTo } from '../destination.ts';
import { type DestinationReader, makeDestinationReader } from '../destinations-store.ts';
import { type EventBus, makeEventBus } from '../event-bus-store.ts';
import { makeSendQueue, type QueuedTask, type SendQueue } from '../send-queue-store.ts';
import { makeRecentDestinations } from './recent-destinations.ts';

export interface DispatchDependencies {
  readonly destinations: DestinationReader;
  readonly queue: SendQueue;
  /** Absent unless the deployer asked for one. */
  readonly bus: EventBus | undefined;
  readonly log: FunctionLog;
  readonly now: () => number;
  readonly onError?: (error: unknown) => void;
}

const DEADLINE_MS = 12_000;

/** Until then, a request that began before the erasure has ended. */
const ERASED_DELAY_SECONDS = 60;

/** A stream keeps a day: older events come from a restored backup, and were sent long ago. */
const OLDEST_EVENT_MS = 48 * 60 * 60 * 1000;

/**
 * Turns each event into one message per destination that subscribes to it. It writes nothing: dying before the events are
 * acknowledged only repeats work, and the send function recognizes what it has already sent.
 */
export function makeDispatch({ destinations, queue, bus, log, now, onError }: DispatchDependencies) {
  const recent = makeRecentDestinations(destinations, now);
  return async function dispatch({ Records }: SQSEvent): Promise<SQSBatchResponse> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const failed = new Set<string>();
    const fail = (error: unknown, ...messageIds: string[]) => {
      onError?.(error);
      for (const messageId of messageIds) failed.add(messageId);
    };

    const lists = new Map<string, Promise<Destination[]>>();
    /** The events of a batch are often of one workspace. */
    function destinationsOf({ workspaceId, at }: ForwardedEvent | AlertEvent): Promise<Destination[]> {
      const known = lists.get(workspaceId) ?? recent.since(workspaceId, Date.parse(at));
      if (known) return known;
      const list = recent.read(workspaceId, signal);
      lists.set(workspaceId, list);
      return list;
    }

    const events: (ForwardedEvent | AlertEvent)[] = [];
    const tasks: QueuedTask[] = [];
    const taken: string[] = [];
    await Promise.all(
      Records.map(async ({ body, messageId }) => {
        try {
          const event = parseEvent(body);
          if (!event || now() - Date.parse(event.at) > OLDEST_EVENT_MS) return;
          const found = await destinationsOf(event);
          events.push(event);
          tasks.push(...found.flatMap((destination) => tasksFor(event, destination)));
          taken.push(messageId);
        } catch (error) {
          fail(error, messageId);
        }
      }),
    );
    try {
      await Promise.all([queue.add(tasks, signal), bus?.put(events, signal)]);
    } catch (error) {
      fail(error, ...taken);
    }
    const sent = failed.size > 0 ? 0 : tasks.filter(({ task }) => task.task === 'send').length;
    log.write('dispatch.batch', { [SENDING_METRICS.dispatched]: sent });
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

function tasksFor(event: ForwardedEvent | AlertEvent, destination: Destination): QueuedTask[] {
  const { workspaceId, destinationId } = destination;
  const { leadId, formId, type, at } = event;
  const send = { task: 'send', workspaceId, destinationId, leadId, type, formId, at } as const;
  if (type !== 'lead.erased') return subscribesTo(destination, event) ? [{ task: send }] : [];
  const forget = { task: 'forget', workspaceId, destinationId, leadId } as const;
  return [
    { task: forget },
    // Once more: an attempt that had begun before the erasure may have stored its response in between.
    { task: forget, delaySeconds: ERASED_DELAY_SECONDS },
    ...(subscribesTo(destination, event) ? [{ task: send, delaySeconds: ERASED_DELAY_SECONDS }] : []),
  ];
}

/** Undefined for an event of a later release, which destinations cannot subscribe to yet. */
function parseEvent(body: string): ForwardedEvent | AlertEvent | undefined {
  const event = JSON.parse(body) as ForwardedEvent | AlertEvent;
  const { type, workspaceId, formId = '-', leadId, at } = event;
  const isComplete = [workspaceId, formId, leadId, at].every(
    (text) => typeof text === 'string' && text !== '',
  );
  if (typeof type !== 'string' || !isComplete) throw new Error('a message that is no event');
  return DESTINATION_EVENTS.includes(type) ? event : undefined;
}

export function dispatchDependencies(env: NodeJS.ProcessEnv): DispatchDependencies {
  const context = { client: makeDocumentClient(), tables: tablesFromEnvironment(env, ['destinations']) };
  const busName = env[SENDING_VARIABLES.eventBus];
  return {
    destinations: makeDestinationReader(context),
    queue: makeSendQueue(makeQueueClient(), { sending: requireVariable(env, QUEUE_VARIABLES.sending) }),
    bus: busName ? makeEventBus(busName) : undefined,
    log: makeFunctionLog(Date.now),
    now: Date.now,
    onError: (error) =>
      toStdout(JSON.stringify({ level: 'ERROR', code: 'dispatch.defect', ...describeError(error) })),
  };
}
