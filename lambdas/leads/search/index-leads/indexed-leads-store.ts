import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '#aws/dynamodb.ts';
import type { LeadItem } from '#model/lead-item.ts';

/** What the index is made from. All reads are strongly consistent. */
export interface IndexedLeads {
  read(leadId: string, signal: AbortSignal): Promise<LeadItem | undefined>;
  hasFailedEnrichment(leadId: string, signal: AbortSignal): Promise<boolean>;
  hasWorkspace(workspaceId: string, signal: AbortSignal): Promise<boolean>;
}

export function makeIndexedLeads({ client, tables }: StoreContext<'leads' | 'workspaces'>): IndexedLeads {
  async function get(TableName: string, Key: object, signal: AbortSignal, more: object = {}) {
    const command = new GetCommand({ TableName, Key, ConsistentRead: true, ...more });
    return (await client.send(command, { abortSignal: signal })).Item;
  }

  return {
    read: (leadId, signal) => get(tables.leads, { leadId, part: 'lead' }, signal),

    async hasFailedEnrichment(leadId, signal) {
      const names = { ProjectionExpression: '#state', ExpressionAttributeNames: { '#state': 'state' } };
      const item = await get(tables.leads, { leadId, part: 'enrichment' }, signal, names);
      return item?.state === 'failed';
    },

    async hasWorkspace(workspaceId, signal) {
      const names = { ProjectionExpression: 'workspaceId' };
      return (await get(tables.workspaces, { workspaceId }, signal, names)) !== undefined;
    },
  };
}
