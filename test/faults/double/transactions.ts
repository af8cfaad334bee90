import type { Input, Store } from './dynamodb-double.ts';
import { requireMembers } from './request-members.ts';
import {
  type CancellationReason,
  CONDITION_FAILED,
  invalid,
  ServiceError,
  transactionCanceled,
} from './service-error.ts';
import { type PreparedWrite, prepareCheck, prepareDelete, preparePut, prepareUpdate } from './writes.ts';

const ACTIONS: Readonly<Record<string, (store: Store, input: Input) => PreparedWrite>> = {
  Put: preparePut,
  Update: prepareUpdate,
  Delete: prepareDelete,
  ConditionCheck: prepareCheck,
};

const MOST_ITEMS = 100;

/** All or nothing: every condition is looked at before the first item is written. */
export function transactWrite(store: Store, input: Input) {
  requireMembers(input, ['TransactItems', 'ClientRequestToken']);
  const items = input.TransactItems as Record<string, Input>[];
  if (items.length > MOST_ITEMS) throw invalid('A transaction takes 100 items');
  if (isRepeat(store, input)) return {};

  const writes = items.map((item) => {
    const [action, request] = Object.entries(item)[0] as [string, Input];
    const prepared = (ACTIONS[action] as (typeof ACTIONS)[string])(store, request);
    return { action, request, prepared };
  });
  requireDistinctItems(writes);

  const reasons = writes.map(({ request, prepared }) => reasonOf(request, prepared));
  if (reasons.some(({ Code }) => Code !== 'None')) throw transactionCanceled(reasons);
  const results = writes.map(({ prepared }) => prepared.after());
  for (const [index, { action, request, prepared }] of writes.entries()) {
    if (action !== 'ConditionCheck') store.write(request.TableName, prepared.address, results[index]?.item);
  }
  if (input.ClientRequestToken) {
    store.transactionTokens.set(String(input.ClientRequestToken), JSON.stringify(input.TransactItems));
  }
  return {};
}

function isRepeat(store: Store, { ClientRequestToken, TransactItems }: Input): boolean {
  const known = store.transactionTokens.get(String(ClientRequestToken));
  if (known === undefined) return false;
  if (known === JSON.stringify(TransactItems)) return true;
  throw new ServiceError('IdempotentParameterMismatchException', 'The token was used with other parameters');
}

function requireDistinctItems(writes: readonly { request: Input; prepared: PreparedWrite }[]): void {
  const targets = writes.map(({ request, prepared }) => `${request.TableName}/${prepared.address}`);
  if (new Set(targets).size < targets.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
}

function reasonOf({ ReturnValuesOnConditionCheckFailure }: Input, write: PreparedWrite): CancellationReason {
  if (write.holds) return { Code: 'None' };
  const shown = ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && write.before;
  return { Code: 'ConditionalCheckFailed', Message: CONDITION_FAILED, ...(shown && { Item: shown }) };
}
