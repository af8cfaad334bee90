import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '../aws/dynamodb.ts';
import { type Enrichment, enrichmentState, fromEnrichmentItem } from '../enrichment/enrichment-item.ts';
import {
  fromLeadItem,
  fromPerhapsDamagedItem,
  hasExpired,
  type Lead,
  type LeadItem,
} from '../model/lead-item.ts';
import { wholeSeconds } from '../model/limits.ts';
import type { IndexEntry } from './form-index-store.ts';

/** Both parts of a lead together. */
export interface WholeLead {
  readonly lead: Lead;
  readonly state: ReturnType<typeof enrichmentState>;
  readonly enrichment: Enrichment | undefined;
}

/** A reader of leads needs the time: an expired lead may still be stored. */
export interface LeadReaderContext extends StoreContext<'leads'> {
  readonly now: () => number;
}

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
  const lead = fromPerhapsDamagedItem(leadItem);
  const enrichment = enrichmentItem && fromEnrichmentItem(enrichmentItem);
  return { lead, state: enrichmentState(lead, enrichment), enrichment };
}

export interface LeadArchive {
  read(leadId: string, signal: AbortSignal): Promise<WholeLead | undefined>;
  /** The clean leads since a moment that have no enrichment yet, page by page. Reads the whole table. */
  pending(sinceIso: string, signal: AbortSignal): AsyncGenerator<string[]>;
}

/** Leads as an operator looks at them, both parts together. */
export function makeLeadArchive({ client, tables, now }: LeadReaderContext): LeadArchive {
  const address = (leadId: string, part: string) => ({ table: tables.leads, key: { leadId, part } });

  async function read(leadId: string, signal: AbortSignal): Promise<WholeLead | undefined> {
    const [leadItem, item] = await batchGet(
      client,
      [address(leadId, 'lead'), address(leadId, 'enrichment')],
      signal,
    );
    if (!leadItem || hasExpired(leadItem, now())) return undefined;
    const lead = fromLeadItem(leadItem);
    const enrichment = item && fromEnrichmentItem(item);
    return { lead, state: enrichmentState(lead, enrichment), enrichment };
  }

  async function* pending(sinceIso: string, signal: AbortSignal): AsyncGenerator<string[]> {
    const pages = paginateScan(
      { client, pageSize: 100 },
      {
        TableName: tables.leads,
        FilterExpression: `part = :lead AND clean = :true AND receivedAt >= :since
          AND (attribute_not_exists(expiresAt) OR expiresAt > :now)`,
        ExpressionAttributeValues: {
          ':lead': 'lead',
          ':true': true,
          ':since': sinceIso,
          ':now': wholeSeconds(now()),
        },
        ProjectionExpression: 'leadId',
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) {
      const leadIds = Items.map(({ leadId }) => leadId as string);
      if (leadIds.length === 0) continue;
      const parts = await batchGet(
        client,
        leadIds.map((leadId) => address(leadId, 'enrichment')),
        signal,
      );
      const waiting = leadIds.filter((_, index) => parts[index] === undefined);
      if (waiting.length > 0) yield waiting;
    }
  }

  return { read, pending };
}
