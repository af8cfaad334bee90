import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Item } from './item-lines.ts';

/** All items of a table, page by page, each as it is when its page is read. The parts of a lead follow each other. */
export async function* readTable(
  client: DynamoDBDocumentClient,
  table: string,
  signal: AbortSignal,
): AsyncGenerator<Item[]> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table, ConsistentRead: true })) {
    signal.throwIfAborted();
    if (Items.length > 0) yield Items;
  }
}
