import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { pauseBeforeRetry, type StoreContext } from '../../aws/dynamodb.ts';
import { type Enrichment, enrichmentState } from '../../enrichment/enrichment-item.ts';
import type { ListedLead, ShownLead } from './index-entry.ts';

type Key = { readonly leadId: string; readonly part: string };

/** What the list does not know: the state of each lead's enrichment. At most 100 leads. */
export async function withEnrichment<Lead extends ListedLead>(
  { client, tables }: StoreContext<'leads'>,
  leads: readonly Lead[],
  signal: AbortSignal,
): Promise<(Lead & ShownLead)[]> {
  const states = new Map<string, Enrichment['state']>();
  let pending: Key[] = leads
    .filter(({ clean }) => clean)
    .map(({ leadId }) => ({ leadId, part: 'enrichment' }));
  for (let attempt = 0; pending.length > 0; attempt += 1) {
    if (attempt > 0) await pauseBeforeRetry(attempt, signal);
    const request = {
      Keys: pending,
      // A reserved word.
      ProjectionExpression: 'leadId, #state',
      ExpressionAttributeNames: { '#state': 'state' },
    };
    const command = new BatchGetCommand({ RequestItems: { [tables.leads]: request } });
    const { Responses = {}, UnprocessedKeys = {} } = await client.send(command, { abortSignal: signal });
    for (const { leadId, state } of Responses[tables.leads] ?? []) states.set(leadId, state);
    pending = (UnprocessedKeys[tables.leads]?.Keys ?? []) as Key[];
  }
  return leads.map((lead) => {
    const state = states.get(lead.leadId);
    return { ...lead, enrichment: enrichmentState(lead, state && { state }) };
  });
}
