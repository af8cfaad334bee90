import { domainToUnicode } from 'node:url';
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
  // `C & A` is enough.
  const letters = searched.map(([word = '']) => word.trim()).join('');
  if ([...letters].length < 2 && !CJK.test(letters)) return undefined;
  return { terms: searched, person: personIn(typed) };
}

/** `0049 30 …`, `+49 (0)30 …` and `030 …`: a number is kept with its country's code, and as it is dialed at home. */
function readPhoneQuery(typed: string): SearchQuery | undefined {
  if (!PHONE.test(typed)) return undefined;
  const digits = typed.replace('(0)', '').replace(/\D/g, '');
  if (digits.length < 2) return undefined;
  const whole = typed.startsWith('+') ? digits : digits.startsWith('00') ? digits.slice(2) : undefined;
  const spellings = new Set([whole ?? digits, digits.replace(/^0{1,2}/, '')].filter(Boolean));
  return {
    terms: [[...spellings]],
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
  const plain = stripAccents(token).replace(/^[^\p{L}\p{N}@+]+|[^\p{L}\p{N}@]+$/gu, '');
  if (plain.includes('@') && LETTER.test(plain)) return [[plain]];
  // A domain, a part of an address, or a name with such a sign inside: `Booking.com`. Its parts belong together.
  if (/[._+]/.test(plain) && LETTER.test(plain)) {
    return [[...new Set([plain, words.join(' '), joined(words), spelled.join(' ')])]];
  }
  if (words.length > 1 && words.every((word) => [...word].length === 1)) return [[` ${words.join(' ')}`]];
  return words.map((word, index) => [...new Set([word, joined([word]), spelled[index] ?? word])].map(begins));
}

const wordsOf = (text: string) =>
  foldText(text)
    .split(' ')
    .filter((word) => LETTER.test(word));

/** `O'Reilly` is also written `OReilly`. */
const joined = (words: readonly string[]): string => words.join('').replaceAll("'", '');

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
  ð: 'd',
  þ: 'th',
};

function spellOut(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüåøæðþ]/g, (letter) => SPELLED_OUT[letter] ?? letter);
}

/** What is searched besides address and number: names in small letters without accents, blanks between words. */
export function searchedText({ name = '', company = '', email, phoneSpellings }: IndexedContact): string {
  const names = [name, company].filter(Boolean);
  const folded = names.map((text) => foldText(text).trim());
  const spelled = names.map((text) => foldText(spellOut(text)).trim());
  const words = [
    ...folded,
    ...spelled.filter((text, index) => text !== folded[index]),
    ...phoneSpellings,
    ...names.flatMap(joinedIn),
    ...(email ? readableAddress(email) : []),
  ];
  return ` ${words.filter(Boolean).join(' ')} `;
}

/** Parts of a name that are also written as one word: `Saint-Gobain`, `J. R. R.`, `山田 太郎`. */
function joinedIn(name: string): string[] {
  const tokens = name.split(/\s+/);
  const forms = tokens.map((token) => (/[^\p{L}\p{M}\p{N}]/u.test(token) ? joined(wordsOf(token)) : ''));
  const initials = foldText(name).match(/(?<= )\S(?: \S)+(?= )/gu) ?? [];
  const whole = tokens.length > 1 && tokens.every((token) => CJK.test(token)) ? [joined(tokens)] : [];
  const known = foldText(name);
  const all = [...forms, ...initials.map((letters) => letters.replaceAll(' ', '')), ...whole];
  return [...new Set(all)].filter((form) => form !== '' && !known.includes(form));
}

/** As people type an address whose list entry is in ASCII, or has accents. */
function readableAddress(email: string): string[] {
  const at = email.lastIndexOf('@');
  if (at < 0) return [];
  const readable = `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`;
  const plain = stripAccents(readable);
  return plain === email ? [] : [plain];
}
