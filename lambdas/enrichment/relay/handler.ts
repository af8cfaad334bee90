import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { requireVariable } from '../../aws/tables.ts';
import { type FunctionLog, makeFunctionLog } from '../../aws/telemetry.ts';
import { QUEUE_VARIABLES, STREAM_METRICS } from '../../contract.ts';
import { newLeadOf } from '../../submission/lead-item.ts';
import { type EnrichmentQueue, makeEnrichmentQueue, makeQueueClient } from '../queue-store.ts';

export interface RelayDependencies {
  readonly queue: EnrichmentQueue;
  readonly log: FunctionLog;
}

/**
 * Takes new clean leads off the stream and puts their ids on the queue. The stream is written with the lead, in one
 * act: whatever happens to the ingest function after that, the lead will be enriched. What SQS does not take is
 * reported, and Lambda delivers from there on again, for as long as it takes.
 */
export function makeRelay({ queue, log }: RelayDependencies) {
  return async function relay({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
    const relayed = Records.flatMap((record) => {
      const lead = newLeadOf(record);
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
