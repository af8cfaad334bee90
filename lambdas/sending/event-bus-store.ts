import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { makeSocketPool } from '../aws/socket-pool.ts';
import type { ForwardedEvent } from '../model/lead-events.ts';
import type { AlertEvent } from './destination.ts';

export interface EventBus {
  /** Ids, form, score and clean; no personal data. Throws unless the bus took every event. */
  put(events: readonly (ForwardedEvent | AlertEvent)[], signal: AbortSignal): Promise<void>;
}

export const EVENT_SOURCE = 'lead-ingest';

/** As many as EventBridge takes in one call. */
const BATCH = 10;

export function makeEventBus(name: string): EventBus {
  const client = new EventBridgeClient({ maxAttempts: 3, requestHandler: makeSocketPool()(2_000) });
  return {
    async put(events, signal) {
      for (let from = 0; from < events.length; from += BATCH) {
        const Entries = events.slice(from, from + BATCH).map(({ type, leadId, at, ...facts }) => ({
          EventBusName: name,
          Source: EVENT_SOURCE,
          DetailType: type,
          Time: new Date(at),
          Detail: JSON.stringify({
            [type.startsWith('alert.') ? 'alertId' : 'submissionId']: leadId,
            at,
            ...facts,
          }),
        }));
        const { FailedEntryCount = 0 } = await client.send(new PutEventsCommand({ Entries }), {
          abortSignal: signal,
        });
        if (FailedEntryCount > 0) throw new Error(`EventBridge refused ${FailedEntryCount} events`);
      }
    },
  };
}
