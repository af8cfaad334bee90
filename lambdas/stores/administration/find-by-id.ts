import { setTimeout as sleep } from 'node:timers/promises';
import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { AdministrationContext } from './context.ts';

/** An index follows its table with a delay: what was made a moment ago is worth a second look. */
const PAUSES_MS = [0, 200, 600, 1_200];

/** Finds an item by an id that is not its key: the index gives the key, a strongly consistent read the item. */
export async function findById<Item>(
  client: AdministrationContext['client'],
  at: { table: string; index: string; idName: string; keyNames: readonly string[] },
  id: string,
): Promise<Item | undefined> {
  for (const pause of PAUSES_MS) {
    if (pause > 0) await sleep(pause);
    const { Items } = await client.send(
      new QueryCommand({
        TableName: at.table,
        IndexName: at.index,
        KeyConditionExpression: '#id = :id',
        ExpressionAttributeNames: { '#id': at.idName },
        ExpressionAttributeValues: { ':id': id },
        Limit: 1,
      }),
    );
    const entry = Items?.[0];
    if (!entry) continue;
    const Key = Object.fromEntries(at.keyNames.map((name) => [name, entry[name]]));
    const { Item } = await client.send(new GetCommand({ TableName: at.table, Key, ConsistentRead: true }));
    if (Item) return Item as Item;
  }
  return undefined;
}
