import { type ByteText, toText } from './shell-text.ts';

/** A part of a word whose value isn't in the command. */
interface Unknown {
  /** The source text, such as `$SIGNATURE`. */
  readonly text: ByteText;
  /** A variable that is never set, the output of a command, or an expansion of the shell. */
  readonly why: 'unset' | 'run' | 'shell';
}

export interface Word {
  readonly bytes: ByteText;
  readonly unknown: readonly Unknown[];
}

export type Variables = Map<string, Word>;

interface Part {
  /** The unquoted part. */
  readonly bare?: ByteText;
  readonly unknown?: readonly Unknown[];
}

/** Brace expansion, which bash applies outside quotes. */
const BRACES = /\{[^{}]*(?:,|\.\.)[^{}]*\}/;
const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

interface ReadWord extends Word {
  /** The variable that an assignment sets. */
  readonly sets?: string | undefined;
}

/** Collects words into commands and assignments into variables. */
export class Words {
  readonly commands: (readonly Word[])[] = [];
  readonly variables: Variables;
  /** A quote or parenthesis is never closed, so the rest can't be split. */
  isOpen = false;
  hasCarets = false;
  hasTicks = false;
  #command: ReadWord[] = [];
  #inside: (readonly Word[])[] = [];
  #word: { bytes: ByteText; bare: ByteText; unknown: Unknown[] } | undefined;
  #next: 'word' | 'file name' | 'end of document' = 'word';
  #documentEnds: ByteText[] = [];

  constructor(variables: Variables) {
    this.variables = variables;
  }

  add(bytes: ByteText, { bare = '', unknown = [] }: Part = {}) {
    this.#word ??= { bytes: '', bare: '', unknown: [] };
    this.#word.bytes += bytes;
    this.#word.bare += bare;
    this.#word.unknown.push(...unknown);
  }

  /** The Windows Command Prompt's escape character. */
  addCaret() {
    this.hasCarets = true;
  }

  /** PowerShell's line continuation. */
  addTick() {
    this.hasTicks = true;
  }

  leaveOpen() {
    this.endWord();
    this.isOpen = true;
  }

  /** Commands inside `$(…)`. They come after the outer command, which is the one that counts. */
  addInside(commands: readonly (readonly Word[])[]) {
    this.#inside.push(...commands);
  }

  redirect(operator: string) {
    const { bytes = '', bare = '' } = this.#word ?? {};
    if (bytes === bare && /^\d+$/.test(bare)) this.#word = undefined;
    this.endWord();
    if (/^<<-?$/.test(operator)) this.#next = 'end of document';
    else if (!operator.endsWith('-')) this.#next = 'file name';
  }

  endWord() {
    const word = this.#word;
    if (!word) return;
    if (this.#next === 'end of document') this.#documentEnds.push(word.bytes);
    else if (this.#next === 'word') this.#command.push(readWord(word));
    this.#next = 'word';
    this.#word = undefined;
  }

  endCommand() {
    this.endWord();
    const [first, ...others] = this.#command;
    const setting = first?.bytes === 'export' ? others : this.#command;
    if (setting.every(({ sets }) => sets !== undefined)) for (const word of setting) this.#set(word);
    if (first) this.commands.push(this.#command);
    this.commands.push(...this.#inside);
    this.#command = [];
    this.#inside = [];
  }

  /** The delimiters of the here-documents that start on the next line. */
  takeDocumentEnds(): readonly ByteText[] {
    return this.#documentEnds.splice(0);
  }

  #set({ sets = '', bytes, unknown }: ReadWord) {
    this.variables.set(sets, { bytes: bytes.slice(sets.length + 1), unknown });
  }
}

function readWord({ bytes, bare, unknown }: Required<Part> & { bytes: ByteText }): ReadWord {
  const [assigned, sets] = ASSIGNMENT.exec(bare) ?? [];
  if (assigned !== undefined && bytes.startsWith(assigned)) return { bytes, unknown, sets };
  const braces = BRACES.exec(bare) ?? [];
  return { bytes, unknown: [...unknown, ...braces.map((text) => ({ text, why: 'shell' as const }))] };
}

/** `$name`, `${…}`, `$1` and backticks. `$(…)` is handled by endOfNested. */
export const EXPANSION = /\$(?:\{[^}]*\}|[A-Za-z_]\w*|[0-9?!@*#$-])|`(?:[^`\\]|\\.)*`/s;

const VARIABLE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/;
/** Unquoted values with these characters are split or expanded by the shell. */
const SPLIT = /^$|[\s*?[]/;

/** The command inside `$(…)` or backticks. */
export function commandIn(expansion: ByteText): ByteText | undefined {
  if (expansion.startsWith('$(')) return expansion.slice(2, -1);
  return expansion.startsWith('`') ? expansion.slice(1, -1).replace(/\\([\\`$])/g, '$1') : undefined;
}

/** The value of an expansion, if known. */
export function expanded(expansion: ByteText, variables: Variables, isQuoted: boolean): Word {
  const unknown = (why: Unknown['why']): Word => ({ bytes: expansion, unknown: [{ text: expansion, why }] });
  if (commandIn(expansion) !== undefined) return unknown('run');
  const [, plain, inBraces] = VARIABLE.exec(expansion) ?? [];
  const name = plain ?? inBraces;
  if (name === undefined) return unknown('shell');
  const value = variables.get(name);
  if (!value) return unknown('unset');
  // Name this variable, unless only another variable inside it is missing.
  if (value.unknown.some(({ why }) => why !== 'unset')) return unknown('run');
  return isQuoted || !SPLIT.test(value.bytes) ? value : unknown('shell');
}

const WHY: Readonly<Record<Unknown['why'], string>> = {
  unset: 'which isn’t set in the command',
  run: 'which is known only when the command runs',
  shell: 'which only the shell can expand',
};

/** Sentences that name the values to fill in. */
export function describeUnknown(
  where: string,
  words: readonly { readonly unknown: readonly Unknown[] }[],
): string[] {
  const unknown = words.flatMap((word) => word.unknown);
  return [...Map.groupBy(unknown, ({ why }) => why)].map(([why, those]) => {
    const names = [...new Set(those.map(({ text }) => toText(text)))];
    const remedy =
      names.length === 1 ? 'Replace it with the actual value.' : 'Replace them with the actual values.';
    return `${where} contains ${names.join(' and ')}, ${WHY[why]}. ${remedy}`;
  });
}
