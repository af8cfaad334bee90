import type { ByteText } from './bytes.ts';

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
