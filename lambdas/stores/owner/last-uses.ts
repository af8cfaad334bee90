import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { StoreContext } from '../tables.ts';

/** When tokens and secrets were last used, to about a minute, by `token#<id>` and `secret#<form>#current|previous`. */
export type LastUses = ReadonlyMap<string, string>;

export interface LastUseReader {
  read(
    workspaceId: string,
    of: 'token#' | 'secret#' | `secret#${string}#`,
    signal: AbortSignal,
  ): Promise<LastUses>;
}

const PREFIX = 'use#';

export function makeLastUses({ client, tables }: StoreContext<'diagnostics'>): LastUseReader {
  return {
    async read(workspaceId, of, signal) {
      const uses = new Map<string, string>();
      const pages = paginateQuery(
        { client },
        {
          TableName: tables.diagnostics,
          KeyConditionExpression: 'workspaceId = :workspaceId AND begins_with(sk, :prefix)',
          ExpressionAttributeValues: { ':workspaceId': workspaceId, ':prefix': `${PREFIX}${of}` },
        },
        { abortSignal: signal },
      );
      for await (const { Items = [] } of pages) {
        for (const { sk, lastUsedAt } of Items) uses.set(String(sk).slice(PREFIX.length), String(lastUsedAt));
      }
      return uses;
    },
  };
}
