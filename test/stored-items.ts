import { type DynamoDBDocumentClient, GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';

type Item = Record<string, unknown>;

/**
 * Every item of one partition as it is stored now: `{ workspaceId }`. With a second key, only those whose sort key
 * begins like this: `{ sk: 'hour#' }`.
 */
export async function itemsOf(
  client: DynamoDBDocumentClient,
  TableName: string,
  partition: Readonly<Record<string, string>>,
  beginning: Readonly<Record<string, string>> = {},
): Promise<Item[]> {
  const [[key = '', value] = []] = Object.entries(partition);
  const [[sortKey, prefix] = []] = Object.entries(beginning);
  const query = {
    TableName,
    KeyConditionExpression: sortKey ? '#key = :value AND begins_with(#sort, :prefix)' : '#key = :value',
    ExpressionAttributeNames: { '#key': key, ...(sortKey && { '#sort': sortKey }) },
    ExpressionAttributeValues: { ':value': value, ...(sortKey && { ':prefix': prefix }) },
    ConsistentRead: true,
  };
  const items: Item[] = [];
  for await (const { Items = [] } of paginateQuery({ client }, query)) items.push(...Items);
  return items;
}

/** One item as it is stored now. */
export async function itemAt(
  client: DynamoDBDocumentClient,
  TableName: string,
  Key: Readonly<Record<string, unknown>>,
): Promise<Item | undefined> {
  return (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
}

/** Changes these attributes of one item, as if something else had done it. */
export async function setAttributes(
  client: DynamoDBDocumentClient,
  TableName: string,
  Key: Readonly<Record<string, string>>,
  attributes: object,
): Promise<void> {
  const entries = Object.entries(attributes);
  await client.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: `SET ${entries.map((_, at) => `#n${at} = :v${at}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], at) => [`#n${at}`, name])),
      ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], at) => [`:v${at}`, value])),
    }),
  );
}
