import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { pauseBeforeRetry } from './retry.ts';

export interface ItemAddress {
  readonly table: string;
  readonly key: Readonly<Record<string, string>>;
  /** Attributes to read, the key included; the same for every item of a table. */
  readonly attributes?: readonly string[];
}

type Item = Record<string, unknown>;

interface TableRequest {
  readonly Keys: Record<string, string>[];
  readonly ConsistentRead: boolean;
  readonly ProjectionExpression: string | undefined;
}

/** Reads items of several tables in one strongly consistent call and returns them in the order asked for. */
export async function batchGet(
  client: DynamoDBDocumentClient,
  addresses: readonly ItemAddress[],
  signal: AbortSignal,
): Promise<(Item | undefined)[]> {
  const found: Record<string, Item[]> = {};
  let pending = requestFor(addresses);
  for (let attempt = 0; Object.keys(pending).length > 0; attempt += 1) {
    // A throttled key comes back as unprocessed, with status 200: the SDK does not retry it.
    if (attempt > 0) await pauseBeforeRetry(attempt, signal);
    const answer = await client.send(new BatchGetCommand({ RequestItems: pending }), { abortSignal: signal });
    for (const [table, items] of Object.entries(answer.Responses ?? {})) {
      found[table] = [...(found[table] ?? []), ...items];
    }
    pending = (answer.UnprocessedKeys ?? {}) as typeof pending;
  }
  return addresses.map(({ table, key }) => found[table]?.find((item) => hasKey(key, item)));
}

/** Cheap on purpose: an item that exists must not take longer than one that does not. */
function hasKey(key: ItemAddress['key'], item: Item): boolean {
  for (const name in key) if (item[name] !== key[name]) return false;
  return true;
}

function requestFor(addresses: readonly ItemAddress[]) {
  const request: Record<string, TableRequest> = {};
  for (const { table, key, attributes } of addresses) {
    request[table] ??= { Keys: [], ConsistentRead: true, ProjectionExpression: attributes?.join(', ') };
    request[table].Keys.push(key);
  }
  return request;
}
