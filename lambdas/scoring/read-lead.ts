import type { FieldConfiguration } from '../submission/configuration.ts';
import { LONGEST_TEXT } from './text.ts';

export type LeadFields = Readonly<Record<string, unknown>>;

/** One value of a lead that a person may have typed. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  /** The whole value's length: `value` may be cut. */
  readonly fullLength: number;
}

export const MAX_ENTRIES = 200;
export const MAX_CHARACTERS = 20_000;
const DEEPEST = 3;
const LONGEST_KEY = 80;

/**
 * The leaves of a body as text, at most 200 values and 20,000 characters whatever the body holds. Configured keys come
 * first, so that no padding pushes them out.
 */
export function readLead(fields: LeadFields, configuration: readonly FieldConfiguration[] = []): Entry[] {
  const reader = { entries: [] as Entry[], visited: 0, characters: 0 };
  const configured = new Set<string>();
  for (const { key } of configuration.slice(0, MAX_ENTRIES)) {
    if (typeof key !== 'string' || configured.has(key) || !Object.hasOwn(fields, key)) continue;
    configured.add(key);
    read(reader, key, fields[key], 1);
  }
  for (const key in fields) {
    if (reader.visited >= MAX_ENTRIES) break;
    if (!configured.has(key) && Object.hasOwn(fields, key)) read(reader, key, fields[key], 1);
  }
  return reader.entries;
}

function read(
  reader: { entries: Entry[]; visited: number; characters: number },
  key: string,
  value: unknown,
  depth: number,
): void {
  reader.visited += 1;
  if (reader.visited > MAX_ENTRIES) return;
  if (typeof value === 'object' && value !== null) {
    if (depth >= DEEPEST) return;
    const inside = value as Record<string, unknown>;
    for (const name in inside) {
      if (reader.visited >= MAX_ENTRIES) return;
      if (Object.hasOwn(inside, name)) {
        read(reader, Array.isArray(value) ? key : name, inside[name], depth + 1);
      }
    }
    return;
  }
  if (value === null || value === undefined) return;
  const text = String(value);
  const left = Math.min(LONGEST_TEXT, MAX_CHARACTERS - reader.characters);
  const cut = text.slice(0, Math.max(0, left)).trim();
  reader.characters += cut.length;
  reader.entries.push({ key: key.slice(0, LONGEST_KEY), value: cut, fullLength: text.length });
}
