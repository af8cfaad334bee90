/** A value that fits a cell. `source` is its JSON as sent, `cell` what a reader sees. */
export interface Scalar {
  readonly cell: string;
  readonly source: string;
}

/**
 * The top-level keys whose values are no object and no array, in the order sent. Read from the text, since a parsed
 * number has lost digits and a parsed object has moved its numeric keys. Of repeated keys the last counts, as
 * everywhere; `__proto__` is a key like any other. Empty for a text that is no JSON object.
 */
export function topLevelScalars(text: string): Map<string, Scalar> {
  const scalars = new Map<string, Scalar>();
  for (const [key, source] of topLevelSources(text)) {
    const cell = cellOf(source);
    if (cell !== undefined) scalars.set(key, { cell, source });
  }
  return scalars;
}

/** Every top-level key with its value's JSON as sent, nested ones too. */
export function topLevelSources(text: string): Map<string, string> {
  const sources = new Map<string, string>();
  if (!isJsonObject(text)) return sources;
  for (const [keySource, source] of membersOf(text)) {
    sources.set(JSON.parse(keySource) as string, source);
  }
  return sources;
}

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** What a reader sees of a value, or undefined where it is nested. */
export function cellOf(source: string): string | undefined {
  if (isNested(source)) return undefined;
  if (source.startsWith('"')) return JSON.parse(source) as string;
  return source === 'null' ? '' : source;
}

function isNested(source: string): boolean {
  return source.startsWith('{') || source.startsWith('[');
}

/** Walks a text that is known to be a JSON object; loops and no recursion, since bodies nest as deep as they are long. */
function* membersOf(text: string): Generator<[key: string, value: string]> {
  let at = text.indexOf('{') + 1;
  for (;;) {
    const keyStart = text.indexOf('"', at);
    if (keyStart < 0) return;
    const keyEnd = stringEnd(text, keyStart);
    const start = afterSpace(text, text.indexOf(':', keyEnd) + 1);
    const end = valueEnd(text, start);
    yield [text.slice(keyStart, keyEnd), text.slice(start, end)];
    at = end;
  }
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first === '{' || first === '[') return nestedEnd(text, start);
  const delimiter = /[,}\s]/g;
  delimiter.lastIndex = start;
  return delimiter.exec(text)?.index ?? text.length;
}

function nestedEnd(text: string, start: number): number {
  const mark = /["[\]{}]/g;
  mark.lastIndex = start;
  for (let depth = 0, found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '"') mark.lastIndex = stringEnd(text, found.index);
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  const mark = /["\\]/g;
  mark.lastIndex = start + 1;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[0] === '"') return mark.lastIndex;
    // Skips what is escaped, which may be a quote.
    mark.lastIndex += 1;
  }
  return text.length;
}

function afterSpace(text: string, at: number): number {
  const other = /\S/g;
  other.lastIndex = at;
  return other.exec(text)?.index ?? text.length;
}
