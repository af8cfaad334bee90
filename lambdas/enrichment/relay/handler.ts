import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { type FunctionLog, makeFunctionLog } from '../../aws/telemetry.ts';
import { QUEUE_VARIABLES, requireVariable, STREAM_METRICS } from '../../contract.ts';
import {
  isLeadEvent,
  type LeadChange,
  type LeadEvent,
  readLeadChange,
} from '../../submission/lead-events.ts';
import { type EnrichmentQueue, makeOutbox, makeQueueClient, type Outbox } from '../queue-store.ts';

export interface RelayDependencies {
  /** Clean leads, to be enriched. */
  readonly enrichment: EnrichmentQueue;
  /** Every event, to be forwarded to the workspace's destinations. */
  readonly dispatch: Outbox<LeadEvent>;
  /** Every lead that has changed, for the search index. */
  readonly index: Outbox<Pick<LeadChange, 'type' | 'workspaceId' | 'leadId'>>;
  readonly log: FunctionLog;
}

/**
 * Announces what happened to leads on one queue per consumer. A stream record is written atomically with the lead:
 * whatever happens to the ingest function after that, the lead is enriched, forwarded and found. Events that a queue
 * does not take are reported, and Lambda delivers the batch again from there, for as long as it takes.
 */
export function makeRelay({ enrichment, dispatch, index, log }: RelayDependencies) {
  return async function relay({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
    const relayed = Records.flatMap((record) => {
      const change = readLeadChange(record);
      return change ? [{ change, sequenceNumber: record.dynamodb?.SequenceNumber ?? '' }] : [];
    });
    const changes = relayed.map(({ change }) => change);
    const refusals = await Promise.all([
      sendEach(enrichment, changes.filter(isToEnrich), ({ leadId }) => ({ leadId })),
      sendEach(dispatch, changes.filter(isLeadEvent), (event) => event),
      sendEach(index, changes, ({ type, workspaceId, leadId }) => ({ type, workspaceId, leadId })),
    ]);
    const refused = relayed.filter(({ change }) => refusals.some((refusal) => refusal.has(change)));
    log.write('relay.batch', {
      [STREAM_METRICS.relayed]: relayed.length - refused.length,
      [STREAM_METRICS.refused]: refused.length,
    });
    return { batchItemFailures: refused.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })) };
  };
}

function isToEnrich({ type, clean }: LeadChange): boolean {
  return type === 'lead.accepted' && clean === true;
}

/** Returns the changes whose entries the queue did not take. */
async function sendEach<Change extends LeadChange, Entry extends object>(
  outbox: Outbox<Entry>,
  changes: readonly Change[],
  toEntry: (change: Change) => Entry,
): Promise<Set<LeadChange>> {
  const entries = new Map(changes.map((change) => [toEntry(change), change]));
  const refused = await outbox.send([...entries.keys()]);
  return new Set([...refused].map((entry) => entries.get(entry) as Change));
}

export function relayDependencies(env: NodeJS.ProcessEnv): RelayDependencies {
  const client = makeQueueClient();
  return {
    enrichment: makeOutbox(client, requireVariable(env, QUEUE_VARIABLES.enrichment)),
    dispatch: makeOutbox(client, requireVariable(env, QUEUE_VARIABLES.dispatch)),
    index: makeOutbox(client, requireVariable(env, QUEUE_VARIABLES.index)),
    log: makeFunctionLog(Date.now),
  };
}
