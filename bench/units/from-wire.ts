import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { WireItem, WireValue } from './wire-calls.ts';

type Attributes = Parameters<typeof unmarshall>[0];

/** An item as it travels, in the values that its weight is computed from. Binary travels as base64. */
export function fromWire(item: WireItem): Record<string, unknown> {
  return unmarshall(reviveItem(item) as unknown as Attributes, { wrapNumbers: false });
}

function reviveItem(item: WireItem): WireItem {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, revive(value)]));
}

function revive(value: WireValue): WireValue {
  if (typeof value.B === 'string') return { B: Buffer.from(value.B, 'base64') };
  if (Array.isArray(value.L)) return { L: value.L.map(revive) };
  if (value.M !== undefined) return { M: reviveItem(value.M as WireItem) };
  return value;
}
