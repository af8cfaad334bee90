import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../../aws/batch-get.ts';
import { enrichmentState, fromEnrichmentItem } from '../../enrichment/enrichment-item.ts';
import { wholeSeconds } from '../../submission/idempotency-key.ts';
import { fromLeadItem, hasExpired } from '../../submission/lead-item.ts';
import type { LeadReaderContext, WholeLead } from './whole-leads-store.ts';

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
          ...{ ':lead': 'lead', ':true': true, ':since': sinceIso, ':now': wholeSeconds(now()) },
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
