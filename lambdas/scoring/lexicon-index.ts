import { stripAccents } from './text.ts';

/**
 * A weighted lexicon: a line is a weight and the phrases that carry it, separated by `|`.
 *
 * - A phrase matches whole words, where its script has blanks between words. `link*` also matches what goes on.
 * - `rank .. google` matches when the second part follows within 60 characters of the first.
 * - No other punctuation; accents do not matter. A test holds this.
 */
export type LexiconText = string;

/**
 * Several lexicons, sorted by how their phrases begin, a beginning a line: `link *|link us |offer 4<tab>link to |…`.
 * Made when lexicons are packed. To take seven thousand phrases apart would delay the first lead by milliseconds; like this
 * only those lines are taken apart whose beginning occurs in a lead.
 */
export type LexiconIndex = string;

export interface Phrase<Kind> {
  readonly kind: Kind;
  readonly weight: number;
  readonly first: string;
  /** Whether a word may go on after it. */
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
