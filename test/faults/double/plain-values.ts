import type { AttributeValue, Item } from './attribute-value.ts';
import { typeOf } from './attribute-value.ts';

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
