/** Splits text that is known to be valid JSON. Numbers and strings keep their spelling. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Every top-level key with its value's JSON as sent, nested ones too. Empty for a text that is no JSON object. */
export function topLevelSources(text: string): Map<string, string> {
  const sources = new Map<string, string>();
  if (!isJsonObject(text)) return sources;
  // Loops and no recursion, since bodies nest as deep as they are long.
  let depth = 0;
  let key: string | undefined;
  let value: { readonly start: number; end: number } | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth -= 1;
    const isEnd = (depth === 1 && token === ',') || depth === 0;
    if (isEnd && key !== undefined && value) {
      sources.set(JSON.parse(key) as string, text.slice(value.start, value.end));
      [key, value] = [undefined, undefined];
    } else if (depth === 1 && key === undefined) {
      key = token;
    } else if (depth > 1 || (depth === 1 && token !== ':')) {
      value ??= { start: index, end: index };
      value.end = index + token.length;
    }
    if (token === '{' || token === '[') depth += 1;
  }
  return sources;
}

/**
 * JSON as it was written: numbers and strings keep their spelling, keys their order and repeats. `JSON.parse` would
 * lose what other libraries keep.
 */
export type JsonText =
  | { readonly kind: 'scalar'; readonly token: string }
  | { readonly kind: 'array'; readonly items: readonly JsonText[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: string, value: JsonText])[] };

/** Deeper than any form; a body of brackets alone must not overflow the stack. */
const MAX_DEPTH = 100;

export function readJsonText(text: string): JsonText | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;

  // The text is known to be valid, so each token is what the grammar says it must be.
  function read(depth: number): JsonText | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const token = tokens[at++] as string;
    if (token === '[') return readArray(depth);
    if (token === '{') return readObject(depth);
    return { kind: 'scalar', token };
  }

  function readArray(depth: number): JsonText | undefined {
    const items: JsonText[] = [];
    while (tokens[at] !== ']') {
      if (tokens[at] === ',') at += 1;
      const item = read(depth + 1);
      if (!item) return undefined;
      items.push(item);
    }
    at += 1;
    return { kind: 'array', items };
  }

  function readObject(depth: number): JsonText | undefined {
    const entries: [string, JsonText][] = [];
    while (tokens[at] !== '}') {
      if (tokens[at] === ',') at += 1;
      const key = tokens[at] as string;
      at += 2;
      const value = read(depth + 1);
      if (!value) return undefined;
      entries.push([key, value]);
    }
    at += 1;
    return { kind: 'object', entries };
  }

  return read(0);
}
