import type { ByteText } from './bytes.ts';
import type { Unknown, Variables, Word } from './words.ts';

/** `$name`, `${…}`, `$1` and the like, and `…` in backticks; `$(…)` ends where endOfNested says. */
export const EXPANSION = /\$(?:\{[^}]*\}|[A-Za-z_]\w*|[0-9?!@*#$-])|`(?:[^`\\]|\\.)*`/s;

const VARIABLE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/;
/** Without quotes around it, a shell makes several words or file names of a value with one of these, or none. */
const SPLIT = /^$|[\s*?[]/;

/** The text of the command that runs in the place of `$(…)` or of backticks. */
export function commandIn(expansion: ByteText): ByteText | undefined {
  if (expansion.startsWith('$(')) return expansion.slice(2, -1);
  return expansion.startsWith('`') ? expansion.slice(1, -1).replace(/\\([\\`$])/g, '$1') : undefined;
}

/** What comes in the place of an expansion, as far as the text around it tells. */
export function expanded(expansion: ByteText, variables: Variables, isQuoted: boolean): Word {
  const unknown = (why: Unknown['why']): Word => ({ bytes: expansion, unknown: [{ text: expansion, why }] });
  if (commandIn(expansion) !== undefined) return unknown('run');
  const [, plain, inBraces] = VARIABLE.exec(expansion) ?? [];
  const name = plain ?? inBraces;
  if (name === undefined) return unknown('shell');
  const value = variables.get(name);
  if (!value) return unknown('unset');
  // Its own name is what an owner looks for, unless only another variable in it is missing.
  if (value.unknown.some(({ why }) => why !== 'unset')) return unknown('run');
  return isQuoted || !SPLIT.test(value.bytes) ? value : unknown('shell');
}
