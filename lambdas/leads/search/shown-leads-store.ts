import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { pauseBeforeRetry, type StoreContext } from '../../aws/dynamodb.ts';
import { type Enrichment, type EnrichmentState, enrichmentState } from '../../enrichment/enrichment-item.ts';
import { fieldsOfLead } from '../../model/lead-fields.ts';
import { type LeadReaderContext, readWholeLeads, type WholeLead } from '../whole-leads-store.ts';
import type { ListedLead, ShownLead } from './index-entry.ts';
import { previewOf } from './lead-preview.ts';

type Key = { readonly leadId: string; readonly part: string };

/** The state of each lead's enrichment, which the list does not know. At most 100 leads. */
export async function enrichmentStates(
  { client, tables }: StoreContext<'leads'>,
  leads: readonly ListedLead[],
  signal: AbortSignal,
): Promise<EnrichmentState[]> {
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
    return enrichmentState(lead, state && { state });
  });
}

/** Leads of the list with what Leads says about them, in one call for 50. One that is gone is shown as the list has it. */
export async function showLeads<Lead extends ListedLead>(
  context: LeadReaderContext,
  workspaceId: string,
  leads: readonly Lead[],
  signal: AbortSignal,
): Promise<(Omit<Lead, 'review' | 'handling'> & ShownLead)[]> {
  const whole = await readWholeLeads(context, workspaceId, leads, signal);
  const known = new Map(whole.map((each) => [each.lead.leadId, each]));
  return leads.map(({ review: _review, handling: _handling, ...listed }) => ({
    ...listed,
    ...(known.has(listed.leadId)
      ? knownOf(known.get(listed.leadId) as WholeLead)
      : { enrichment: enrichmentState(listed, undefined) }),
  }));
}

/** The fields of a damaged lead are unknown. */
function knownOf({ lead, state }: WholeLead) {
  const { clean, review, opened, handled, roles } = lead;
  const fields = fieldsOfLead(lead);
  return { clean, enrichment: state, review, opened, handled, preview: fields && previewOf(fields, roles) };
}
