import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type StoreContext } from '#aws/dynamodb.ts';
import { readTogether, type Together } from '#aws/together.ts';
import type { LeadItem } from '#model/lead-item.ts';

/** What the index is made from. All reads are strongly consistent. */
export interface IndexedLeads {
  read(leadId: string, signal: AbortSignal): Promise<LeadItem | undefined>;
  hasFailedEnrichment(leadId: string, signal: AbortSignal): Promise<boolean>;
}

export function makeIndexedLeads({
  client,
  tables,
}: StoreContext<'leads'>): (together?: Together) => IndexedLeads {
  async function hasFailedEnrichment(leadId: string, signal: AbortSignal): Promise<boolean> {
    const command = new GetCommand({
      TableName: tables.leads,
      Key: { leadId, part: 'enrichment' },
      ConsistentRead: true,
      ProjectionExpression: '#state',
      ExpressionAttributeNames: { '#state': 'state' },
    });
    return (await client.send(command, { abortSignal: signal })).Item?.state === 'failed';
  }

  return (together) => {
    const readAll = together ? readTogether(client, together) : batchGet.bind(undefined, client);
    return {
      async read(leadId, signal) {
        const [item] = await readAll([{ table: tables.leads, key: { leadId, part: 'lead' } }], signal);
        return item;
      },
      hasFailedEnrichment,
    };
  };
}
