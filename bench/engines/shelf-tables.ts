import { CreateTableCommand, type DynamoDBClient, type GlobalSecondaryIndex } from '@aws-sdk/client-dynamodb';

/** The tables of what is compared with ours. */
export const SHELF_TABLES = {
  tokens: 'shelf-tokens',
  limits: 'shelf-limits',
  idempotency: 'shelf-idempotency',
  leads: 'shelf-leads',
} as const;

export const FLOOR_TABLE = 'floor-leads';

/** Owners list leads by form: the same index as ours, and no more in it. */
const BY_FORM: GlobalSecondaryIndex = {
  IndexName: 'byForm',
  KeySchema: [
    { AttributeName: 'formId', KeyType: 'HASH' },
    { AttributeName: 'leadId', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['workspaceId', 'surface', 'receivedAt'] },
};

export async function makeShelfTables(client: DynamoDBClient): Promise<void> {
  const make = (TableName: string, key: string, index?: GlobalSecondaryIndex) =>
    client.send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
        AttributeDefinitions: [key, ...(index ? ['formId'] : [])].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        GlobalSecondaryIndexes: index && [index],
      }),
    );
  await Promise.all([
    make(SHELF_TABLES.tokens, 'tokenHash'),
    // The names that the two libraries want: rate-limiter-flexible `key`, Powertools `id`.
    make(SHELF_TABLES.limits, 'key'),
    make(SHELF_TABLES.idempotency, 'id'),
    make(SHELF_TABLES.leads, 'leadId', BY_FORM),
    make(FLOOR_TABLE, 'leadId'),
  ]);
}
