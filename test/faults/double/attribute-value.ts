import { Unsupported } from './request-members.ts';

/** A value in DynamoDB's own JSON, as it travels: one member, named by its type. */
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

/** DynamoDB's numbers have 38 digits and JavaScript's fewer: those that would differ are refused. */
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

/** Below, equal or above; undefined for values that have no order among each other. */
export function order(a: AttributeValue, b: AttributeValue): number | undefined {
  const type = typeOf(a);
  if (type !== typeOf(b)) return undefined;
  if (type === 'N') return numberOf(a) - numberOf(b);
  if (type === 'S') return Buffer.compare(Buffer.from(String(a.S)), Buffer.from(String(b.S)));
  throw new Unsupported(`ordering values of type ${type}`);
}

/** What is stored must be something that can be read back and compared. */
export function requireKnownTypes(item: Item): void {
  for (const value of Object.values(item)) {
    const type = typeOf(value);
    if (type === 'N') numberOf(value);
    if (type === 'M') requireKnownTypes(value.M as Item);
    if (type === 'L') for (const each of value.L as AttributeValue[]) requireKnownTypes({ each });
  }
}

/** An item as plain values, for those who look at what is stored. */
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
