import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { makeDocumentClient } from '../../aws/document-client.ts';
import { requireVariable, tablesFromEnvironment } from '../../aws/tables.ts';
import { describeError, type FunctionLog, makeFunctionLog, toStdout } from '../../aws/telemetry.ts';
import { QUEUE_VARIABLES, SENDING_METRICS, SENDING_VARIABLES } from '../../contract.ts';
import { makeQueueClient } from '../../enrichment/queue-store.ts';
import { LEAD_EVENTS, type LeadEvent } from '../../submission/lead-events.ts';
import { wants } from '../destination.ts';
import { type DestinationReader, makeDestinationReader } from '../destinations-store.ts';
import { type EventBus, makeEventBus } from '../event-bus-store.ts';
import { makeSendQueue, type QueuedTask, type SendQueue } from '../send-queue-store.ts';

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
 * Turns each event into one message per destination that wants it. It writes nothing: dying before the event is
 * acknowledged only repeats work, and the send function recognises what it has already sent.
 */
export function makeDispatch(dependencies: DispatchDependencies) {
  const { destinations, queue, bus, log, now, onError } = dependencies;

  async function dispatchEvent(event: LeadEvent, signal: AbortSignal): Promise<number> {
    if (now() - Date.parse(event.at) > OLDEST_EVENT_MS) return 0;
    const found = await destinations.list(event.workspaceId, signal);
    const tasks = found.flatMap((destination): QueuedTask[] => {
      const { workspaceId, destinationId } = destination;
      const { leadId, formId, type, at } = event;
      const isErased = type === 'lead.erased';
      return [
        ...(isErased ? [{ task: { task: 'forget', workspaceId, destinationId, leadId } as const }] : []),
        ...(wants(destination, event)
          ? [
              {
                task: { task: 'send', workspaceId, destinationId, leadId, type, formId, at } as const,
                ...(isErased && { delaySeconds: ERASED_DELAY_SECONDS }),
              },
            ]
          : []),
      ];
    });
    await Promise.all([queue.add(tasks, signal), bus?.put([event], signal)]);
    return tasks.filter(({ task }) => task.task === 'send').length;
  }

  return async function dispatch({ Records }: SQSEvent): Promise<SQSBatchResponse> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    let dispatched = 0;
    const failed = await Promise.all(
      Records.map(async ({ body, messageId }) => {
        try {
          dispatched += await dispatchEvent(parseLeadEvent(body), signal);
          return [];
        } catch (error) {
          onError?.(error);
          return [{ itemIdentifier: messageId }];
        }
      }),
    );
    log.write('dispatch.batch', { [SENDING_METRICS.dispatched]: dispatched });
    return { batchItemFailures: failed.flat() };
  };
}

function parseLeadEvent(body: string): LeadEvent {
  const event = JSON.parse(body) as LeadEvent;
  const texts = [event.workspaceId, event.formId, event.leadId, event.at];
  if (!LEAD_EVENTS.includes(event.type) || !texts.every((text) => typeof text === 'string' && text !== '')) {
    throw new Error('a message that is no lead event');
  }
  return event;
}

export function dispatchDependencies(env: NodeJS.ProcessEnv): DispatchDependencies {
  const context = { client: makeDocumentClient(), tables: tablesFromEnvironment(env, ['destinations']) };
  const busName = env[SENDING_VARIABLES.eventBus];
  return {
    destinations: makeDestinationReader(context),
    queue: makeSendQueue(makeQueueClient(), requireVariable(env, QUEUE_VARIABLES.sending)),
    bus: busName ? makeEventBus(busName) : undefined,
    log: makeFunctionLog(Date.now),
    now: Date.now,
    onError: (error) =>
      toStdout(JSON.stringify({ level: 'ERROR', code: 'dispatch.defect', ...describeError(error) })),
  };
}
