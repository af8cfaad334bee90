import { setTimeout as sleep } from 'node:timers/promises';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';

/** An index lags behind its table: an item created a moment ago may need a second read. */
const PAUSES_MS = [0, 200, 600, 1_200];
/** Owners wait in the browser, where a wrong id is rare and a form that was just created is not. */
const OWNERS_PAUSES_MS = [0, 100, 300];

/** Where an item with an id is kept, and the indexes that know its key by the id. */
export interface Place {
  readonly table: string;
  readonly byId: string;
  readonly byWorkspaceAndId: string;
  readonly idName: string;
  readonly keyNames: readonly string[];
}

/** Finds an item by an id that is not its key: an index gives the key, a strongly consistent read the item. */
export type Finder = <Item>(at: Place, id: string) => Promise<Item | undefined>;

/** For operators, who may reach every workspace. */
export async function findById<Item>(
  client: DynamoDBDocumentClient,
  at: Pick<Place, 'table' | 'idName' | 'keyNames'> & { readonly index: string },
  id: string,
): Promise<Item | undefined> {
  const find = { KeyConditionExpression: '#id = :id', ExpressionAttributeValues: { ':id': id } };
  return findKeyThenItem(client, at, { ...find, IndexName: at.index }, PAUSES_MS);
}

export function operatorsFinder(client: DynamoDBDocumentClient): Finder {
  return (at, id) => findById(client, { ...at, index: at.byId }, id);
}

/**
 * An owner reaches one workspace, through an index that begins with it. An id of another workspace causes the same
 * calls and the same empty result as one that does not exist.
 */
export function ownersFinder(client: DynamoDBDocumentClient, workspaceId: string): Finder {
  return async (at, id) => {
    // No id is like this, and DynamoDB refuses empty keys and those over 1,024 bytes.
    if (id === '' || id.length > 200) return undefined;
    const find = {
      IndexName: at.byWorkspaceAndId,
      KeyConditionExpression: 'workspaceId = :workspaceId AND #id = :id',
      ExpressionAttributeValues: { ':workspaceId': workspaceId, ':id': id },
    };
    return findKeyThenItem(client, at, find, OWNERS_PAUSES_MS);
  };
}

async function findKeyThenItem<Item>(
  client: DynamoDBDocumentClient,
  at: Pick<Place, 'table' | 'idName' | 'keyNames'>,
  find: Pick<QueryCommandInput, 'IndexName' | 'KeyConditionExpression' | 'ExpressionAttributeValues'>,
  pausesMilliseconds: readonly number[],
): Promise<Item | undefined> {
  for (const pause of pausesMilliseconds) {
    if (pause > 0) await sleep(pause);
    const { Items } = await client.send(
      new QueryCommand({
        TableName: at.table,
        ...find,
        ExpressionAttributeNames: { '#id': at.idName },
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
