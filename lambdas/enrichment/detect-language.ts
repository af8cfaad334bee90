import { stripAccents } from '../scoring/lead-text.ts';
import { CYRILLIC_WORDS, LATIN_LETTERS, LATIN_WORDS } from './language-words.ts';

/** The part of a text that is read: more changes nothing. */
const MAX_TEXT_LENGTH = 2_000;

/**
 * ISO 639-1, only if certain: by the script where one language is written in it, and otherwise by small words and letters.
 * One pass over the text.
 */
export function detectLanguage(text: string): string | undefined {
  const plain = text
    .slice(0, MAX_TEXT_LENGTH)
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => !ADDRESS.test(word))
    .join(' ');
  const script = mainScript(plain);
  if (script === undefined) return undefined;
  const decide = BY_SCRIPT[script];
  return typeof decide === 'function' ? decide(plain) : decide;
}

/** Email addresses and URLs are in no language. */
const ADDRESS = /^[\x21-\x7e]*[@/\\][\x21-\x7e]*$/;

type Script =
  | 'latin'
  | 'cyrillic'
  | 'han'
  | 'kana'
  | 'hangul'
  | 'arabic'
  | 'hebrew'
  | 'greek'
  | 'devanagari'
  | 'thai';

/** First and last code unit. */
const RANGES: readonly (readonly [first: number, last: number, script: Script])[] = [
  [0x61, 0x7a, 'latin'],
  [0xdf, 0x24f, 'latin'],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x52f, 'cyrillic'],
  [0x5d0, 0x5ea, 'hebrew'],
  [0x620, 0x6d3, 'arabic'],
  [0x900, 0x97f, 'devanagari'],
  [0xe01, 0xe4e, 'thai'],
  [0x1e00, 0x1eff, 'latin'],
  [0x3041, 0x30fe, 'kana'],
  [0x4e00, 0x9fff, 'han'],
  [0xac00, 0xd7a3, 'hangul'],
];

/** A Chinese character says as much as a word. */
const WEIGHT: Readonly<Partial<Record<Script, number>>> = { han: 3, kana: 2, hangul: 3 };
const MIN_LETTERS = 12;

/** The script of most of the text. Names of products are Latin in any language, so half as much of another is enough. */
function mainScript(text: string): Script | undefined {
  const counts = new Map<Script, number>();
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const script = RANGES.find(([first, last]) => unit >= first && unit <= last)?.[2];
    if (script) counts.set(script, (counts.get(script) ?? 0) + (WEIGHT[script] ?? 1));
  }
  // Japanese is a mixture of the two.
  const kana = counts.get('kana') ?? 0;
  if (kana > 0 && kana * 12 >= (counts.get('han') ?? 0)) {
    counts.set('kana', kana + (counts.get('han') ?? 0));
    counts.delete('han');
  }
  const latin = counts.get('latin') ?? 0;
  counts.delete('latin');
  const [other] = [...counts].sort(([, one], [, two]) => two - one);
  if (other && other[1] >= MIN_LETTERS && other[1] * 2 >= latin) return other[0];
  return latin >= MIN_LETTERS && (other?.[1] ?? 0) * 8 <= latin ? 'latin' : undefined;
}

type Decide = (text: string) => string | undefined;

const BY_SCRIPT: Readonly<Record<Script, string | Decide>> = {
  latin: (text) => byWords(text, LATIN_WORDS, LATIN_LETTERS),
  cyrillic: cyrillicLanguage,
  // Japanese may have hardly any kana.
  han: (text) => (/[\u3040-\u30ff]/.test(text) ? undefined : 'zh'),
  kana: 'ja',
  hangul: 'ko',
  // Persian and Urdu have letters of their own.
  arabic: (text) => (/[پچژگکیےٹڈ]/.test(text) ? undefined : 'ar'),
  hebrew: 'he',
  greek: 'el',
  // Marathi and Nepali use the script as well.
  devanagari: (text) => (/(?:^|\s)(?:है|हैं|में|का|की|के|और|से|को)(?=\s|[।?!,.]|$)/.test(text) ? 'hi' : undefined),
  thai: 'th',
};

/** Belarusian, Serbian, Kazakh and others, of which nothing more is known. */
const OTHER_CYRILLIC = /[ўјљњћђџәғқңөұүһ]/;
const RUSSIAN = /[ыэё]/;
const UKRAINIAN = /[іїєґ]/;

function cyrillicLanguage(text: string): string | undefined {
  const isRussian = RUSSIAN.test(text);
  if (OTHER_CYRILLIC.test(text) || (isRussian && UKRAINIAN.test(text))) return undefined;
  if (isRussian) return 'ru';
  return UKRAINIAN.test(text) ? 'uk' : byWords(text, CYRILLIC_WORDS, { bg: 'ъ' });
}

interface Lists {
  /** The languages that have a word. Its count is divided among them. */
  readonly words: ReadonlyMap<string, readonly string[]>;
  readonly letters: ReadonlyMap<string, readonly string[]>;
}

const prepared = new Map<object, Lists>();

function prepare(words: Readonly<Record<string, string>>, letters: Readonly<Record<string, string>>): Lists {
  const known = prepared.get(words);
  if (known) return known;
  const lists = {
    words: invert(words, (text) => text.split(/\s+/)),
    letters: invert(letters, (text) => [...text]),
  };
  prepared.set(words, lists);
  return lists;
}

function invert(
  lists: Readonly<Record<string, string>>,
  split: (text: string) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, text] of Object.entries(lists)) {
    for (const each of new Set(split(text))) languages.set(each, [...(languages.get(each) ?? []), language]);
  }
  return languages;
}

const MIN_SCORE = 2;
const MIN_LEAD = 1.5;
const MIN_SHARE = 0.12;
const MAX_WORDS = 300;

function byWords(
  text: string,
  wordLists: Readonly<Record<string, string>>,
  letterLists: Readonly<Record<string, string>>,
): string | undefined {
  const { words, letters } = prepare(wordLists, letterLists);
  const scores = new Map<string, number>();
  const add = (languages: readonly string[] = []) => {
    for (const language of languages) {
      scores.set(language, (scores.get(language) ?? 0) + 1 / languages.length);
    }
  };
  const written = (wordLists === LATIN_WORDS ? stripAccents(text) : text)
    .split(/[^\p{L}\p{M}']+/u)
    .filter(Boolean)
    .slice(0, MAX_WORDS);
  for (const word of written) add(words.get(word));
  for (const letter of new Set(text)) add(letters.get(letter));
  const [best, second] = [...scores].sort(([, one], [, two]) => two - one);
  if (!best || best[1] < MIN_SCORE || best[1] < written.length * MIN_SHARE) return undefined;
  return best[1] >= (second?.[1] ?? 0) * MIN_LEAD ? best[0] : undefined;
}
