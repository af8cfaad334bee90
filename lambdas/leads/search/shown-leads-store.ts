import { batchGet, type StoreContext } from '../../aws/dynamodb.ts';
import { enrichmentState, fromEnrichmentItem } from '../../enrichment/enrichment-item.ts';
import type { ListedLead, ShownLead } from './index-entry.ts';

/** What the list does not know: the state of each lead's enrichment. At most 100 leads. */
export async function withEnrichment<Lead extends ListedLead>(
  { client, tables }: StoreContext<'leads'>,
  leads: readonly Lead[],
  signal: AbortSignal,
): Promise<(Lead & ShownLead)[]> {
  const clean = leads.filter((lead) => lead.clean);
  const addresses = clean.map(({ leadId }) => ({
    table: tables.leads,
    key: { leadId, part: 'enrichment' },
    attributes: ['leadId', 'state'],
  }));
  const items = clean.length === 0 ? [] : await batchGet(client, addresses, signal);
  const found = new Map(clean.map(({ leadId }, index) => [leadId, items[index]]));
  return leads.map((lead) => {
    const item = found.get(lead.leadId);
    return { ...lead, enrichment: enrichmentState(lead, item && fromEnrichmentItem(item)) };
  });
}
