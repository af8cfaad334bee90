import { enrichmentState, fromEnrichmentItem } from '../../core/enrichment/enrichment-item.ts';
import { fromLeadItem, type Lead, type LeadItem } from '../../core/lead-item.ts';
import { hasExpired } from '../../core/lead-retention.ts';
import { batchGet } from '../batch-get.ts';
import type { LeadReaderContext, WholeLead } from '../whole-lead.ts';
import type { IndexEntry } from './form-index.ts';

/** A batch takes 100 keys, and a lead has two parts. */
const LEADS_IN_A_BATCH = 50;

/**
 * Both parts of each lead, strongly consistent, in the order given. Those that are gone, expired, or another
 * workspace's, are left out: the index follows its table with a delay, and an erased lead must not be shown by it.
 */
export async function readWholeLeads(
  { client, tables, now }: LeadReaderContext,
  workspaceId: string,
  entries: readonly IndexEntry[],
  signal: AbortSignal,
): Promise<WholeLead[]> {
  async function readBatch(batch: readonly IndexEntry[]): Promise<WholeLead[]> {
    // What is not clean is never enriched, so that there is nothing to look for.
    const cleanIds = batch.filter(({ clean }) => clean).map(({ leadId }) => leadId);
    const address = (leadId: string, part: string) => ({ table: tables.leads, key: { leadId, part } });
    const items = await batchGet(
      client,
      [
        ...batch.map(({ leadId }) => address(leadId, 'lead')),
        ...cleanIds.map((leadId) => address(leadId, 'enrichment')),
      ],
      signal,
    );
    const readAt = now();
    const isShown = (item: LeadItem) => item.workspaceId === workspaceId && !hasExpired(item, readAt);
    const enrichments = new Map(cleanIds.map((leadId, index) => [leadId, items[batch.length + index]]));
    return batch.flatMap(({ leadId }, index) => {
      const leadItem = items[index];
      return leadItem && isShown(leadItem) ? [toWholeLead(leadItem, enrichments.get(leadId))] : [];
    });
  }

  const batches: IndexEntry[][] = [];
  for (let from = 0; from < entries.length; from += LEADS_IN_A_BATCH) {
    batches.push(entries.slice(from, from + LEADS_IN_A_BATCH));
  }
  return (await Promise.all(batches.map(readBatch))).flat();
}

function toWholeLead(leadItem: LeadItem, enrichmentItem: LeadItem | undefined): WholeLead {
  const lead = unpack(leadItem);
  const enrichment = enrichmentItem && fromEnrichmentItem(enrichmentItem);
  return { lead, state: enrichmentState(lead, enrichment), enrichment };
}

/** One damaged item must not stand in the way of a whole export: it shows with an empty body, and can be erased. */
function unpack(item: LeadItem): Lead {
  try {
    return fromLeadItem(item);
  } catch {
    const { packed: _packed, part: _part, v: _version, ...rest }: Record<string, unknown> = item;
    return { ...rest, body: '', signals: [] } as unknown as Lead;
  }
}
