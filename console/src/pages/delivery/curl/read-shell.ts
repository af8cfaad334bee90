import { ansiCQuoted, type ByteText, endOfNested, toByteText } from './shell-text.ts';
import { commandIn, EXPANSION, expanded, type Variables, type Word, Words } from './words.ts';

export interface ShellText {
  /** The words of each simple command, including those in `$(…)`, without redirections. */
  readonly commands: readonly (readonly Word[])[];
  /** A quote or a parenthesis is never closed. */
  readonly isOpen: boolean;
  /** Carets are used as in the Windows Command Prompt. */
  readonly hasCarets: boolean;
  /** Lines end in a backtick, as in PowerShell. */
  readonly hasTicks: boolean;
}

/** Deeper nesting is not parsed. */
const MAX_NESTED = 8;

/** Parses a command line like bash, without running anything. */
export function readShell(text: string): ShellText {
  return readCommands(toByteText(text), new Map(), 0);
}

function readCommands(source: ByteText, variables: Variables, depth: number): ShellText {
  const words = new Words(variables);
  for (let at = 0; at < source.length; ) {
    const found = words.isOpen ? readRest(source, at, words) : readNext(source, at, words, depth);
    at += found.length;
    if (found === '\n') at = afterDocuments(source, at, words.takeDocumentEnds());
  }
  words.endCommand();
  return words;
}

/** Token patterns and their actions; the first match wins. */
const RULES: readonly (readonly [RegExp, (words: Words, found: string, inner: string) => void])[] = [
  [/(?<=^|[\s|;&()<>])#[^\n]*/, () => undefined],
  [/\^(?=\r?\n|")/, (words) => words.addCaret()],
  [/[^\s\\'"$`|;&()<>^]+|\^/, (words, found) => words.add(found, { bare: found })],
  [/[^\S\n]+/, (words) => words.endWord()],
  [/\\\r?\n/, () => undefined],
  [/'([^']*)'/, (words, _, inner) => words.add(inner)],
  [/\$'((?:[^'\\]|\\.)*)'/s, (words, _, inner) => words.add(ansiCQuoted(inner))],
  [/<<<|<<-?|&>>?|>>|>\||[<>]&-?|[<>]/, (words, found) => words.redirect(found)],
  [/[|;&()\n]/, (words) => words.endCommand()],
  [/\\(.)/s, (words, _, inner) => words.add(inner)],
  [/\$?['"`]|\$\(/, (words) => words.leaveOpen()],
  [/[$\\]/, (words, found) => words.add(found)],
];

const STICKY = RULES.map(([{ source, flags }, read]) => [new RegExp(source, `${flags}y`), read] as const);

/** A backtick at the end of a line is PowerShell's line continuation. */
const TICK_AT_LINE_END = /`[ \t]*\r?\n/y;

/** Reads the token at a position and returns its text. */
function readNext(source: ByteText, at: number, words: Words, depth: number): ByteText {
  TICK_AT_LINE_END.lastIndex = at;
  const [tick] = TICK_AT_LINE_END.exec(source) ?? [];
  if (tick !== undefined) {
    words.addTick();
    return tick;
  }
  const quoted = doubleQuotedAt(source, at);
  if (quoted !== undefined) {
    addDoubleQuoted(words, quoted.slice(quoted.indexOf('"') + 1, -1), depth);
    return quoted;
  }
  const expansion = expansionAt(source, at);
  if (expansion !== undefined) {
    addExpansion(words, expansion, { isQuoted: false, depth });
    return expansion;
  }
  for (const [pattern, read] of STICKY) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) continue;
    read(words, found[0], found[1] ?? '');
    return found[0];
  }
  return source.charAt(at);
}

/** After an unclosed quote only the words are certain. */
function readRest(source: ByteText, at: number, words: Words): ByteText {
  const rest = source.slice(at);
  for (const name of rest.split(/[\s'"`()]+/)) {
    words.add(name);
    words.endWord();
  }
  return rest;
}

function doubleQuotedAt(source: ByteText, at: number): ByteText | undefined {
  const begin = source.startsWith('$"', at) ? at + 1 : at;
  const end = source[begin] === '"' ? endOfNested(source, begin) : undefined;
  return end === undefined ? undefined : source.slice(at, end);
}

const STICKY_EXPANSION = new RegExp(EXPANSION.source, `${EXPANSION.flags}y`);

function expansionAt(source: ByteText, at: number): ByteText | undefined {
  if (source.startsWith('$(', at)) return source.slice(at, endOfNested(source, at) ?? at) || undefined;
  STICKY_EXPANSION.lastIndex = at;
  return STICKY_EXPANSION.exec(source)?.[0];
}

const PLAIN_OR_ESCAPED = /[^\\$`]+|\\.|[\\$`]/sy;

function addDoubleQuoted(words: Words, inner: ByteText, depth: number): void {
  words.add('');
  for (let at = 0; at < inner.length; ) {
    const expansion = expansionAt(inner, at);
    if (expansion === undefined) {
      PLAIN_OR_ESCAPED.lastIndex = at;
      const [piece = ''] = PLAIN_OR_ESCAPED.exec(inner) ?? [];
      if (piece !== '\\\n') words.add(/^\\["\\$`]$/.test(piece) ? piece.slice(1) : piece);
      at += piece.length;
    } else {
      addExpansion(words, expansion, { isQuoted: true, depth });
      at += expansion.length;
    }
  }
}

function addExpansion(
  words: Words,
  expansion: ByteText,
  { isQuoted, depth }: { readonly isQuoted: boolean; readonly depth: number },
): void {
  const command = commandIn(expansion);
  // A subshell sees the variables so far; its own assignments are lost.
  if (command !== undefined && depth < MAX_NESTED)
    words.addInside(readCommands(command, new Map(words.variables), depth + 1).commands);
  const { bytes, unknown } = expanded(expansion, words.variables, isQuoted);
  words.add(bytes, { unknown });
}

const LINE = /\t*([^\n]*)(?:\n|$)/y;

/** Skips here-documents. */
function afterDocuments(source: ByteText, begin: number, ends: readonly ByteText[]): number {
  let at = begin;
  for (const end of ends) {
    for (let line: ByteText | undefined; line !== end && at < source.length; ) {
      LINE.lastIndex = at;
      const [whole = '', text] = LINE.exec(source) ?? [];
      line = text;
      at += whole.length;
    }
  }
  return at;
}
