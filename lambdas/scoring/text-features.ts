import { foldText, MAX_TEXT_LENGTH } from './lead-text.ts';
import { withoutLinks } from './links.ts';

/** What the text model reads of a lead. */
export interface TextSource {
  /** The longest free text. */
  readonly message: string;
  /** The domain of the email address. Empty for free mail, which says nothing about the sender. */
  readonly domain: string;
}

export const FEATURE_BITS = 20;

const KINDS = {
  word: 1,
  pair: 2,
  four: 3,
  runOnTwo: 4,
  runOnThree: 5,
  style: 6,
  domainFour: 7,
};

/** A part has at least so many words: fewer say too little. */
const PART_WORDS = 6;

/** Not a character that people type. */
const END = '\ue000';
const END_MARK = ` ${END} `;
const SENTENCE_END = /[.!?…]{1,9}(?=\s)|[。！？؟]{1,9}|\n{1,9}/g;

/** A word of a message. Its features begin where those of the word before end. */
interface Word {
  readonly text: string;
  readonly sentence: number;
  readonly end: number;
}

/**
 * The features of a lead as hashes: words, pairs of words and every four letters in a row of the message, the same
 * letters of the email domain, and how the message is written. One pass over the text, without patterns.
 */
export class TextFeatures {
  /** As often as they occur: those of each word, then those of the style and the domain. */
  readonly hashes: number[] = [];
  readonly words: Word[] = [];

  constructor({ message, domain }: TextSource) {
    const prose = withoutLinks(message);
    // All numbers count as the same feature.
    this.#readWords(foldText(prose.replace(SENTENCE_END, END_MARK)).replace(/\d+/g, '0'));
    // Without a message there is nothing to read: a form may have no field for one.
    if (this.words.length === 0) return;
    for (const style of styleOf(prose, this.words.length)) this.#add(style, 0, style.length, KINDS.style);
    const name = domain.slice(0, Math.max(0, domain.lastIndexOf('.')));
    if (name !== '') this.#addRuns(`^${name.toLowerCase()}$`, 0, name.length + 2, 4, KINDS.domainFour);
  }

  /** Where each part of a longer message ends, by words: a sentence, or several short ones. None if it is one part. */
  partEnds(): number[] {
    const ends: number[] = [];
    let start = 0;
    for (let at = 1; at < this.words.length; at += 1) {
      if (at - start >= PART_WORDS && this.words[at]?.sentence !== this.words[at - 1]?.sentence) {
        ends.push(at);
        start = at;
      }
    }
    if (this.words.length - start < PART_WORDS) ends.pop();
    return ends.length === 0 ? [] : [...ends, this.words.length];
  }

  /** The hashes of each part. */
  parts(): number[][] {
    const ends = this.partEnds().map((end) => this.words[end - 1]?.end);
    return ends.map((end, index) => this.hashes.slice(ends[index - 1] ?? 0, end));
  }

  /** A folded text has one blank between words and at both ends. */
  #readWords(folded: string): void {
    let previous = -1;
    let sentence = 0;
    for (let start = 1; start < folded.length; ) {
      const end = folded.indexOf(' ', start);
      if (folded[start] === END) {
        sentence += 1;
        previous = -1;
      } else if (end > start) {
        this.#readWord(folded, start, end);
        if (previous >= 0) this.#add(folded, previous, end, KINDS.pair);
        this.words.push({ text: folded.slice(start, end), sentence, end: this.hashes.length });
        previous = start;
      }
      start = end < 0 ? folded.length : end + 1;
    }
  }

  #readWord(folded: string, start: number, end: number): void {
    if (isRunOn(folded.charCodeAt(start))) {
      // Scripts without blanks between words: two and three characters in a row.
      this.#addRuns(folded, start, end, 2, KINDS.runOnTwo);
      this.#addRuns(folded, start, end, 3, KINDS.runOnThree);
    } else {
      this.#add(folded, start, end, KINDS.word);
      // With the blanks before and after: the beginning and the end of a word say more than its middle.
      this.#addRuns(folded, start - 1, end + 1, 4, KINDS.four);
    }
  }

  #addRuns(text: string, start: number, end: number, length: number, kind: number): void {
    for (let at = start; at + length <= end; at += 1) this.#add(text, at, at + length, kind);
  }

  /** FNV-1a, and the best of its bits: the same on every machine. */
  #add(text: string, start: number, end: number, kind: number): void {
    let hash = 0x811c9dc5 ^ kind;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    this.hashes.push((hash ^ (hash >>> 12)) >>> (32 - FEATURE_BITS));
  }
}

const LENGTHS = [1, 2, 3, 4, 7, 12, 20, 30, 60];

const MARKS = new Map([
  ['?', 'question'],
  ['？', 'question'],
  ['؟', 'question'],
  ['!', 'exclamation'],
  ['！', 'exclamation'],
  ['%', 'percent'],
  ['$', 'currency'],
  ['£', 'currency'],
  ['€', 'currency'],
]);

/** Features of the style, independent of the words. */
function styleOf(message: string, words: number): Set<string> {
  const style = new Set([`length ${LENGTHS.filter((length) => words >= length).length}`]);
  let [longestNumber, number, lines, capitals, small] = [0, 0, 0, 0, 0];
  const end = Math.min(message.length, MAX_TEXT_LENGTH);
  for (let at = 0; at < end; at += 1) {
    const unit = message.charCodeAt(at);
    number = unit >= 0x30 && unit <= 0x39 ? number + 1 : 0;
    if (number > longestNumber) longestNumber = number;
    if (unit >= 0x61 && unit <= 0x7a) small += 1;
    else if (unit >= 0x41 && unit <= 0x5a) capitals += 1;
    else if (unit === 0x0a) lines += 1;
    else {
      const mark = MARKS.get(message[at] as string);
      if (mark) style.add(mark);
    }
  }
  if (longestNumber > 0) style.add(longestNumber >= 4 ? 'long number' : 'number');
  if (lines > 0) style.add(`lines ${Math.min(lines, 4)}`);
  if (capitals === 0 && small > 0) style.add('no capitals');
  if (small === 0 && capitals > 0) style.add('only capitals');
  return style;
}

export function isRunOn(unit: number): boolean {
  return (unit >= 0x0e00 && unit <= 0x0e7f) || unit >= 0x3040;
}
