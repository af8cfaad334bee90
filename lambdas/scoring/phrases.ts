import { keyAt, type LexiconIndex, linesByKey, type Phrase, phrasesAt } from './lexicon-index.ts';

/** For the test that work grows with the length of the text and no faster. */
export interface Work {
  steps: number;
}

const REACH = 60;

/**
 * Finds the phrases of several lexicons in one pass: at each place where a phrase may begin, those with the same first
 * characters are tried. Read at first use.
 */
export class Phrases<Kind extends string> {
  readonly #read: () => LexiconIndex;
  #index: LexiconIndex | undefined;
  /** By key: where its line begins, or its phrases once they were asked for. */
  #lines: Map<number, number | readonly Phrase<Kind>[]> = new Map();

  constructor(read: () => LexiconIndex) {
    this.#read = read;
  }

  /** Each phrase once, however often it occurs. `folded` comes from `foldText`. */
  findIn(folded: string, work?: Work): Set<Phrase<Kind>> {
    if (this.#index === undefined) {
      this.#index = this.#read();
      this.#lines = linesByKey(this.#index);
    }
    const found = new Set<Phrase<Kind>>();
    let previous = BLANK;
    for (let at = 0; at < folded.length - 1; at += 1) {
      const unit = folded.charCodeAt(at);
      const starts = previous === BLANK || previous === APOSTROPHE || isRunOn(unit);
      previous = unit;
      if (!starts || unit === BLANK) continue;
      const candidates = this.#candidates(this.#index, keyAt(folded, at));
      if (work) work.steps += 1 + (candidates?.length ?? 0);
      if (!candidates) continue;
      for (const phrase of candidates) if (matches(phrase, folded, at)) found.add(phrase);
    }
    return found;
  }

  #candidates(index: LexiconIndex, key: number): readonly Phrase<Kind>[] | undefined {
    const line = this.#lines.get(key);
    if (typeof line !== 'number') return line;
    const phrases = phrasesAt<Kind>(index, line);
    this.#lines.set(key, phrases);
    return phrases;
  }
}

const BLANK = 0x20;
const APOSTROPHE = 0x27;

/** Scripts that write words together, or put particles in front of them: a phrase may begin anywhere. */
function isRunOn(unit: number): boolean {
  return unit >= 0x0590 && (unit <= 0x06ff || (unit >= 0x0e00 && unit <= 0x0e7f) || unit >= 0x3040);
}

function matches({ first, open, next }: Phrase<string>, text: string, at: number): boolean {
  if (!text.startsWith(first, at)) return false;
  const end = at + first.length;
  const after = text.charCodeAt(end);
  if (!open && after !== BLANK && after !== APOSTROPHE && !isRunOn(text.charCodeAt(end - 1))) return false;
  return next === undefined || text.slice(end, end + REACH).includes(next);
}
