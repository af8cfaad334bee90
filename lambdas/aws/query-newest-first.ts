import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';

/** The items of one partition whose sort keys lie in a range. */
export interface SortedRange {
  readonly table: string;
  readonly workspaceId: string;
  readonly keys: readonly [first: string, last: string];
  /** Skips items that expired before this time: DynamoDB deletes them late. */
  readonly liveAtSeconds?: number;
}

type Item = Record<string, unknown> & { readonly sk: string };

/** DynamoDB returns pages of 1 MB. */
const MAX_PAGES = 15;

/**
 * Passes items to `take`, newest first, until it returns false or the page limit is reached. Returns the sort key at
 * which it stopped, or undefined at the end: only the oldest items are ever left out.
 */
export async function readBackwards(
  client: DynamoDBDocumentClient,
  range: SortedRange,
  take: (item: Item) => boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  let startKey: Record<string, unknown> | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
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
      ':workspaceId': workspaceId,
      ':first': first,
      ':last': last,
      ...(liveAtSeconds !== undefined && { ':liveAt': liveAtSeconds }),
    },
    ScanIndexForward: false,
  };
}
