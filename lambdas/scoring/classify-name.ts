import { foldText } from './lead-text.ts';
import { isNobody, isPerhapsNobody, isSurelyTestWord, isTestWord } from './word-lists.ts';

/** Second letters that hardly ever follow a first one, in any language written with Latin letters or put into them. */
const RARE_PAIRS: Readonly<Record<string, string>> = {
  b: 'cfgkpqvwxz',
  c: 'bdfgjmpvwx',
  d: 'bcfkpqx',
  f: 'bcdghkmpqvwxz',
  g: 'bcfkpqvxz',
  h: 'cfgpqx',
  j: 'bcfghmpqrtvwx',
  k: 'cdfgqx',
  l: 'qx',
  m: 'gjqvx',
  p: 'bcgjqvxz',
  q: 'bcdfghjklmnpqrstwxyz',
  s: 'x',
  t: 'dgpqx',
  v: 'bfhjmpqwxz',
  w: 'gjpqvxz',
  x: 'dgjkqrnsvxz',
  z: 'fjqx',
};

/** Groups of letters that stand for one sound somewhere: no heap of consonants. */
const ONE_SOUND =
  /sch|szcz|tsch|chth|phth|sz|cz|rz|ch|sh|th|ph|ck|zh|kh|gh|dh|bh|dz|ng|tz|ts|st|gn|ll|ss|tt|nn|mm|rr|pp/g;
const VOWELS = 'aeiouy';

