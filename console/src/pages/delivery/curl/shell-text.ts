/**
 * Bytes as text, one character per byte. Shells work on bytes, and $'\xe9' isn't valid UTF-8. All syntax is ASCII, so
 * it can be matched in this form.
 */
export type ByteText = string;

export function toByteText(text: string): ByteText {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

export function toBytes(bytes: ByteText): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes, (unit) => unit.charCodeAt(0));
}

export function toText(bytes: ByteText): string {
  return new TextDecoder().decode(toBytes(bytes));
}

const NAMED: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/gs;

/** Decodes $'…' like bash. A NUL ends it, since arguments can't contain one. */
export function ansiCQuoted(source: ByteText): ByteText {
  const text = source.replace(ESCAPE, (whole, hex, short, long, octal, control, single) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
    if (single !== undefined) return NAMED[single] ?? whole;
    const point = Number.parseInt(short ?? long, 16);
    return point <= 0x10ffff ? toByteText(String.fromCodePoint(point)) : whole;
  });
  const [beforeNought = ''] = text.split('\0', 1);
  return beforeNought;
}

type Closer = ')' | '"';

/** Tokens inside parentheses and double quotes that open or close nothing. */
const BY_ITSELF: Readonly<Record<Closer, RegExp>> = {
  ')': /\\.|'[^']*'|\$'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|(?<=[\s|;&(])#[^\n]*|[^\\'"`()#$]+|[$#]/sy,
  '"': /\\.|`(?:[^`\\]|\\.)*`|[^\\"`$]+|\$/sy,
};

/**
 * The end of the `"…"` or `$(…)` that starts at `begin`, or undefined if it is never closed. They nest, and without
 * recursion deep nesting can't overflow the stack.
 */
export function endOfNested(source: ByteText, begin: number): number | undefined {
  const open: Closer[] = [];
  let at = begin;
  do {
    const inside = open.at(-1) ?? ')';
    const next = source[at];
    if (open.length > 0 && next === inside) {
      open.pop();
      at += 1;
    } else if (next === '"') {
      open.push('"');
      at += 1;
    } else if (source.startsWith('$(', at)) {
      open.push(')');
      at += 2;
    } else if (next === '(' && inside === ')') {
      open.push(')');
      at += 1;
    } else {
      const pattern = BY_ITSELF[inside];
      pattern.lastIndex = at;
      const [found] = pattern.exec(source) ?? [];
      if (found === undefined) return undefined;
      at += found.length;
    }
  } while (open.length > 0);
  return at;
}
