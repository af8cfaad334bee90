import { stripAccents } from './fold-text.ts';

/**
 * A weighted lexicon: a line is a weight and the phrases that carry it, separated by `|`.
 *
 * - A phrase matches whole words, where its script has blanks between words. `link*` also matches what goes on.
 * - `rank .. google` matches when the second part follows within 60 characters of the first.
 * - No other punctuation; accents do not matter. A test holds this.
 */
export type LexiconText = string;

interface Phrase<Kind> {
  readonly kind: Kind;
  readonly weight: number;
  readonly first: string;
  /** Whether a word may go on after it. */
  readonly open: boolean;
  readonly next: string | undefined;
}

/** For the test that work grows with the length of the text and no faster. */
export interface Work {
  steps: number;
}

const REACH = 60;

/**
 * Finds the phrases of several lexicons in one pass: at each place where a phrase may begin, those with the same first
 * characters are tried. Compiled at first use.
 */
export class Phrases<Kind extends string> {
  readonly #lexicons: Readonly<Record<Kind, LexiconText>>;
  #index: Map<number, Phrase<Kind>[]> | undefined;

  constructor(lexicons: Readonly<Record<Kind, LexiconText>>) {
    this.#lexicons = lexicons;
  }

  /** Each phrase once, however often it occurs. `folded` comes from `foldText`. */
  findIn(folded: string, work?: Work): Set<Phrase<Kind>> {
    this.#index ??= compile(this.#lexicons);
    const found = new Set<Phrase<Kind>>();
    let previous = BLANK;
    for (let at = 0; at < folded.length - 1; at += 1) {
      const unit = folded.charCodeAt(at);
      const starts = previous === BLANK || previous === APOSTROPHE || isRunOn(unit);
      previous = unit;
      if (!starts || unit === BLANK) continue;
      const candidates = this.#index.get(keyAt(folded, at));
      if (work) work.steps += 1 + (candidates?.length ?? 0);
      if (!candidates) continue;
      for (const phrase of candidates) if (matches(phrase, folded, at)) found.add(phrase);
    }
    return found;
  }
}

const BLANK = 0x20;
const APOSTROPHE = 0x27;

/** Scripts that write words together, or put particles in front of them: a phrase may begin anywhere. */
function isRunOn(unit: number): boolean {
  return unit >= 0x0590 && (unit <= 0x06ff || (unit >= 0x0e00 && unit <= 0x0e7f) || unit >= 0x3040);
}

/** A small integer of the first three characters, or two where words are that short. Equal keys are not yet a match. */
function keyAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const two = Math.imul(first, 0x1f35) ^ text.charCodeAt(at + 1);
  return (first >= 0x0e00 ? two : Math.imul(two, 0x2f1b) ^ (text.charCodeAt(at + 2) || BLANK)) & 0x3fff_ffff;
}

function matches({ first, open, next }: Phrase<string>, text: string, at: number): boolean {
  if (!text.startsWith(first, at)) return false;
  const end = at + first.length;
  const after = text.charCodeAt(end);
  if (!open && after !== BLANK && after !== APOSTROPHE && !isRunOn(text.charCodeAt(end - 1))) return false;
  return next === undefined || text.slice(end, end + REACH).includes(next);
}

function compile<Kind extends string>(
  lexicons: Readonly<Record<Kind, LexiconText>>,
): Map<number, Phrase<Kind>[]> {
  const index = new Map<number, Phrase<Kind>[]>();
  for (const kind of Object.keys(lexicons) as Kind[]) {
    for (const line of stripAccents(lexicons[kind]).split('\n')) {
      const [weight = '', ...rest] = line.trim().split(' ');
      if (weight === '') continue;
      for (const written of rest.join(' ').split('|')) add(index, kind, Number(weight), written);
    }
  }
  return index;
}

function add<Kind>(index: Map<number, Phrase<Kind>[]>, kind: Kind, weight: number, written: string): void {
  const [start = '', next] = written.split(' .. ');
  const open = start.endsWith('*');
  const first = open ? start.slice(0, -1) : start;
  const phrase = { kind, weight, first, open, next: next === undefined ? undefined : ` ${next}` };
  const key = keyAt(`${first} `, 0);
  const same = index.get(key);
  if (same) same.push(phrase);
  else index.set(key, [phrase]);
}
