import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { makeOutbox, makeQueueClient, type Outbox } from '../../aws/queues.ts';
import { type FunctionLog, makeFunctionLog } from '../../aws/telemetry.ts';
import { QUEUE_VARIABLES, requireVariable, STREAM_METRICS } from '../../contract.ts';
import {
  eventsToLearnFrom,
  type ForwardedEvent,
  isToEnrich,
  type LeadEvent,
  type LearnMessage,
  readLeadEvent,
  toForwardedEvent,
  toLearnMessage,
} from '../../model/lead-events.ts';
import type { EnrichmentMessage } from '../enrichment-item.ts';

export interface RelayDependencies {
  /** Clean leads, to be enriched: new ones, and those that a review made clean. Erased ones, to be looked after. */
  readonly enrichment: Outbox<EnrichmentMessage>;
  /** Every event that destinations may hear of. */
  readonly dispatch: Outbox<ForwardedEvent>;
  /** Every event, for the search index. */
  readonly index: Outbox<Pick<LeadEvent, 'type' | 'workspaceId' | 'leadId'>>;
  /** Workspaces whose verdicts are to be learned from again. */
  readonly learning: Outbox<LearnMessage>;
  readonly log: FunctionLog;
}

/**
 * Announces what happened to leads on one queue per consumer. A stream record is written atomically with the lead:
 * whatever happens to the ingest function after that, the lead is enriched, forwarded and found. Events that a queue
 * does not take are reported, and Lambda delivers the batch again from there, for as long as it takes.
 */
export function makeRelay({ enrichment, dispatch, index, learning, log }: RelayDependencies) {
  return async function relay({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
    const relayed = Records.flatMap((record) => {
      const event = readLeadEvent(record);
      const sequenceNumber = record.dynamodb?.SequenceNumber ?? '';
      return event ? [{ event, sequenceNumber, isNew: record.eventName === 'INSERT' }] : [];
    });
    const events = relayed.map(({ event }) => event);
    // The index knows of an enrichment only if it failed: a new one changes nothing there, one that replaces a failed one does.
    const indexed = relayed.filter(({ event, isNew }) => event.type !== 'lead.enriched' || !isNew);
    const refusals = await Promise.all([
      sendEach(enrichment, events, toEnrichmentMessage),
      sendEach(dispatch, events, toForwardedEvent),
      sendEach(
        index,
        indexed.map(({ event }) => event),
        ({ type, workspaceId, leadId }) => ({ type, workspaceId, leadId }),
      ),
      sendEach(learning, eventsToLearnFrom(events), toLearnMessage),
    ]);
    const refused = relayed.filter(({ event }) => refusals.some((refusal) => refusal.has(event)));
    log.write('relay.batch', {
      [STREAM_METRICS.relayed]: relayed.length - refused.length,
      [STREAM_METRICS.refused]: refused.length,
    });
    return { batchItemFailures: refused.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })) };
  };
}

function toEnrichmentMessage(event: LeadEvent): EnrichmentMessage | undefined {
  const { leadId, type, madeClean } = event;
  if (type === 'lead.erased' || isToEnrich(event)) return { leadId, ...(madeClean && { madeClean }) };
  return undefined;
}

/** Returns the events whose entries the queue did not take. Not every event has an entry for every queue. */
async function sendEach<Entry extends object>(
  outbox: Outbox<Entry>,
  events: readonly LeadEvent[],
  toEntry: (event: LeadEvent) => Entry | undefined,
): Promise<Set<LeadEvent>> {
  const entries = new Map<Entry, LeadEvent>();
  for (const event of events) {
    const entry = toEntry(event);
    if (entry) entries.set(entry, event);
  }
  const refused = await outbox.send([...entries.keys()]);
  return new Set([...refused].map((entry) => entries.get(entry) as LeadEvent));
}

export function relayDependencies(env: NodeJS.ProcessEnv): RelayDependencies {
  const client = makeQueueClient();
  return {
    enrichment: makeOutbox(client, requireVariable(env, QUEUE_VARIABLES.enrichment)),
    dispatch: makeOutbox(client, requireVariable(env, QUEUE_VARIABLES.dispatch)),
    index: makeOutbox(client, requireVariable(env, QUEUE_VARIABLES.index)),
    learning: makeOutbox(client, requireVariable(env, QUEUE_VARIABLES.learning)),
    log: makeFunctionLog(Date.now),
  };
}
