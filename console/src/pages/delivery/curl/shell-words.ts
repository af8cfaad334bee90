import { ansiCQuoted } from './ansi-c-quote.ts';
import { type ByteText, toByteText } from './bytes.ts';

export interface Word {
  readonly bytes: ByteText;
  /** What the shell would have filled in, and nobody can know from the text alone: `$SIGNATURE`. */
  readonly unknown: readonly ByteText[];
}

export interface ShellText {
  /** The words of each simple command, in order; redirections are left out. */
  readonly commands: readonly (readonly Word[])[];
  readonly openQuote: boolean;
}

/** Three levels of parentheses: `$(( (1 + 1) ))` has them. */
const EXPANSION =
  /\$(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\{[^}]*\}|[A-Za-z_][A-Za-z0-9_]*|[0-9?!@*#$-])|`[^`]*`/;
const LONE_DOLLAR = /\$(?![({A-Za-z0-9_?!@*#$-])/;
const IN_DOUBLE = new RegExp(`[^"\\\\$\`]|\\\\.|${EXPANSION.source}|${LONE_DOLLAR.source}`);
/** Without quotes around them, bash makes several words of these. */
const BRACES = /\{[^{}]*(?:,|\.\.)[^{}]*\}/;

/** Collects words into commands. */
class Words {
  readonly commands: Word[][] = [];
  openQuote = false;
  ended = false;
  #command: Word[] = [];
  #word: { bytes: string; bare: string; unknown: string[] } | undefined;
  #isFileName = false;

  /** `bare` is what of it stands outside of quotes. */
  add(bytes: string, { bare = '', unknown = [] }: { bare?: string; unknown?: readonly string[] } = {}) {
    this.#word ??= { bytes: '', bare: '', unknown: [] };
    this.#word.bytes += bytes;
    this.#word.bare += bare;
    this.#word.unknown.push(...unknown);
  }

  redirect(operator: string) {
    const { bytes = '', bare = '' } = this.#word ?? {};
    if (bytes === bare && /^\d+$/.test(bare)) this.#word = undefined;
    this.endWord();
    this.#isFileName = !operator.endsWith('-');
    // What follows a here-document is its text.
    this.ended = /^<<-?$/.test(operator);
  }

  endWord() {
    const word = this.#word;
    if (!word) return;
    const unknown = [...word.unknown, ...(BRACES.exec(word.bare) ?? [])];
    if (!this.#isFileName) this.#command.push({ bytes: word.bytes, unknown });
    this.#isFileName = false;
    this.#word = undefined;
  }

  endCommand() {
    this.endWord();
    if (this.#command.length > 0) this.commands.push(this.#command);
    this.#command = [];
  }
}

/** What begins at a place, and what is done with it; the first that fits. */
const RULES: readonly (readonly [RegExp, (words: Words, found: string, inner: string) => void])[] = [
  [/(?<=^|[\s|;&()<>])#[^\n]*/, () => undefined],
  [/[^\s\\'"$`|;&()<>]+/, (words, found) => words.add(found, { bare: found })],
  [/[^\S\n]+/, (words) => words.endWord()],
  [/\\\r?\n/, () => undefined],
  [/'([^']*)'/, (words, _, inner) => words.add(inner)],
  [/\$'((?:[^'\\]|\\.)*)'/s, (words, _, inner) => words.add(ansiCQuoted(inner))],
  [new RegExp(`\\$?"((?:${IN_DOUBLE.source})*)"`, 's'), (words, _, inner) => addDoubleQuoted(words, inner)],
  [EXPANSION, (words, found) => words.add(found, { unknown: [found] })],
  [/<<<|<<-?|&>>?|>>|>\||[<>]&-?|[<>]/, (words, found) => words.redirect(found)],
  [/[|;&()\n]/, (words) => words.endCommand()],
  [/\\(.)/s, (words, _, inner) => words.add(inner)],
  [
    /['"`$\\]/,
    (words, found) => {
      words.openQuote ||= /['"]/.test(found);
      words.add(found);
    },
  ],
];

const STICKY = RULES.map(([{ source, flags }, read]) => [new RegExp(source, `${flags}y`), read] as const);

/** Reads a command line as bash does, as far as its text alone tells. */
export function readShell(text: string): ShellText {
  const source = toByteText(text);
  const words = new Words();
  let at = 0;
  while (at < source.length && !words.ended) at += readNext(source, at, words);
  words.endCommand();
  return words;
}

/** Every character begins one of the rules' patterns. */
function readNext(source: ByteText, at: number, words: Words): number {
  for (const [pattern, read] of STICKY) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) continue;
    read(words, found[0], found[1] ?? '');
    return found[0].length;
  }
  return 1;
}

function addDoubleQuoted(words: Words, inner: ByteText): void {
  const pieces = inner.match(new RegExp(IN_DOUBLE.source, 'gs')) ?? [];
  const unknown = pieces.filter((piece) => EXPANSION.test(piece));
  const bytes = pieces.map((piece) => {
    if (piece === '\\\n') return '';
    return /^\\["\\$`]$/.test(piece) ? piece.slice(1) : piece;
  });
  words.add(bytes.join(''), { unknown });
}
