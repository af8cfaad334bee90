import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { TABLE_VARIABLES, type TableNoun } from '../contract.ts';

export type TableNames = Readonly<Record<TableNoun, string>>;

/** What a store needs: a client, and the names of the tables that it may touch. */
export interface StoreContext<Nouns extends TableNoun> {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Pick<TableNames, Nouns>;
}

/** Reads the names of a function's tables. The error lists every missing variable. */
export function tablesFromEnvironment<Noun extends TableNoun>(
  env: Readonly<Record<string, string | undefined>>,
  nouns: readonly Noun[],
): Record<Noun, string> {
  const missing = nouns.map((noun) => TABLE_VARIABLES[noun]).filter((variable) => !env[variable]);
  if (missing.length > 0) throw new Error(`Missing environment variables: ${missing.join(', ')}`);
  return Object.fromEntries(nouns.map((noun) => [noun, env[TABLE_VARIABLES[noun]]])) as Record<Noun, string>;
}

export function requireVariable(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = env[name];
  if (!value) throw new Error(`Missing environment variables: ${name}`);
  return value;
}
