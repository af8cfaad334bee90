import { DescribeTableCommand, type DynamoDBClient, type TableDescription } from '@aws-sdk/client-dynamodb';

export interface TableIndexes {
  /** What an item puts into each index of its table; an index whose key it lacks does not hold it. */
  entriesOf(table: string, item: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>[]>;
  keyOf(table: string): Promise<string[]>;
}

/** Knows the indexes of tables as the engine describes them. */
export function makeTableIndexes(client: DynamoDBClient): TableIndexes {
  const known = new Map<string, Promise<TableDescription | undefined>>();

  function describe(table: string): Promise<TableDescription | undefined> {
    const found =
      known.get(table) ??
      client.send(new DescribeTableCommand({ TableName: table })).then(({ Table }) => Table);
    known.set(table, found);
    return found;
  }

  const names = (schema: { AttributeName?: string | undefined }[] = []) =>
    schema.map(({ AttributeName }) => AttributeName as string);

  return {
    keyOf: async (table) => names((await describe(table))?.KeySchema),

    async entriesOf(table, item) {
      const description = await describe(table);
      return (description?.GlobalSecondaryIndexes ?? []).flatMap(({ KeySchema, Projection }) => {
        const key = names(KeySchema);
        if (key.some((name) => item[name] === undefined)) return [];
        if (Projection?.ProjectionType === 'ALL') return [{ ...item }];
        const kept = new Set([
          ...key,
          ...names(description?.KeySchema),
          ...(Projection?.NonKeyAttributes ?? []),
        ]);
        return [Object.fromEntries(Object.entries(item).filter(([name]) => kept.has(name)))];
      });
    },
  };
}
