import type { JsonText } from '../model/json-text.ts';
import { LIMITS } from '../model/limits.ts';

/** A value of a payload, if it is there. */
export type Value = JsonText | undefined;

/** As JSON.parse reads it: the last of several equal keys counts, and `__proto__` is a key like any other. */
export function member(value: Value, name: string): Value {
  if (value?.kind !== 'object') return undefined;
  return value.entries.findLast(([key]) => nameOf(key) === name)?.[1];
}

export function valueAt(value: Value, path: string): Value {
  return path.split('.').reduce(member, value);
}

export function itemsOf(value: Value): readonly JsonText[] {
  return value?.kind === 'array' ? value.items : [];
}

export function entriesOf(value: Value): (readonly [name: string, value: JsonText])[] {
  return value?.kind === 'object' ? value.entries.map(([key, each]) => [nameOf(key), each] as const) : [];
}

/** The text of a string, the digits of a number as sent; undefined for null, lists and objects. */
export function textOf(value: Value): string | undefined {
  if (value?.kind !== 'scalar' || value.token === 'null') return undefined;
  return value.token.startsWith('"') ? nameOf(value.token) : value.token;
}

const nameOf = (token: string) => (token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1));

export const MAX_FIELDS = 150;
const MAX_DEPTH = 5;
/** Scoring reads no more of a key, and a column's title has no room for more. */
const MAX_KEY_CHARACTERS = 80;

export interface FlatFields {
  /** Null, empty lists and empty objects add nothing; an object adds a field for each of its values. */
  add(key: string, value: Value | string): void;
  /** As JSON; undefined if nothing was added. */
  text(): string | undefined;
}

/** Collects fields in order, up to the limits: what exceeds them stays in the body alone. */
export function makeFlatFields(): FlatFields {
  const fields = new Map<string, string>();
  let bytes = 2;

  function put(key: string, json: string): void {
    if (fields.size >= MAX_FIELDS) return;
    const name = unusedName(key);
    const size = Buffer.byteLength(JSON.stringify(name)) + Buffer.byteLength(json) + 2;
    if (bytes + size > LIMITS.bodyBytes) return;
    bytes += size;
    fields.set(name, json);
  }

  /** A second `Name` becomes `Name 2`. */
  function unusedName(key: string): string {
    const name = readableName(key);
    let unused = name;
    for (let number = 2; fields.has(unused); number += 1) {
      unused = `${cut(name, MAX_KEY_CHARACTERS - 4)} ${number}`;
    }
    return unused;
  }

  function addValue(key: string, value: Value, depth: number): void {
    if (value === undefined || fields.size >= MAX_FIELDS || depth > MAX_DEPTH) return;
    if (value.kind === 'scalar') {
      if (value.token !== 'null') put(key, value.token);
    } else if (value.kind === 'object') {
      for (const [name, each] of entriesOf(value)) addValue(`${key}.${name}`, each, depth + 1);
    } else if (value.items.every(({ kind }) => kind === 'scalar')) {
      const texts = value.items.flatMap((item) => textOf(item) ?? []);
      if (texts.length > 0) put(key, JSON.stringify(texts.join(', ')));
    } else {
      for (const [at, item] of value.items.entries()) addValue(`${key}.${at + 1}`, item, depth + 1);
    }
  }

  return {
    add(key, value) {
      if (typeof value === 'string') put(key, JSON.stringify(value));
      else addValue(key, value, 1);
    },
    text() {
      if (fields.size === 0) return undefined;
      return `{${[...fields].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
    },
  };
}

/** On one line, and neither empty nor longer than a key can be. */
function readableName(key: string): string {
  const line = key
    .slice(0, 10 * MAX_KEY_CHARACTERS)
    .replace(/[\0-\x20\x7f-\xa0\u2028\u2029]+/g, ' ')
    .trim();
  const isLong = line.length > MAX_KEY_CHARACTERS;
  return (isLong ? `${cut(line, MAX_KEY_CHARACTERS - 1)}…` : line).toWellFormed() || 'field';
}

/** Without half a character at the end. */
function cut(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd();
}

/** Each value of an object, under its own name. */
export function addBody(fields: FlatFields, body: Value): void {
  for (const [name, value] of entriesOf(body)) fields.add(name, value);
}

/** Keys of fields, and where their values are. */
export type Places = readonly (readonly [key: string, path: string])[];

export function addPlaces(fields: FlatFields, value: Value, places: Places): void {
  for (const [key, path] of places) fields.add(key, valueAt(value, path));
}

export function joined(texts: readonly (string | undefined)[]): string | undefined {
  const present = texts.filter((text) => text !== undefined && text !== '');
  return present.length > 0 ? present.join(', ') : undefined;
}
