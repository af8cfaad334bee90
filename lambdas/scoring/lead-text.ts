import type { FieldConfiguration, LeadFields } from '../model/lead-fields.ts';

/** One value of a lead that a person may have typed. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  /** The whole value's length: `value` may be cut. */
  readonly fullLength: number;
}

export const MAX_ENTRIES = 200;
export const MAX_CHARACTERS = 20_000;
const MAX_DEPTH = 8;
const MAX_KEY_LENGTH = 80;

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
    if (depth >= MAX_DEPTH) return;
    const inside = value as Record<string, unknown>;
    const pair = labelled(inside);
    if (pair) {
      read(reader, pair.label, pair.value, depth + 1);
      return;
    }
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
  const left = Math.min(MAX_TEXT_LENGTH, MAX_CHARACTERS - reader.characters);
  const cut = text.slice(0, Math.max(0, left)).trim();
  reader.characters += cut.length;
  reader.entries.push({ key: key.slice(0, MAX_KEY_LENGTH), value: cut, fullLength: text.length });
}

const LABELS = 'columnname label question fieldname fieldlabel title field key name q id';
const VALUES = 'stringvalue value values fieldvalue answer response a';
/** What else such a pair may have. With anything else, it is no pair: its values are read by their own names. */
const BESIDES = 'columnid fieldid type ref order required';
const [labelNames, valueNames, besides] = [LABELS, VALUES, `${LABELS} ${VALUES} ${BESIDES}`].map((names) =>
  names.split(' '),
) as [string[], string[], string[]];

/** Many forms send a list of labels and values: `{ "column_name": "Full Name", "string_value": "Ada Lovelace" }`. */
function labelled(inside: Record<string, unknown>): { label: string; value: unknown } | undefined {
  const keys = Object.keys(inside).slice(0, MAX_PAIR_KEYS + 1);
  if (keys.length < 2 || keys.length > MAX_PAIR_KEYS) return undefined;
  const spelled = new Map(keys.map((key) => [key.toLowerCase().replace(/[^a-z]/g, ''), key]));
  if ([...spelled.keys()].some((name) => !besides.includes(name))) return undefined;
  const find = (names: readonly string[], isIt: (value: unknown) => boolean) =>
    names.map((name) => inside[spelled.get(name) ?? '']).find(isIt);
  const label = find(labelNames, (text) => typeof text === 'string' && text !== '');
  const value = find(valueNames, (each) => each !== undefined && each !== null && each !== '');
  return label === undefined || value === undefined ? undefined : { label: label as string, value };
}

const MAX_PAIR_KEYS = 8;

/** The part of a value that is read. */
export const MAX_TEXT_LENGTH = 2_000;

/**
 * Text as the lexicons are written: lower case, without accents, one blank between words, and a blank at both ends.
 */
export function foldText(text: string): string {
  const cut = text.slice(0, MAX_TEXT_LENGTH);
  return ` ${stripAccents(cut)
    .slice(0, 2 * MAX_TEXT_LENGTH)
    .replace(BETWEEN_WORDS, ' ')
    .trim()} `;
}

/** In small letters. Latin letters that no decomposition reaches are spelled out (`ł` is `l`). */
export function stripAccents(text: string): string {
  // Most keys and half of all texts are plain ASCII, and need no Unicode tables.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase().replaceAll('`', "'");
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u0307łøđßæœı’‘`´]/g, (letter) => SPELLED_OUT[letter] ?? '');
}

/** Ranges, not Unicode properties: V8 takes 5 ms to compile those, at the first lead. `'%$€£+#@` belong to words. */
const BETWEEN_WORDS =
  /[\0-\x20!"&()*,\-./:;<=>?[\\\]^_{|}~\x7f-\xa2\xa4-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u02b0-\u02ff\u055a-\u055f\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u20ab\u20ad-\u2bff\u3000-\u3004\u3008-\u3020\u3030\u30fb\ufe10-\ufe6f\uff00-\uff0f\uff1a-\uff20\ud800-\udfff\ufffc-\uffff]+/g;

const SPELLED_OUT: Record<string, string> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '`': "'",
  '´': "'",
};

/** Whether one insertion, deletion, change or swap of neighbours (Damerau) turns one word into the other. */
export function isWithinOneEdit(one: string, other: string): boolean {
  if (one === other) return true;
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  if (one.length > other.length) return one.slice(start + 1) === other.slice(start);
  if (one.length < other.length) return one.slice(start) === other.slice(start + 1);
  if (one.slice(start + 1) === other.slice(start + 1)) return true;
  return (
    one[start] === other[start + 1] &&
    one[start + 1] === other[start] &&
    one.slice(start + 2) === other.slice(start + 2)
  );
}
