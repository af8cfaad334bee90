import type { ByteText } from './bytes.ts';

/** A part of a word that its text alone does not tell. */
export interface Unknown {
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
