import { type ExpressionInput, Placeholders, parseCondition } from './condition-expression.ts';
import type { Input, Store } from './dynamodb-double.ts';
import { pick } from './reads.ts';
import type { Table } from './table.ts';
import { parseUpdate } from './update-expression.ts';
import {
  type CancellationReason,
  CONDITION_FAILED,
  conditionFailed,
  EXPRESSION_MEMBERS,
  type Item,
  invalid,
  requireMembers,
  ServiceError,
  transactionCanceled,
  Unsupported,
} from './wire-format.ts';

/** A write whose condition was checked but that is not applied yet. */
interface PreparedWrite {
  readonly table: Table;
  readonly address: string;
  readonly before: Item | undefined;
  readonly holds: boolean;
  /** The new item; don't call it if the condition failed. */
  after(): { item: Item | undefined; touched: readonly string[] };
}

const MEMBERS = [
  ...['TableName', 'ConditionExpression', 'ReturnValuesOnConditionCheckFailure', 'ReturnValues'],
  ...EXPRESSION_MEMBERS,
];

function preparePut(store: Store, input: Input): PreparedWrite {
  requireMembers(input, ['Item', ...MEMBERS]);
  const table = store.table(input.TableName);
  const item = input.Item as Item;
  const placeholders = checkedPlaceholders(input, []);
  const address = table.addressOf(item, false);
  return prepare(input, table, address, placeholders, () => ({ item, touched: [] }));
}

function prepareDelete(store: Store, input: Input): PreparedWrite {
  requireMembers(input, ['Key', ...MEMBERS]);
  const table = store.table(input.TableName);
  const placeholders = checkedPlaceholders(input, []);
  const address = table.addressOf(input.Key as Item);
  return prepare(input, table, address, placeholders, () => ({ item: undefined, touched: [] }));
}

/** In a transaction, a condition on an item that is not written. */
function prepareCheck(store: Store, input: Input): PreparedWrite {
  requireMembers(input, ['Key', ...MEMBERS]);
  const table = store.table(input.TableName);
  const placeholders = checkedPlaceholders(input, []);
  const address = table.addressOf(input.Key as Item);
  const before = table.get(address);
  return prepare(input, table, address, placeholders, () => ({ item: before, touched: [] }));
}

function prepareUpdate(store: Store, input: Input): PreparedWrite {
  requireMembers(input, ['Key', 'UpdateExpression', ...MEMBERS]);
  const table = store.table(input.TableName);
  const key = input.Key as Item;
  const update = parseUpdate(input.UpdateExpression as string);
  const placeholders = checkedPlaceholders(input, update.placeholders);
  const address = table.addressOf(key);
  const touched = update.touches(placeholders);
  if (touched.some((name) => name in key)) {
    throw invalid('This attribute is part of the key and cannot be updated');
  }
  return prepare(input, table, address, placeholders, (before) => ({
    item: update.apply(before ?? key, placeholders),
    touched,
  }));
}

function checkedPlaceholders(input: Input, used: readonly string[]): Placeholders {
  const placeholders = new Placeholders(input as ExpressionInput);
  const condition = input.ConditionExpression
    ? parseCondition(input.ConditionExpression as string)
    : undefined;
  placeholders.requireUse([...used, ...(condition?.placeholders ?? [])]);
  return placeholders;
}

function prepare(
  { ConditionExpression }: Input,
  table: Table,
  address: string,
  placeholders: Placeholders,
  make: (before: Item | undefined) => { item: Item | undefined; touched: readonly string[] },
): PreparedWrite {
  const before = table.get(address);
  const condition = ConditionExpression ? parseCondition(ConditionExpression as string) : undefined;
  const holds = condition?.holds(before ?? {}, placeholders) ?? true;
  return { table, address, before, holds, after: () => make(before) };
}

export const putItem = (store: Store, input: Input) => carryOut(store, input, preparePut(store, input));
export const deleteItem = (store: Store, input: Input) => carryOut(store, input, prepareDelete(store, input));
export const updateItem = (store: Store, input: Input) => carryOut(store, input, prepareUpdate(store, input));

function carryOut(store: Store, input: Input, write: PreparedWrite) {
  if (!write.holds) {
    throw conditionFailed(input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? write.before : undefined);
  }
  const { item, touched } = write.after();
  store.write(input.TableName, write.address, item);
  const Attributes = returned(input.ReturnValues, write.before, item, touched);
  return Attributes && Object.keys(Attributes).length > 0 ? { Attributes } : {};
}

function returned(
  which: unknown,
  before: Item | undefined,
  after: Item | undefined,
  touched: readonly string[],
): Item | undefined {
  if (which === undefined || which === 'NONE') return undefined;
  if (which === 'ALL_OLD') return before;
  if (which === 'ALL_NEW') return after;
  if (which === 'UPDATED_NEW') return pick(after ?? {}, touched);
  throw new Unsupported(`ReturnValues ${which}`);
}

const MAX_WRITES = 25;

/** Puts and deletes without conditions. The network decides which entries stay unprocessed. */
export function batchWrite(store: Store, input: Input) {
  requireMembers(input, ['RequestItems']);
  const requests = Object.entries(input.RequestItems as Record<string, Record<string, Input>[]>);
  const counts = requests.map(([, ofTable]) => ofTable.length);
  if (counts.length === 0 || counts.includes(0)) throw invalid('The batch is empty');
  if (counts.reduce((sum, count) => sum + count) > MAX_WRITES) throw invalid('A batch takes 25 writes');

  const writes = requests.flatMap(([TableName, ofTable]) =>
    ofTable.map((request) => ({ TableName, prepared: prepareBatchWrite(store, TableName, request) })),
  );
  const targets = writes.map(({ TableName, prepared }) => `${TableName}/${prepared.address}`);
  if (new Set(targets).size < targets.length) throw invalid('The batch names an item twice');
  for (const { TableName, prepared } of writes) {
    store.write(TableName, prepared.address, prepared.after().item);
  }
  return { UnprocessedItems: {} };
}

function prepareBatchWrite(
  store: Store,
  TableName: string,
  { PutRequest, DeleteRequest, ...others }: Record<string, Input>,
) {
  if (Object.keys(others).length > 0) throw new Unsupported(`the write ${Object.keys(others)}`);
  return PutRequest
    ? preparePut(store, { TableName, ...PutRequest })
    : prepareDelete(store, { TableName, ...DeleteRequest });
}

const ACTIONS: Readonly<Record<string, (store: Store, input: Input) => PreparedWrite>> = {
  Put: preparePut,
  Update: prepareUpdate,
  Delete: prepareDelete,
  ConditionCheck: prepareCheck,
};

const MAX_ITEMS = 100;

/** All or nothing: checks every condition before writing the first item. */
export function transactWrite(store: Store, input: Input) {
  requireMembers(input, ['TransactItems', 'ClientRequestToken']);
  const items = input.TransactItems as Record<string, Input>[];
  if (items.length > MAX_ITEMS) throw invalid('A transaction takes 100 items');
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
