import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, isConflict, pauseBeforeRetry, type StoreContext } from '../aws/dynamodb.ts';
import type { LeadItem } from '../submission/lead-item.ts';
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
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(writeCommand(tables.leads, enrichment, lead), { abortSignal: signal });
        return 'written';
      } catch (error) {
        const settled = settledBy(error);
        if (settled) return settled;
        if (!isConflict(error)) throw error;
      }
      await pauseBeforeRetry(attempt, signal);
    }
  }

  return { read, write };
}

/**
 * The lead must still be there when the enrichment is put, else a deletion between read and write would leave an
 * orphan. Only a failure may be overwritten, and not by the same failure: so a repeated message changes nothing.
 */
function writeCommand(table: string, enrichment: Enrichment, lead: EnrichedLead) {
  const failedAgain = enrichment.state === 'failed';
  return new TransactWriteCommand({
    TransactItems: [
      {
        ConditionCheck: {
          TableName: table,
          Key: { leadId: enrichment.leadId, part: 'lead' },
          ConditionExpression: 'attribute_exists(leadId)',
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

function settledBy(error: unknown): WriteOutcome | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const [lead, enrichment] = (error.CancellationReasons ?? []).map(({ Code }) => Code);
  if (lead === 'ConditionalCheckFailed') return 'gone';
  return enrichment === 'ConditionalCheckFailed' ? 'settled' : undefined;
}
