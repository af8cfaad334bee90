import type { Item } from './attribute-value.ts';
import { parseCondition } from './condition-expression.ts';
import type { Input, Store } from './dynamodb-double.ts';
import { type ExpressionInput, Placeholders } from './placeholders.ts';
import { pick } from './projection-expression.ts';
import { EXPRESSION_MEMBERS, requireMembers } from './request-members.ts';
import { conditionFailed, invalid } from './service-error.ts';
import type { Table } from './table.ts';
import { Unsupported } from './unsupported.ts';
import { parseUpdate } from './update-expression.ts';

/** A write whose condition has been looked at, and that has not been made yet. */
export interface PreparedWrite {
  readonly table: Table;
  readonly address: string;
  readonly before: Item | undefined;
  readonly holds: boolean;
  /** What shall stand there; not to be asked for where the condition fails. */
  after(): { item: Item | undefined; touched: readonly string[] };
}

const MEMBERS = [
  ...['TableName', 'ConditionExpression', 'ReturnValuesOnConditionCheckFailure', 'ReturnValues'],
  ...EXPRESSION_MEMBERS,
];

export function preparePut(store: Store, input: Input): PreparedWrite {
  requireMembers(input, ['Item', ...MEMBERS]);
  const table = store.table(input.TableName);
  const item = input.Item as Item;
  const placeholders = checkedPlaceholders(input, []);
  const address = table.addressOf(item, false);
  return prepare(input, table, address, placeholders, () => ({ item, touched: [] }));
}

export function prepareDelete(store: Store, input: Input): PreparedWrite {
  requireMembers(input, ['Key', ...MEMBERS]);
  const table = store.table(input.TableName);
  const placeholders = checkedPlaceholders(input, []);
  const address = table.addressOf(input.Key as Item);
  return prepare(input, table, address, placeholders, () => ({ item: undefined, touched: [] }));
}

/** Of a transaction: a condition on an item that is not written. */
export function prepareCheck(store: Store, input: Input): PreparedWrite {
  requireMembers(input, ['Key', ...MEMBERS]);
  const table = store.table(input.TableName);
  const placeholders = checkedPlaceholders(input, []);
  const address = table.addressOf(input.Key as Item);
  const before = table.get(address);
  return prepare(input, table, address, placeholders, () => ({ item: before, touched: [] }));
}

export function prepareUpdate(store: Store, input: Input): PreparedWrite {
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
