import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type FunctionLog, makeFunctionLog } from '../../aws/telemetry.ts';
import { QUEUE_VARIABLES, requireVariable, STREAM_METRICS } from '../../contract.ts';
import {
  type ForwardedEvent,
  isToEnrich,
  type LeadEvent,
  readLeadEvent,
  toForwardedEvent,
} from '../../submission/lead-events.ts';
import { type EnrichmentQueue, makeOutbox, makeQueueClient, type Outbox } from '../queue-store.ts';

export interface RelayDependencies {
  /** Clean leads, to be enriched: new ones, and those that a review made clean. */
  readonly enrichment: EnrichmentQueue;
  /** Every event that destinations may hear of. */
  readonly dispatch: Outbox<ForwardedEvent>;
  readonly log: FunctionLog;
}

/**
 * Announces what happened to leads on one queue per consumer. A stream record is written atomically with the lead:
 * whatever happens to the ingest function after that, the lead is enriched and forwarded. Events that a queue does not
 * take are reported, and Lambda delivers the batch again from there, for as long as it takes.
 */
export function makeRelay({ enrichment, dispatch, log }: RelayDependencies) {
  return async function relay({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
    const relayed = Records.flatMap((record) => {
      const event = readLeadEvent(record);
      return event ? [{ event, sequenceNumber: record.dynamodb?.SequenceNumber ?? '' }] : [];
    });
    const events = relayed.map(({ event }) => event);
    const toEnrich = new Map(events.filter(isToEnrich).map((event) => [event, { leadId: event.leadId }]));
    const toDispatch = new Map(
      events.flatMap((event) => {
        const announced = toForwardedEvent(event);
        return announced ? [[event, announced] as const] : [];
      }),
    );
    const [notEnriched, notDispatched] = await Promise.all([
      enrichment.send([...toEnrich.values()]),
      dispatch.send([...toDispatch.values()]),
    ]);
    const isRefused = (event: LeadEvent) => {
      const lead = toEnrich.get(event);
      const announced = toDispatch.get(event);
      return (
        (announced !== undefined && notDispatched.has(announced)) ||
        (lead !== undefined && notEnriched.has(lead))
      );
    };
    const refused = relayed.filter(({ event }) => isRefused(event));
    log.write('relay.batch', {
      [STREAM_METRICS.relayed]: relayed.length - refused.length,
      [STREAM_METRICS.refused]: refused.length,
    });
    return { batchItemFailures: refused.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })) };
  };
}

export function relayDependencies(env: NodeJS.ProcessEnv): RelayDependencies {
  const client = makeQueueClient();
  return {
    enrichment: makeOutbox(client, requireVariable(env, QUEUE_VARIABLES.enrichment)),
    dispatch: makeOutbox(client, requireVariable(env, QUEUE_VARIABLES.dispatch)),
    log: makeFunctionLog(Date.now),
  };
}
