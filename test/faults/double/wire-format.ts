import type { Input } from './dynamodb-double.ts';

/** A value in DynamoDB's JSON: one member, named by its type. */
export type AttributeValue = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, AttributeValue>>;

const TYPES = new Set(['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M']);

export function typeOf(value: AttributeValue): string {
  const [type, ...more] = Object.keys(value);
  if (type === undefined || more.length > 0 || !TYPES.has(type)) {
    throw new Unsupported(`the value ${JSON.stringify(value)}`);
  }
  return type;
}

/** DynamoDB's numbers have 38 digits, JavaScript's fewer. Throws on numbers that would lose digits. */
export function numberOf(value: AttributeValue): number {
  const text = String(value.N);
  const number = Number(text);
  if (String(number) !== text || (Number.isInteger(number) && !Number.isSafeInteger(number))) {
    throw new Unsupported(`the number ${text}`);
  }
  return number;
}

function sameMembers(a: Item, b: Item): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const [one, other] = [a[name], b[name]];
      return one !== undefined && other !== undefined && isEqual(one, other);
    })
  );
}

export function isEqual(a: AttributeValue, b: AttributeValue): boolean {
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  if (type === 'N') return numberOf(a) === numberOf(b);
  if (type === 'L') throw new Unsupported('comparing lists');
  if (type === 'M') return sameMembers(a.M as Item, b.M as Item);
  return a[type] === b[type];
}

/** Negative, zero or positive; undefined for values that can't be compared. */
export function order(a: AttributeValue, b: AttributeValue): number | undefined {
  const type = typeOf(a);
  if (type !== typeOf(b)) return undefined;
  if (type === 'N') return numberOf(a) - numberOf(b);
  if (type === 'S') return Buffer.compare(Buffer.from(String(a.S)), Buffer.from(String(b.S)));
  throw new Unsupported(`ordering values of type ${type}`);
}

/** Throws on values that the double can't read back and compare. */
export function requireKnownTypes(item: Item): void {
  for (const value of Object.values(item)) {
    const type = typeOf(value);
    if (type === 'N') numberOf(value);
    if (type === 'M') requireKnownTypes(value.M as Item);
    if (type === 'L') for (const each of value.L as AttributeValue[]) requireKnownTypes({ each });
  }
}

/** An item as plain values. */
export function plainValues(item: Item): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: AttributeValue): unknown {
  const type = typeOf(value);
  if (type === 'N') return Number(value.N);
  if (type === 'B') return Buffer.from(String(value.B), 'base64');
  if (type === 'NULL') return null;
  if (type === 'L') return (value.L as AttributeValue[]).map(plainValue);
  return type === 'M' ? plainValues(value.M as Item) : value[type];
}

/** An error in DynamoDB's format. */
export class ServiceError extends Error {
  readonly type: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly statusCode: number;

  constructor(
    type: string,
    message: string,
    members: Readonly<Record<string, unknown>> = {},
    statusCode = 400,
  ) {
    super(message);
    this.type = type;
    this.members = members;
    this.statusCode = statusCode;
  }
}

export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

export const invalid = (message: string) => new ServiceError('ValidationException', message);

export const CONDITION_FAILED = 'The conditional request failed';

export function conditionFailed(item: Item | undefined): ServiceError {
  return new ServiceError('ConditionalCheckFailedException', CONDITION_FAILED, item && { Item: item });
}

export function transactionCanceled(reasons: readonly CancellationReason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

/**
 * The double doesn't support the request. Not returned as a DynamoDB error, because the code under test swallows those:
 * the schedule itself fails.
 */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';

  constructor(what: string) {
    super(`The double does not support ${what}`);
  }
}

/** Throws on unknown members, because an ignored option would be an unnoticed difference. */
export function requireMembers(input: Input, known: readonly string[]): void {
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown) throw new Unsupported(`the member ${unknown}`);
}

export const EXPRESSION_MEMBERS = ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const;
