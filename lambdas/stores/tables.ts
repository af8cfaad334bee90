import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableNoun } from '../contract.ts';

export type TableNames = Readonly<Record<TableNoun, string>>;

/** What a store needs: a client, and the names of the tables that it may touch. */
export interface StoreContext<Nouns extends TableNoun> {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Pick<TableNames, Nouns>;
}
