import { readEmail } from '../../enrichment/contact-facts.ts';
import { foldText, stripAccents } from '../../scoring/lead-text.ts';
import { type IndexedContact, normalizeEmail, personKey } from './lead-contact.ts';

const MAX_TERMS = 8;
const PHONE = /^\+?[\d\s()./-]+$/;
/** Names of one character are common in these scripts. */
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const LETTER = /[\p{L}\p{N}]/u;

/** One word that was typed. A lead has it if its text, its address or its number contains one of the spellings. */
export type SearchTerm = readonly string[];

export interface SearchQuery {
  readonly terms: readonly SearchTerm[];
  /** Set if a whole address or number was typed: it is looked up before anything is read. */
  readonly person?: string | undefined;
}

/** Undefined if what was typed has nothing to search for. */
export function readQuery(typed: string): SearchQuery | undefined {
  const phone = readPhoneQuery(typed.trim());
  if (phone) return phone;
  const terms = typed.trim().split(/\s+/).flatMap(termsOf);
  const searched = [...new Map(terms.map((term) => [term[0], term])).values()].slice(0, MAX_TERMS);
  const isEnough = searched.some(([word = '']) => [...word.trim()].length > 1 || CJK.test(word));
  if (!isEnough) return undefined;
  return { terms: searched, person: personIn(typed) };
}

/** `0049 30 …`, `+49 (0)30 …` and `030 …`: a number is kept with its country's code, and as it is dialed at home. */
function readPhoneQuery(typed: string): SearchQuery | undefined {
  if (!PHONE.test(typed)) return undefined;
  const digits = typed.replace('(0)', '').replace(/\D/g, '');
  if (digits.length < 2) return undefined;
  const whole = typed.startsWith('+') ? digits : digits.startsWith('00') ? digits.slice(2) : undefined;
  const spellings = [...new Set([whole ?? digits, digits.replace(/^0{1,2}/, '')])].filter(Boolean);
  return {
    terms: [whole === undefined && digits.startsWith('0') ? [digits, ...spellings] : spellings],
    person: whole !== undefined && whole.length >= 8 ? personKey('phone', whole) : undefined,
  };
}

function personIn(typed: string): string | undefined {
  const email = readEmail(typed.trim()) && normalizeEmail(typed.trim());
  return email && personKey('email', email);
}

function termsOf(token: string): SearchTerm[] {
  const words = wordsOf(token);
  const spelled = wordsOf(spellOut(token));
  const plain = stripAccents(token).replace(/^[^\p{L}\p{N}@]+|[^\p{L}\p{N}]+$/gu, '');
  // An address or a domain, a part of one, or a name with such a sign inside: `Booking.com`.
  if (/[@.]/.test(plain) && LETTER.test(plain)) {
    return [plain.includes('@') ? [plain] : [plain, words.join(' ')]];
  }
  return words.map((word, index) => [...new Set([word, spelled[index] ?? word])].map(begins));
}

const wordsOf = (text: string) =>
  foldText(text)
    .split(' ')
    .filter((word) => LETTER.test(word));

/** A single letter is the beginning of a word, or else it would be everywhere. */
function begins(word: string): string {
  return [...word].length > 1 || CJK.test(word) ? word : ` ${word}`;
}

/** `Müller` is also written `Mueller`. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
  æ: 'ae',
};

function spellOut(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüåøæ]/g, (letter) => SPELLED_OUT[letter] ?? letter);
}

/** What is searched besides address and number: names in small letters without accents, blanks between words. */
export function searchedText({ name = '', company = '', phoneSpellings }: IndexedContact): string {
  const folded = [name, company].map((text) => foldText(text).trim());
  const spelled = [name, company].map((text) => foldText(spellOut(text)).trim());
  const words = [...folded, ...spelled.filter((text, index) => text !== folded[index]), ...phoneSpellings];
  return ` ${words.filter(Boolean).join(' ')} `;
}
