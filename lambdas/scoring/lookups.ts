import { stripAccents } from './lead-text.ts';

const GROUPS = 256;

/**
 * A set of thousands of domains at the price of a string: 32-bit hashes. A stranger's domain is taken for a listed one
 * once in 500,000 times.
 *
 * They are in groups by their highest byte, sorted. First comes how many each group has; then the gaps between
 * neighbours of a group, in three bytes: all the high ones, which are alike and pack well, then the middle, then the low.
 */
export class DomainHashes {
  readonly #read: () => Buffer;
  #bytes: Buffer | undefined;

  constructor(read: () => Buffer) {
    this.#read = read;
  }

  has(domain: string): boolean {
    this.#bytes ??= this.#read();
    const bytes = this.#bytes;
    const hash = hashOfDomain(domain);
    const group = hash >>> 24;
    let at = GROUPS;
    for (let before = 0; before < group; before += 1) at += bytes[before] as number;
    const end = at + (bytes[group] as number);
    const plane = (bytes.length - GROUPS) / 3;
    let listed = group * 2 ** 24;
    for (; at < end && listed <= hash; at += 1) {
      listed +=
        ((bytes[at] as number) << 16) |
        ((bytes[at + plane] as number) << 8) |
        (bytes[at + 2 * plane] as number);
      if (listed === hash) return true;
    }
    return false;
  }
}

export function packHashes(domains: readonly string[]): Buffer {
  const hashes = [...new Set(domains.map(hashOfDomain))].sort((one, other) => one - other);
  const bytes = Buffer.alloc(GROUPS + hashes.length * 3);
  hashes.forEach((hash, index) => {
    const group = hash >>> 24;
    const gap = hash - Math.max(hashes[index - 1] ?? 0, group * 2 ** 24);
    // Throws where a group has grown too large for its byte.
    bytes.writeUInt8(bytes.readUInt8(group) + 1, group);
    bytes[GROUPS + index] = gap >>> 16;
    bytes[GROUPS + hashes.length + index] = gap >>> 8;
    bytes[GROUPS + 2 * hashes.length + index] = gap;
  });
  return bytes;
}

/** FNV-1a over UTF-16 units: short, and the same on every machine. */
export function hashOfDomain(domain: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < domain.length; index += 1) {
    hash = Math.imul(hash ^ domain.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/**
 * A weighted lexicon: each line is a weight and its phrases, separated by `|`.
 *
 * - A phrase matches whole words, if its script has blanks between words. `link*` also matches longer words.
 * - `rank .. google` matches if the second part follows within 60 characters of the first.
 * - No other punctuation; accents do not matter. A test enforces this.
 */
export type LexiconText = string;

/**
 * Several lexicons, one line per beginning of a phrase: `link *|link us |offer 4<tab>link to |…`. Made when lexicons
 * are packed. Parsing seven thousand phrases would delay the first lead by milliseconds, so only lines whose beginning
 * occurs in a lead are parsed.
 */
export type LexiconIndex = string;

export interface Phrase<Kind> {
  readonly kind: Kind;
  readonly weight: number;
  readonly first: string;
  /** Whether the word may be longer. */
  readonly open: boolean;
  readonly next: string | undefined;
}

const BLANK = 0x20;

/** A small integer of the first three characters, or two where words are that short. Equal keys are not yet a match. */
export function keyAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const two = Math.imul(first, 0x1f35) ^ text.charCodeAt(at + 1);
  return (first >= 0x0e00 ? two : Math.imul(two, 0x2f1b) ^ (text.charCodeAt(at + 2) || BLANK)) & 0x3fff_ffff;
}

export function indexLexicons(lexicons: Readonly<Record<string, LexiconText>>): LexiconIndex {
  const groups = new Map<number, Map<string, string>>();
  for (const [kind, text] of Object.entries(lexicons)) {
    for (const line of stripAccents(text).split('\n')) {
      const [weight = '', ...rest] = line.trim().split(' ');
      if (weight === '') continue;
      for (const written of rest.join(' ').split('|')) {
        // The blank ends the beginning, as it does in a text.
        const phrase = `${written.replace('*', ' *')}${written.endsWith('*') ? '' : ' '}`;
        const group = getOrMake(groups, keyAt(phrase, 0));
        const label = `${kind} ${weight}`;
        group.set(label, `${group.get(label) ?? ''}${phrase}|`);
      }
    }
  }
  return [...groups.values()]
    .map((group) => [...group].map(([label, phrases]) => phrases + label).join('\t'))
    .sort()
    .join('\n');
}

function getOrMake(groups: Map<number, Map<string, string>>, key: number): Map<string, string> {
  const group = groups.get(key) ?? new Map<string, string>();
  groups.set(key, group);
  return group;
}

/** Where the line of each key begins. */
export function linesByKey(index: LexiconIndex): Map<number, number> {
  const lines = new Map<number, number>();
  let at = 0;
  do {
    lines.set(keyAt(index, at), at);
    at = index.indexOf('\n', at) + 1;
  } while (at > 0);
  return lines;
}

export function phrasesAt<Kind extends string>(index: LexiconIndex, at: number): Phrase<Kind>[] {
  const end = index.indexOf('\n', at);
  const line = index.slice(at, end < 0 ? undefined : end);
  return line.split('\t').flatMap((group) => {
    const phrases = group.split('|');
    const [kind, weight] = (phrases.pop() as string).split(' ');
    return phrases.map((phrase) => toPhrase(kind as Kind, Number(weight), phrase.trim()));
  });
}

function toPhrase<Kind>(kind: Kind, weight: number, written: string): Phrase<Kind> {
  const [start = '', next] = written.split(' .. ');
  const open = start.endsWith(' *');
  return {
    kind,
    weight,
    first: open ? start.slice(0, -2) : start,
    open,
    next: next === undefined ? undefined : ` ${next}`,
  };
}

/** For a test: the work must be linear in the length of the text. */
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
