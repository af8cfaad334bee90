import { classifyEmail } from '../../scoring/classify-email.ts';
import { foldText, stripAccents } from '../../scoring/lead-text.ts';

/** Words are found by their first letters from this length on. Shorter ones only as a whole. */
export const PREFIX_LETTERS = 3;

const MAX_TERMS = 8;
const PHONE = /^\+?[\d\s()./-]+$/;

/** One word that was typed. A lead has it if it has one of its spellings, and of that all parts. */
export interface SearchTerm {
  readonly word: string;
  /** With the blanks around them: `' ada'` is the beginning of a word, `' wu '` a whole one. */
  readonly spellings: readonly (readonly string[])[];
}

/** The entries of a word are kept under its first letters. None for single letters, which match too much. */
export function bucketOf(word: string): string | undefined {
  const letters = [...word];
  return letters.length < 2 ? undefined : letters.slice(0, PREFIX_LETTERS).join('');
}

/** Part of so many companies' names that they distinguish none. */
const LEGAL_FORMS = new Set(
  'ab ag and as bv co corp company de gmbh group inc kg limited llc llp ltd mbh nv of oy oyj plc pty sa sarl se spa srl the ug und'.split(
    ' ',
  ),
);

/** Words that too many leads share have no bucket: legal forms, and the domains of free mail. Addresses there have one. */
export function isCommon(word: string): boolean {
  if (LEGAL_FORMS.has(word)) return true;
  return word.includes('.') && !word.includes('@') && classifyEmail(`a@${word}`).freeMail;
}

/** What was typed into the search box. Empty if it has no letter and no digit. */
export function readTerms(typed: string): SearchTerm[] {
  const phone = PHONE.test(typed.trim()) ? phoneDigits(typed) : '';
  if (phone.length >= PREFIX_LETTERS) return [termOf(phone)];
  const terms = typed
    .trim()
    .split(/\s+/)
    .flatMap((token) => termsOf(token));
  return [...new Map(terms.map((term) => [term.word, term])).values()].slice(0, MAX_TERMS);
}

/** The term whose bucket is read: the longest word, since few leads share it. None if all words are common. */
export function termToRead(terms: readonly SearchTerm[]): SearchTerm | undefined {
  return terms
    .filter(({ word }) => bucketOf(word) !== undefined && !isCommon(word))
    .toSorted((one, other) => other.word.length - one.word.length)[0];
}

/** `0049 30 …`, `+49 (0)30 …` and `030 …` all begin with what a number is stored as, with its country or without. */
function phoneDigits(typed: string): string {
  const digits = typed.replace('(0)', '').replace(/\D/g, '');
  return typed.trim().startsWith('+') ? digits : digits.replace(/^0{1,2}/, '');
}

function termsOf(token: string): SearchTerm[] {
  const folded = foldText(token)
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const plain = stripAccents(token).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}@]+$/gu, '');
  if (!/[@.]/.test(plain)) return folded.map(termOf);
  // An address or a domain, or else a name with such a sign inside.
  const asWords = folded.length > 0 && !plain.includes('@') ? [folded.map(begins)] : [];
  return [{ word: plain, spellings: [[` ${plain}`], ...asWords] }];
}

function termOf(word: string): SearchTerm {
  return { word, spellings: [[begins(word)]] };
}

function begins(word: string): string {
  return [...word].length < PREFIX_LETTERS ? ` ${word} ` : ` ${word}`;
}
