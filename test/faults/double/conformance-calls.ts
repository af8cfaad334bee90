import type { TableNames } from '#aws/tables.ts';
import type { Call } from './conformance.ts';

export type Members = Record<string, unknown>;
type Noun = keyof TableNames;

const on =
  (kind: Call['kind']) =>
  (noun: Noun, members: Members): Call => ({
    kind,
    input: (tables) => ({ TableName: tables[noun], ...members }),
  });

export const put = on('put');
export const update = on('update');
export const remove = on('delete');
export const get = on('get');
export const query = on('query');

export function transact(
  items: readonly (readonly [action: string, noun: Noun, members: Members])[],
  token?: string,
): Call {
  return {
    kind: 'transact',
    input: (tables) => ({
      ...(token && { ClientRequestToken: token }),
      TransactItems: items.map(([action, noun, members]) => ({
        [action]: { TableName: tables[noun], ...members },
      })),
    }),
  };
}

export function batchGet(keys: Partial<Record<Noun, Members[]>>, more: Members = {}): Call {
  return {
    kind: 'batchGet',
    input: (tables) => ({
      RequestItems: Object.fromEntries(
        Object.entries(keys).map(([noun, Keys]) => [tables[noun as Noun], { Keys, ...more }]),
      ),
    }),
  };
}
export const OLD_ON_FAILURE = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
export const workspaceId = 'ws';
export const token = {
  tokenHash: 't',
  tokenId: 'tok_1',
  workspaceId,
  slug: 'contact',
  formId: 'form',
  type: 'server',
};
