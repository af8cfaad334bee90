/**
 * JSON as it was written: numbers and strings keep their spelling, keys their order and repeats. `JSON.parse` would
 * lose what other libraries keep.
 */
export type JsonText =
  | { readonly kind: 'scalar'; readonly token: string }
  | { readonly kind: 'array'; readonly items: readonly JsonText[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [key: string, value: JsonText])[] };

/** Deeper than any form; a body of brackets alone must not overflow the stack. */
const DEEPEST = 100;
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

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
    if (depth > DEEPEST) return undefined;
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

export interface Layout {
  readonly comma: string;
  readonly colon: string;
  /** One level's white space; without it everything stands on one line. */
  readonly indent?: string;
}

export interface Writing {
  readonly layout: Layout;
  /** How a string token is spelt. */
  readonly spell: (token: string) => string;
  readonly sorted: boolean;
}

export function writeJsonText(value: JsonText, writing: Writing, outer = ''): string {
  if (value.kind === 'scalar') return value.token.startsWith('"') ? writing.spell(value.token) : value.token;
  const { comma, colon, indent } = writing.layout;
  const inner = outer + (indent ?? '');
  const members =
    value.kind === 'array'
      ? value.items.map((item) => writeJsonText(item, writing, inner))
      : inOrder(value.entries, writing.sorted).map(
          ([key, item]) => writing.spell(key) + colon + writeJsonText(item, writing, inner),
        );
  const [open, close] = value.kind === 'array' ? '[]' : '{}';
  if (members.length === 0) return `${open}${close}`;
  if (indent === undefined) return open + members.join(comma) + close;
  return `${open}\n${inner}${members.join(`${comma}\n${inner}`)}\n${outer}${close}`;
}

function inOrder(entries: readonly (readonly [string, JsonText])[], sorted: boolean) {
  if (!sorted) return entries;
  const named = entries.map((entry) => ({ name: nameOf(entry[0]), entry }));
  return named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(({ entry }) => entry);
}

const nameOf = (token: string) => (token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1));
