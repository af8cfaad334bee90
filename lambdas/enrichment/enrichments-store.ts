import type { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import {
  batchGet,
  isConflict,
  pauseBeforeRetry,
  type StoreContext,
  unlessConditionFails,
} from '../aws/dynamodb.ts';
import { putOnShortPath } from '../aws/short-path.ts';
import { type ReadItems, readTogether, type Together } from '../aws/together.ts';
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
  /** What the enrichment has announced about the lead. */
  readonly announcedClean?: boolean;
}

/** `settled`: a duplicate was faster. `gone`: the lead no longer exists. */
export type WriteOutcome = 'written' | 'settled' | 'gone';

export interface Enrichments {
  read(leadId: string, signal: AbortSignal): Promise<LeadWithEnrichment>;
  write(enrichment: Enrichment, lead: EnrichedLead, signal: AbortSignal): Promise<WriteOutcome>;
  /** Announces an enrichment that exists once more. */
  announce(enrichment: Enrichment, lead: EnrichedLead, signal: AbortSignal): Promise<void>;
  /** For a lead that is gone. */
  remove(leadId: string, signal: AbortSignal): Promise<void>;
  /** The same, for the parts of a batch that read together. */
  of(together: Together): Enrichments;
}

/**
 * An enrichment must not outlive its lead, and must announce whether the lead is clean. A transaction could check both,
 * for four times the write units. So the lead is looked at again after the write, and the message is acknowledged only
 * then: whoever dies in between leaves a message that comes back and finds what is left.
 */
export function makeEnrichments(
  { client, tables }: StoreContext<'leads'>,
  readItems: ReadItems = (addresses, signal) => batchGet(client, addresses, signal),
): Enrichments {
  const table = tables.leads;
  const address = (leadId: string, part: string) => ({ table, key: { leadId, part } });

  /** Erasing a lead takes a transaction, and whoever meets it has to try again. */
  async function send(command: PutItemCommand | DeleteCommand, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await (command instanceof DeleteCommand
          ? client.send(command, { abortSignal: signal })
          : client.send(command, { abortSignal: signal }));
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
      await pauseBeforeRetry(attempt, signal);
    }
  }

  async function read(leadId: string, signal: AbortSignal): Promise<LeadWithEnrichment> {
    const addresses = [address(leadId, 'lead'), address(leadId, 'enrichment')];
    const [leadItem, item] = await readItems(addresses, signal);
    if (!item) return { leadItem, enrichment: undefined };
    // Only clean leads are enriched, and older enrichments say nothing.
    return { leadItem, enrichment: fromEnrichmentItem(item), announcedClean: item.clean !== false };
  }

  async function remove(leadId: string, signal: AbortSignal): Promise<void> {
    await send(new DeleteCommand({ TableName: table, Key: { leadId, part: 'enrichment' } }), signal);
  }

  /** Only if it is still there, so that it cannot come back after its lead. */
  async function announce(enrichment: Enrichment, lead: EnrichedLead, signal: AbortSignal): Promise<void> {
    const command = putOnShortPath({
      TableName: table,
      Item: toEnrichmentItem(enrichment, lead),
      ConditionExpression: 'enrichedAt = :enrichedAt',
      ExpressionAttributeValues: { ':enrichedAt': enrichment.enrichedAt },
    });
    await unlessConditionFails(send(command, signal));
  }

  /** False if the lead is gone. */
  async function lookAgain(
    enrichment: Enrichment,
    lead: EnrichedLead,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (let { clean } = lead; ; ) {
      const [leadItem] = await readItems([address(enrichment.leadId, 'lead')], signal);
      if (!leadItem) {
        await remove(enrichment.leadId, signal);
        return false;
      }
      if (leadItem.clean === clean) return true;
      clean = leadItem.clean === true;
      await announce(enrichment, { ...lead, clean }, signal);
    }
  }

  return {
    read,
    remove,
    announce,
    of: (together) => makeEnrichments({ client, tables }, readTogether(client, together)),
    async write(enrichment, lead, signal) {
      const isWritten = await unlessConditionFails(send(writeCommand(table, enrichment, lead), signal));
      if (!(await lookAgain(enrichment, lead, signal))) return 'gone';
      return isWritten ? 'written' : 'settled';
    },
  };
}

/** Only a failure may be overwritten, and not by the same failure: so a repeated message changes nothing. */
function writeCommand(table: string, enrichment: Enrichment, lead: EnrichedLead) {
  const failedAgain = enrichment.state === 'failed';
  return putOnShortPath({
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
  });
}
