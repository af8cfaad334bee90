import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, isConflict, pauseBeforeRetry, type StoreContext } from '../aws/dynamodb.ts';
import type { LeadItem } from '../model/lead-item.ts';
import {
  type EnrichedLead,
  type Enrichment,
  fromEnrichmentItem,
  toEnrichmentItem,
} from './enrichment-item.ts';

export interface LeadWithEnrichment {
  /** Not unpacked yet: that may fail, and the reader decides what this means. */
  readonly leadItem: LeadItem | undefined;
  readonly enrichment: Enrichment | undefined;
}

/** `settled`: a duplicate was faster. `gone`: the lead no longer exists. */
export type WriteOutcome = 'written' | 'settled' | 'gone';

export interface Enrichments {
  read(leadId: string, signal: AbortSignal): Promise<LeadWithEnrichment>;
  write(enrichment: Enrichment, lead: EnrichedLead, signal: AbortSignal): Promise<WriteOutcome>;
}

export function makeEnrichments({ client, tables }: StoreContext<'leads'>): Enrichments {
  async function read(leadId: string, signal: AbortSignal): Promise<LeadWithEnrichment> {
    const address = (part: string) => ({ table: tables.leads, key: { leadId, part } });
    const [leadItem, item] = await batchGet(client, [address('lead'), address('enrichment')], signal);
    return { leadItem, enrichment: item && fromEnrichmentItem(item) };
  }

  async function write(
    enrichment: Enrichment,
    lead: EnrichedLead,
    signal: AbortSignal,
  ): Promise<WriteOutcome> {
    let { clean } = lead;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const command = writeCommand(tables.leads, enrichment, { ...lead, clean });
        await client.send(command, { abortSignal: signal });
        return 'written';
      } catch (error) {
        const settled = settledBy(error);
        if (settled === 'reviewed') clean = !clean;
        else if (settled) return settled;
        else if (!isConflict(error)) throw error;
      }
      await pauseBeforeRetry(attempt, signal);
    }
  }

  return { read, write };
}

/**
 * The lead must still be there when the enrichment is put, else a deletion between read and write would leave an
 * orphan; and it must be as clean as the enrichment will announce. Only a failure may be overwritten, and not by the same failure: so a repeated message changes nothing.
 */
function writeCommand(table: string, enrichment: Enrichment, lead: EnrichedLead) {
  const failedAgain = enrichment.state === 'failed';
  return new TransactWriteCommand({
    TransactItems: [
      {
        ConditionCheck: {
          TableName: table,
          Key: { leadId: enrichment.leadId, part: 'lead' },
          ConditionExpression: 'attribute_exists(leadId) AND clean = :clean',
          ExpressionAttributeValues: { ':clean': lead.clean },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      {
        Put: {
          TableName: table,
          Item: toEnrichmentItem(enrichment, lead),
          ConditionExpression: failedAgain
            ? 'attribute_not_exists(leadId) OR (#state = :failed AND reason <> :reason)'
            : 'attribute_not_exists(leadId) OR #state = :failed',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: {
            ':failed': 'failed',
            ...(failedAgain && { ':reason': enrichment.reason }),
          },
        },
      },
    ],
  });
}

function settledBy(error: unknown): WriteOutcome | 'reviewed' | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const [lead, enrichment] = error.CancellationReasons ?? [];
  if (lead?.Code === 'ConditionalCheckFailed') return lead.Item ? 'reviewed' : 'gone';
  return enrichment?.Code === 'ConditionalCheckFailed' ? 'settled' : undefined;
}
