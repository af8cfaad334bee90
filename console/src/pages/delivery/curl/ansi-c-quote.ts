import { type ByteText, toByteText } from './bytes.ts';

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
