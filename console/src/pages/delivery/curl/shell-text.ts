/**
 * Bytes as text, a character of one byte each. A shell joins bytes, and $'\xe9' is one that is no UTF-8; all that it
 * looks for is ASCII, so that it can be looked for here in the same way.
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
  ...{ a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '?': '?' },
};

const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/gs;

/** What stands inside $'…', as bash reads it. A byte of nought ends it, since no argument can hold one. */
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

/** What stands by itself inside parentheses and inside double quotes: nothing in it opens or closes either. */
const BY_ITSELF: Readonly<Record<Closer, RegExp>> = {
  ')': /\\.|'[^']*'|\$'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|(?<=[\s|;&(])#[^\n]*|[^\\'"`()#$]+|[$#]/sy,
  '"': /\\.|`(?:[^`\\]|\\.)*`|[^\\"`$]+|\$/sy,
};

/**
 * Where the `"…"` or `$(…)` ends that begins at a place: quotes have parentheses inside, and those quotes of their own.
 * Undefined where it never ends. Without recursion, since what is pasted may be nested as deep as it is long.
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
