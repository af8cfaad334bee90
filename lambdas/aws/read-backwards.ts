import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';

/** The items of one partition whose sort keys lie in a range. */
export interface SortedRange {
  readonly table: string;
  readonly workspaceId: string;
  readonly keys: readonly [first: string, last: string];
  /** Expired items are as good as deleted: DynamoDB deletes them late. */
  readonly liveAtSeconds?: number;
}

type Item = Record<string, unknown> & { readonly sk: string };

/** A page of DynamoDB's is 1 MB. */
const MOST_PAGES = 15;

/**
 * Gives the items newest first until `take` declines one, or so many pages were read. Gives the sort key at which it
 * stopped, and undefined when it came to the end: what is left out is always what is oldest.
 */
export async function readBackwards(
  client: DynamoDBDocumentClient,
  range: SortedRange,
  take: (item: Item) => boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  let startKey: Record<string, unknown> | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const command = new QueryCommand({ ...backwardsQuery(range), ExclusiveStartKey: startKey });
    const { Items = [], LastEvaluatedKey } = await client.send(command, { abortSignal: signal });
    for (const item of Items as Item[]) {
      if (!take(item)) return item.sk;
    }
    if (!LastEvaluatedKey) return undefined;
    startKey = LastEvaluatedKey;
  }
  return startKey?.sk as string;
}

export function backwardsQuery({ table, workspaceId, keys: [first, last], liveAtSeconds }: SortedRange) {
  return {
    TableName: table,
    KeyConditionExpression: 'workspaceId = :workspaceId AND sk BETWEEN :first AND :last',
    ...(liveAtSeconds !== undefined && { FilterExpression: 'expiresAt > :liveAt' }),
    ExpressionAttributeValues: {
      ...{ ':workspaceId': workspaceId, ':first': first, ':last': last },
      ...(liveAtSeconds !== undefined && { ':liveAt': liveAtSeconds }),
    },
    ScanIndexForward: false,
  };
}
