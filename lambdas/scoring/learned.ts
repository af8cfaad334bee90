import type { Learned, LearnedPoints } from '../model/learned.ts';
import { foldText } from './lead-text.ts';
import { isRunOn } from './text-features.ts';

/** The most that verdicts can add to a lead or take off: they correct the score and do not replace it. */
export const MAX_LEARNED = 25;

const MAX_SHOWN = 3;

export interface Applied {
  readonly points: number;
  /** The strongest words that say so. Signals are no words. */
  readonly words: readonly string[];
}

/** What the workspace's verdicts add to a lead with this message and these signals. */
export function applyLearned(
  learned: Learned | undefined,
  formId: string | undefined,
  message: string,
  signals: Iterable<string>,
): Applied {
  if (learned === undefined) return { points: 0, words: [] };
  const own =
    formId !== undefined && Object.hasOwn(learned.forms, formId) ? learned.forms[formId] : undefined;
  const pointsOf = (kind: keyof LearnedPoints, name: string) => {
    const points = own && Object.hasOwn(own[kind], name) ? own[kind] : learned[kind];
    return Object.hasOwn(points, name) ? (points[name] as number) : 0;
  };
  const said = [...learnableWords(message)].map((word) => [word, pointsOf('words', word)] as const);
  let sum = 0;
  for (const [, points] of said) sum += points;
  for (const name of signals) sum += pointsOf('signals', name);
  const points = Math.min(MAX_LEARNED, Math.max(-MAX_LEARNED, sum));
  const words = said
    .filter(([, each]) => each * points > 0)
    .sort(([one, by], [other, than]) => Math.abs(than) - Math.abs(by) || (one < other ? -1 : 1))
    .slice(0, MAX_SHOWN)
    .map(([word]) => word);
  return { points, words };
}

/** Letters of a word. */
const [MIN, MAX] = [3, 20];

/**
 * The words of a message that may be learned: without digits, and without whatever stands next to an at sign or in a
 * link. Of scripts without blanks, two and three characters in a row.
 */
export function learnableWords(message: string): Set<string> {
  return new Set(wordsIn(withoutAddresses(message)));
}

/** Folded words of letters alone, apart at apostrophes: `smith's` has the name Smith in it. */
export function wordsIn(text: string): string[] {
  return foldText(text)
    .split(/[ ']/)
    .flatMap((word) => (isRunOn(word.charCodeAt(0)) ? twosAndThrees(word) : word))
    .filter((word) => RUN_ON.test(word) || (SPELLED.test(word) && word.length >= MIN && word.length <= MAX));
}

function twosAndThrees(word: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at + 2 <= word.length; at += 1) {
    parts.push(word.slice(at, at + 2));
    if (at + 3 <= word.length) parts.push(word.slice(at, at + 3));
  }
  return parts;
}

/** Letters with blanks between words, and without. The gaps are the digits of other scripts. */
const SPELLED = /^[a-z\u00c0-\u065f\u066e-\u06ef\u06fa-\u0965\u0970-\u0dff\u0e80-\u1fff\u2c00-\u2fef]+$/;
const RUN_ON = /^[\u0e00-\u0e4f\u0e5a-\u0e7f\u3040-\uffdc]+$/;

/** Between blanks, and between the marks of scripts without blanks. */
const CHUNK = /[^\s\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff1f]+/g;
/** A dot between two letters is a domain, or a blank is missing. */
const ADDRESS = /[@＠/\\]|www\.|[^.\s]\.[^.\s]/i;

function withoutAddresses(message: string): string {
  return message.replace(CHUNK, (chunk) => (ADDRESS.test(chunk) ? ' ' : chunk));
}