/** Random letters, or letters and digits. */
export function isGibberish(word: string): boolean {
  if (word.length > 60) return !/[\s\u0590-\uffff]/.test(word);
  if (word.length < 6) return isUnspeakable(word);
  if (hasKeyboardRun(word)) return true;
  if (isHashLike(word)) return true;
  // Most words are plain letters, for which folding is the same as lower case.
  const folded = /^[a-z']+$/i.test(word) ? word.toLowerCase() : foldText(word).trim();
  if (!/^[a-z']{6,60}$/.test(folded)) return false;
  if (hasRandomCase(word)) return true;
  const pairs = rarePairsIn(folded);
  const vowels = vowelsIn(folded);
  if (vowels === 0) return word !== word.toUpperCase() || folded.length > 7;
  if (folded.length >= 8 && vowels / folded.length < 0.13) return true;
  if (pairs >= 2 && (pairs / folded.length >= 0.2 || vowels / folded.length < 0.25)) return true;
  return pairs >= 1 && longestHeap(folded) >= 5;
}

/** Four or five letters without a vowel, and not as an abbreviation. */
function isUnspeakable(word: string): boolean {
  const lower = word.toLowerCase();
  return word !== word.toUpperCase() && /^[b-df-hj-np-tv-xz]{4,5}$/.test(lower) && rarePairsIn(lower) >= 1;
}

/** `LmqhRvTzxK`: changes between small and capital letters that no name and no brand has. */
function hasRandomCase(word: string): boolean {
  const pieces = word.split(/(?<=[a-zß-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])/);
  const letters = word.replace(/^(?:Mc|Mac|O'|D'|De|Di|La|Le|Van|Fitz)/, '');
  return pieces.length >= 3 && letters.length / pieces.length < 3.2;
}

/** `a7f3e9c1`: letters and digits in turn. A size or a part number (`M12x40`) has one turn or two. */
function isHashLike(word: string): boolean {
  if (!/^[a-z\d]{7,60}$/i.test(word)) return false;
  const turns = word.match(/\d(?=[a-z])|[a-z](?=\d)/gi)?.length ?? 0;
  // `TORTYT559479TIGFH`
  if (/^[A-Z]{4,20}\d{4,8}[A-Z]{4,20}$/.test(word)) return true;
  return turns >= 4 || (turns >= 3 && word.length <= 12 && word === word.toLowerCase());
}

function vowelsIn(folded: string): number {
  let vowels = 0;
  for (let at = 0; at < folded.length; at += 1) if (VOWELS.includes(folded[at] as string)) vowels += 1;
  return vowels;
}

function rarePairsIn(folded: string): number {
  let pairs = 0;
  for (let at = 0; at + 1 < folded.length; at += 1) {
    if (RARE_PAIRS[folded[at] as string]?.includes(folded[at + 1] as string)) pairs += 1;
  }
  return pairs;
}

function longestHeap(folded: string): number {
  const heaps = folded.replace(ONE_SOUND, 'b').split(/[aeiouy']/);
  return Math.max(...heaps.map((heap) => heap.length));
}

const ROWS =
  'qwertyuiop asdfghjkl zxcvbnm qazwsxedcrfvtgbyhnujmikolp poiuytrewq lkjhgfdsa mnbvcxz azertyuiop qsdfghjklm wxcvbn qwertzuiop йцукенгшщзхъ фывапролджэ ячсмитьбю 1qaz2wsx3edc';
/** Four neighbours of a row: what a run begins with is found by looking it up. */
const FOURS = new Set(
  ROWS.split(' ').flatMap((row) => Array.from({ length: row.length - 3 }, (_, at) => row.slice(at, at + 4))),
);
/** Parts of rows that are also parts of words: liberty, Wert, Mertz, Nikolai, property. */
const ALSO_WORDS = /wert|erty|ertz|trew|ytre|rtyu|poiu|uiop|miko|ikol|апро|прол|енгш/;

export function hasKeyboardRun(value: string): boolean {
  const folded = value.toLowerCase().slice(0, 60);
  for (let at = 0; at + 4 <= folded.length; at += 1) {
    const four = folded.slice(at, at + 4);
    if (FOURS.has(four)) {
      if (!ALSO_WORDS.test(four) || ROWS.includes(folded.slice(at, at + 6).padEnd(6, '#'))) return true;
    }
  }
  return /^(?:asd|qwe|zxc|sdf|dfg|jkl|фыв|йцу){1,10}$/.test(folded);
}

export const isOneCharacter = (value: string): boolean =>
  value.length >= 3 && /^(.)\1{2,60}$/u.test(value.replaceAll(' ', ''));

const URL_OR_MARKUP =
  /https?:|www\.|<[a-z/]|\.(?:com|net|org|ru|info|site|online|shop|xyz|top|club)\b|\b(?:bit\.ly|t\.me)/i;

/** A first name with letters of another, or with a number: programs sign so. */
const RUN_TOGETHER =
  /^(?!(?:Mc|Mac|De|Di|Da|Du|La|Le|Van|Von|Fitz|Jo|Al|El|St)[A-Z])[A-Z][a-z]{2,14}\d{0,3}[A-Z]{1,4}[a-z]{0,8}$|^[A-Za-z]{3,20}\d{3,8}[A-Za-z]{0,20}$/;

export interface NameClass {
  readonly plausible: boolean;
  readonly gibberish: boolean;
  readonly link: boolean;
  /** `RobertGek`, `Olivia6441`, or the same word twice. */
  readonly botLike: boolean;
  readonly testData: 'surely' | 'perhaps' | undefined;
}

export function classifyName(name: string): NameClass {
  const value = name.slice(0, 200).trim();
  const folded = foldText(value).trim();
  const words = value
    .split(/[\s,.;()-]{1,5}/)
    .filter((word) => word !== '')
    .slice(0, 8);
  const gibberish = words.some(isGibberish) || isOneCharacter(value) || hasKeyboardRun(value);
  const link = URL_OR_MARKUP.test(value);
  return {
    plausible:
      /[a-z\u00c0-\uffdc]/i.test(value) && !gibberish && !link && value.length <= 80 && !/\d{4}/.test(value),
    gibberish,
    link,
    botLike: RUN_TOGETHER.test(value) || (words.length === 2 && words[0] === words[1]),
    testData: testData(folded),
  };
}

function testData(folded: string): NameClass['testData'] {
  const bare = folded.replace(/ ?\d{1,8}$/, '');
  if (isNobody(bare) || isSurelyTestWord(bare) || isSurelyTestWord(folded)) return 'surely';
  const words = bare.split(' ');
  if (words.length > 1 && words.every(isTestWord)) return 'surely';
  if (
    /^(?:test|testing|qa(?= (?:test|user|bot|auto))|load test|dummy|fake|sample) /.test(bare) ||
    / test$/.test(bare)
  )
    return 'surely';
  if (/^<.{0,30}test/.test(folded) || isPerhapsNobody(bare) || isTestWord(bare)) return 'perhaps';
  return undefined;
}
