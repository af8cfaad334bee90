import { type ExpressionInput, Placeholders, parseCondition, Tokens } from './condition-expression.ts';
import type { Input, Store } from './dynamodb-double.ts';
import { EXPRESSION_MEMBERS, type Item, invalid, order, requireMembers, Unsupported } from './wire-format.ts';

export function getItem(store: Store, input: Input, lagging: boolean) {
  requireMembers(input, [
    'TableName',
    'Key',
    'ConsistentRead',
    'ProjectionExpression',
    ...EXPRESSION_MEMBERS,
  ]);
  const placeholders = new Placeholders(input as ExpressionInput);
  const projection = parseProjection(input.ProjectionExpression as string | undefined);
  placeholders.requireUse(projection.placeholders);
  const table = store.table(input.TableName);
  const item = table.get(table.addressOf(input.Key as Item), isConsistent(input, lagging));
  return item ? { Item: projection.of(item, placeholders) } : {};
}

const MAX_KEYS = 100;

export function batchGet(store: Store, input: Input, lagging: boolean) {
  requireMembers(input, ['RequestItems']);
  const requests = Object.entries(input.RequestItems as Record<string, Input & { Keys: Item[] }>);
  if (requests.length === 0) throw invalid('The batch is empty');
  if (requests.reduce((sum, [, { Keys }]) => sum + Keys.length, 0) > MAX_KEYS) {
    throw invalid('Too many items requested for the BatchGetItem call');
  }
  const Responses: Record<string, Item[]> = {};
  for (const [tableName, request] of requests) {
    requireMembers(request, ['Keys', 'ConsistentRead', 'ProjectionExpression', ...EXPRESSION_MEMBERS]);
    const placeholders = new Placeholders(request as ExpressionInput);
    const projection = parseProjection(request.ProjectionExpression as string | undefined);
    placeholders.requireUse(projection.placeholders);
    const table = store.table(tableName);
    const addresses = request.Keys.map((key) => table.addressOf(key));
    if (new Set(addresses).size < addresses.length)
      throw invalid('Provided list of item keys contains duplicates');
    Responses[tableName] = addresses
      .map((address) => table.get(address, isConsistent(request, lagging)))
      .filter((item) => item !== undefined)
      .map((item) => projection.of(item, placeholders));
  }
  return { Responses, UnprocessedKeys: {} };
}

const QUERY_MEMBERS = [
  ...['TableName', 'IndexName', 'KeyConditionExpression', 'FilterExpression', 'ProjectionExpression'],
  ...['ConsistentRead', 'Limit', 'ScanIndexForward', 'ExclusiveStartKey', ...EXPRESSION_MEMBERS],
];

/** Returns one page unless a limit is given: no table in the tests comes near a megabyte. */
export function query(store: Store, input: Input, lagging: boolean) {
  requireMembers(input, QUERY_MEMBERS);
  if (input.ExclusiveStartKey) throw new Unsupported('further pages of a query');
  const placeholders = new Placeholders(input as ExpressionInput);
  const keyCondition = parseCondition(input.KeyConditionExpression as string);
  const filter = input.FilterExpression ? parseCondition(input.FilterExpression as string) : undefined;
  const projection = parseProjection(input.ProjectionExpression as string | undefined);
  placeholders.requireUse(
    [keyCondition, filter, projection].flatMap((expression) => expression?.placeholders ?? []),
  );

  const table = store.table(input.TableName);
  const { keys, items } = input.IndexName
    ? table.entries(String(input.IndexName), !lagging)
    : { keys: table.definition.keys, items: table.all(isConsistent(input, lagging)) };
  const inOrder = items
    // A key condition sees only the keys.
    .filter((item) => keyCondition.holds(pick(item, keys), placeholders))
    .sort(by(keys[1]));
  if (input.ScanIndexForward === false) inOrder.reverse();
  const page = inOrder.slice(0, (input.Limit as number | undefined) ?? Number.POSITIVE_INFINITY);
  const Items = page
    .filter((item) => filter?.holds(item, placeholders) ?? true)
    .map((item) => projection.of(item, placeholders));
  const last = page.at(-1);
  const names = [...keys, ...table.definition.keys];
  return {
    Items,
    Count: Items.length,
    ScannedCount: page.length,
    ...(last && page.length === input.Limit && { LastEvaluatedKey: pick(last, names) }),
  };
}

const SCAN_MEMBERS = [
  ...['TableName', 'FilterExpression', 'ProjectionExpression', 'ConsistentRead', 'ExclusiveStartKey'],
  ...['Segment', 'TotalSegments', ...EXPRESSION_MEMBERS],
];

/** Returns one page, in no particular order. Which segment has an item is up to DynamoDB. */
export function scan(store: Store, input: Input, lagging: boolean) {
  requireMembers(input, SCAN_MEMBERS);
  if (input.ExclusiveStartKey) throw new Unsupported('further pages of a scan');
  const placeholders = new Placeholders(input as ExpressionInput);
  const filter = input.FilterExpression ? parseCondition(input.FilterExpression as string) : undefined;
  const projection = parseProjection(input.ProjectionExpression as string | undefined);
  placeholders.requireUse([filter, projection].flatMap((expression) => expression?.placeholders ?? []));
  const { Segment = 0, TotalSegments = 1 } = input as { Segment?: number; TotalSegments?: number };
  const table = store.table(input.TableName);
  const partition = table.definition.keys[0] as string;
  const page = table
    .all(isConsistent(input, lagging))
    .filter((item) => checksum(String(item[partition]?.S)) % TotalSegments === Segment);
  const Items = page
    .filter((item) => filter?.holds(item, placeholders) ?? true)
    .map((item) => projection.of(item, placeholders));
  return { Items, Count: Items.length, ScannedCount: page.length };
}

const checksum = (text: string) => Buffer.from(text).reduce((sum, byte) => sum + byte, 0);

function by(sortKey: string | undefined) {
  return (a: Item, b: Item): number => {
    const [left, right] = sortKey === undefined ? [] : [a[sortKey], b[sortKey]];
    return left && right ? (order(left, right) ?? 0) : 0;
  };
}

function isConsistent({ ConsistentRead }: Input, lagging: boolean): boolean {
  return ConsistentRead === true || !lagging;
}

export interface Projection {
  readonly placeholders: readonly string[];
  of(item: Item, placeholders: Placeholders): Item;
}

const EVERYTHING: Projection = { placeholders: [], of: (item) => item };

function parseProjection(expression: string | undefined): Projection {
  if (expression === undefined) return EVERYTHING;
  const tokens = new Tokens(expression);
  const names = [tokens.next()];
  while (tokens.take(',')) names.push(tokens.next());
  tokens.requireEnd();
  return {
    placeholders: tokens.placeholders(),
    of: (item, placeholders) =>
      pick(
        item,
        names.map((name) => placeholders.name(name)),
      ),
  };
}

export function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}
