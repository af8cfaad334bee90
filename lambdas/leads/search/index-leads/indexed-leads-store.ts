import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '#aws/dynamodb.ts';
import type { LeadItem } from '#model/lead-item.ts';

/** What the index is made from. All reads are strongly consistent. */
export interface IndexedLeads {
  read(leadId: string, signal: AbortSignal): Promise<LeadItem | undefined>;
  hasFailedEnrichment(leadId: string, signal: AbortSignal): Promise<boolean>;
}

export function makeIndexedLeads({ client, tables }: StoreContext<'leads'>): IndexedLeads {
  async function get(Key: object, signal: AbortSignal, more: object = {}) {
    const command = new GetCommand({ TableName: tables.leads, Key, ConsistentRead: true, ...more });
    return (await client.send(command, { abortSignal: signal })).Item;
  }

  return {
    read: (leadId, signal) => get({ leadId, part: 'lead' }, signal),

    async hasFailedEnrichment(leadId, signal) {
      const names = { ProjectionExpression: '#state', ExpressionAttributeNames: { '#state': 'state' } };
      const item = await get({ leadId, part: 'enrichment' }, signal, names);
      return item?.state === 'failed';
    },
  };
}
