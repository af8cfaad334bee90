import { type ByteText, toText } from './shell-text.ts';

/** A part of a word that its text alone does not tell. */
interface Unknown {
  /** As it is written: `$SIGNATURE`. */
  readonly text: ByteText;
  /** It is a variable that the text does not set, it is worked out only by running the text, or by the shell itself. */
  readonly why: 'unset' | 'run' | 'shell';
}

export interface Word {
  readonly bytes: ByteText;
  readonly unknown: readonly Unknown[];
}

export type Variables = Map<string, Word>;

interface Part {
  /** What of it stands outside of quotes. */
  readonly bare?: ByteText;
  readonly unknown?: readonly Unknown[];
}

/** Without quotes around them, bash makes several words of these. */
const BRACES = /\{[^{}]*(?:,|\.\.)[^{}]*\}/;
const ASSIGNMENT = /^([A-Za-z_]\w*)=/;

interface ReadWord extends Word {
  /** The variable that it sets, where it is an assignment. */
  readonly sets?: string | undefined;
}

/** Collects words into commands, and what they set into variables. */
export class Words {
  readonly commands: (readonly Word[])[] = [];
  readonly variables: Variables;
  /** A quote or a parenthesis never ends: what follows cannot be told apart. */
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

  /** Where the Windows command prompt takes the next character as it is. */
  addCaret() {
    this.hasCarets = true;
  }

  /** Where PowerShell goes on in the next line. */
  addTick() {
    this.hasTicks = true;
  }

  leaveOpen() {
    this.endWord();
    this.isOpen = true;
  }

  /** Commands within a word of this one, `$(…)`. They come after it: it is the one that was meant. */
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

  /** The lines that end the here-documents which begin on the next line. */
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

const WHY: Readonly<Record<Unknown['why'], string>> = {
  unset: 'which isn’t set in the command',
  run: 'which is known only when the command runs',
  shell: 'which only the shell can expand',
};

/** Names what has to be filled in first. */
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
