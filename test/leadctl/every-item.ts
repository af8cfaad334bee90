import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { openStack } from '../../bin/operator/open-stack.ts';
import type { Summary } from '../local/support/run-main.ts';

/** Every item of every table, by table. */
export async function everything({ outputsFile }: Summary) {
  const { client, tables } = openStack(outputsFile);
  const found: { table: string; item: Record<string, unknown> }[] = [];
  for (const [table, TableName] of Object.entries(tables)) {
    for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
      found.push(...Items.map((item) => ({ table, item })));
    }
  }
  client.destroy();
  return found;
}

/** The leads in the workspace's list, by their ids. */
export function listed(items: Awaited<ReturnType<typeof everything>>) {
  return items
    .filter(({ table, item }) => table === 'leadIndex' && `${item.bucket}`.startsWith('list#'))
    .map(({ item }) => item)
    .sort((one, other) => (`${one.leadId}` < `${other.leadId}` ? -1 : 1));
}
