import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { requireVariable } from '../../aws/tables.ts';
import { type FunctionLog, makeFunctionLog } from '../../aws/telemetry.ts';
import { QUEUE_VARIABLES, STREAM_METRICS } from '../../contract.ts';
import { readNewLead } from '../../submission/lead-item.ts';
import { type EnrichmentQueue, makeEnrichmentQueue, makeQueueClient } from '../queue-store.ts';

export interface RelayDependencies {
  readonly queue: EnrichmentQueue;
  readonly log: FunctionLog;
}

/**
 * Reads new clean leads from the stream and puts their ids on the queue. The stream record is written atomically with
 * the lead: whatever happens to the ingest function after that, the lead is enriched. Ids that SQS does not take are
 * reported, and Lambda delivers the batch again from there, for as long as it takes.
 */
export function makeRelay({ queue, log }: RelayDependencies) {
  return async function relay({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
    const relayed = Records.flatMap((record) => {
      const lead = readNewLead(record);
      // The mapping's filter lets only clean leads through; a changed filter must not enrich the others.
      return lead?.clean
        ? [{ leadId: lead.leadId, sequenceNumber: record.dynamodb?.SequenceNumber ?? '' }]
        : [];
    });
    const refused = await queue.send(relayed.map(({ leadId }) => leadId));
    log.write('relay.batch', {
      [STREAM_METRICS.relayed]: relayed.length - refused.size,
      [STREAM_METRICS.refused]: refused.size,
    });
    return {
      batchItemFailures: relayed
        .filter(({ leadId }) => refused.has(leadId))
        .map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })),
    };
  };
}

export function relayDependencies(env: NodeJS.ProcessEnv): RelayDependencies {
  const queueUrl = requireVariable(env, QUEUE_VARIABLES.enrichment);
  return { queue: makeEnrichmentQueue(makeQueueClient(), queueUrl), log: makeFunctionLog(Date.now) };
}
