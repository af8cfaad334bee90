import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';

export type Item = Record<string, unknown>;

/** Everything in a table, for audits after a run. */
export async function itemsOf(client: DynamoDBDocumentClient, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of paginateScan({ client }, { TableName, ConsistentRead: true }))
    items.push(...(page.Items ?? []));
  return items;
}
