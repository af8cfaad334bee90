import type { Input } from '../double/dynamodb-double.ts';

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Actions = readonly Readonly<Record<string, Input>>[];

/** The tables of a call, by name. */
export function tableOf(operation: string, input: Input): string {
  if (input.RequestItems) return Object.keys(input.RequestItems).join('+');
  if (operation === 'TransactWriteItems') return [...new Set(targetsOf(input))].join('+');
  return String(input.TableName ?? 'queue');
}

function targetsOf({ TransactItems }: Input): string[] {
  return (TransactItems as Actions).flatMap((item) =>
    Object.values(item).map(({ TableName }) => String(TableName)),
  );
}

/** Whether a read asks for what is there now. Writes always meet what is there. */
export function isConsistent(operation: string, input: Input): boolean {
  if (operation === 'GetItem' || operation === 'Query') return input.ConsistentRead === true;
  if (operation !== 'BatchGetItem') return true;
  return Object.values(input.RequestItems as Record<string, Input>).every(
    ({ ConsistentRead }) => ConsistentRead === true,
  );
}

const KEYS = ['workspaceId', 'sk', 'slug', 'formId', 'tokenHash', 'leadId', 'part', 'keyHash', 'requestId'];

/** What a call is about, shortened, for somebody who reads a timeline. */
export function keyOf(operation: string, input: Input): string {
  if (input.RequestItems || operation === 'TransactWriteItems') return '';
  if (operation === 'SendMessageBatch') return `${(input.Entries as unknown[]).length} messages`;
  if (operation === 'Query') return shorten(input.ExpressionAttributeValues as Values);
  const values = (input.Key ?? input.Item) as Values;
  const key = Object.fromEntries(Object.entries(values).filter(([name]) => KEYS.includes(name)));
  return [shorten(key), shorten(input.ExpressionAttributeValues as Values)].filter(Boolean).join('  ');
}

function shorten(values: Values = {}): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${String(Object.values(value)[0]).slice(-18)}`)
    .join(' ');
}
