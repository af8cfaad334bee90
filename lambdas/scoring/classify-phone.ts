import {
  type CountryCode,
  type MetadataJson,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core/es6';
import { westernDigits } from './contact-text.ts';
import { foldText } from './lead-text.ts';
import { readList } from './lists.ts';

/**
 * - `valid`: a number of its country's plan;
 * - `possible`: national, of a country that nobody named: enough digits, and no pattern in them;
 * - `odd`: perhaps a number: seven digits, as people write it within their town, or one with 12345678 at its end;
 * - `fake`: 0000000000, 123456789.
 */
export type PhoneClass = 'valid' | 'possible' | 'odd' | 'fake' | 'impossible';

/** A valid number, or what else the digits are. */
export type ReadNumber = PhoneNumber | Exclude<PhoneClass, 'valid'>;

const MAX_NUMBERS = 5;
let metadata: MetadataJson | undefined;

export const classOf = (read: ReadNumber): PhoneClass => (typeof read === 'string' ? read : 'valid');

/** A stated country decides. A guessed one can make a number valid, but not fake. */
export function readPhoneField(
  text: string,
  stated: string | undefined,
  guessed: string | undefined,
): ReadNumber {
  const read = readNumber(text, stated ?? guessed);
  return stated || typeof read !== 'string' ? read : readNumber(text, undefined);
}

/** The best number in a text. A national number is read as one of this country. */
export function readNumber(text: string, country: string | undefined): ReadNumber {
  let best: ReadNumber = 'impossible';
  for (const digits of numbersIn(text)) {
    const read = readDigits(digits, country);
    if (typeof read !== 'string') return read;
    if (RANKS.indexOf(read) > RANKS.indexOf(best)) best = read;
  }
  return best;
}

/** From what says least of a way to call. */
const RANKS: readonly ReadNumber[] = ['impossible', 'fake', 'odd', 'possible'];

/** With a zero in front and no date, or in the groups in which numbers are written where none has a zero. */
const NATIONAL =
  /(?<![\w.-])(?:\(?0(?!\d[./-] ?\d\d[./-] ?\d)\d[\d ()/.-]{6,14}\d|\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{3,4}|\d{2,3}(?:[ .]\d\d){3})(?!\d)/g;

/** `555-0119`, ten digits in a row or in groups: perhaps a number. */
const PERHAPS =
  /(?<![\w.-])(?:\d{3}[ .-]\d{4}|\d{10,11}|\d{2,3}[ -]\d{2,4}(?:[ -]\d{2,4}){1,3})(?![\d.-]|\w)/;

/** Outside a phone field, digits may be anything: a contract, a date. Only what is written as a number counts. */
export function readNumberInText(text: string, country: string | undefined): ReadNumber {
  const international = readNumber(text, undefined);
  if (typeof international !== 'string') return international;
  let best: ReadNumber = PERHAPS.test(text) ? 'odd' : 'impossible';
  for (const [written] of text.matchAll(NATIONAL)) {
    const read = readNumber(written, country);
    if (typeof read !== 'string') return read;
    const anywhere = readNumber(written, undefined);
    if (anywhere === 'possible' || (anywhere === 'odd' && best !== 'possible')) best = anywhere;
  }
  return best;
}

/** Runs of digits with the usual marks between them, at least seven and at most fifteen digits long. */
export function numbersIn(text: string): string[] {
  const plain = westernDigits(text);
  const numbers: string[] = [];
  let run = '';
  let gap = 0;
  for (let at = 0; at <= plain.length && numbers.length < MAX_NUMBERS; at += 1) {
    const mark = plain[at] ?? '';
    if (mark >= '0' && mark <= '9') {
      run += mark;
      gap = 0;
    } else if (mark === '+' && run === '') run = '+';
    else if (run !== '' && mark !== '' && gap < 3 && '-. ()/\u2010\u2011\u2013\u00a0'.includes(mark))
      gap += 1;
    else {
      keep(numbers, run);
      run = mark === '+' ? '+' : '';
      gap = 0;
    }
  }
  return numbers;
}

function keep(numbers: string[], run: string): void {
  const digits = run.startsWith('+') ? run.length - 1 : run.length;
  if (digits >= 7 && digits <= 17) numbers.push(run);
}

function readDigits(number: string, country: string | undefined): ReadNumber {
  const digits = number.replace('+', '');
  if (hasPattern(digits)) return 'fake';
  const read = inPlan(number, digits, country);
  // Some real numbers end so. Many made-up ones do as well.
  return read !== 'impossible' && RUNS.includes(digits.slice(-8)) ? 'odd' : read;
}

function inPlan(number: string, digits: string, country: string | undefined): ReadNumber {
  const international = number.startsWith('+')
    ? number
    : number.startsWith('00')
      ? `+${digits.slice(2)}`
      : undefined;
  if (international) return lookInPlan(international, undefined);
  if (digits.length === LOCAL_DIGITS) return 'odd';
  if (country) {
    const read = lookInPlan(number, country);
    // Written internationally, without the plus.
    return read === 'impossible' && digits.length >= 10 ? lookInPlan(`+${digits}`, undefined) : read;
  }
  return digits.length >= 9 && digits.length <= 13 ? 'possible' : 'impossible';
}

/** Within a town, in much of the world. */
const LOCAL_DIGITS = 7;

/** Of the right length is enough: numbering plans grow faster than libraries, and have ranges kept for fiction. */
function lookInPlan(written: string, country: string | undefined): ReadNumber {
  metadata ??= JSON.parse(readList('phoneMetadata').toString()) as MetadataJson;
  const number = parsePhoneNumberFromString(
    written,
    { defaultCountry: country as CountryCode | undefined },
    metadata,
  );
  if (number?.isValid()) return number;
  return number?.isPossible() && number.nationalNumber.length >= 8 ? 'possible' : 'impossible';
}

const RUNS = '01234567890123456789 98765432109876543210 1472583690 1029384756 147258369';

/** All alike, counted up or down, or one short group again and again. */
function hasPattern(digits: string): boolean {
  const tail = digits.slice(-8);
  if (new Set(digits).size <= 2 || new Set(tail.slice(-7)).size === 1) return true;
  if (RUNS.includes(digits) || (digits.length <= 10 && RUNS.includes(tail))) return true;
  const rest = digits.replace(/^0/, '');
  return [2, 3].some(
    (size) => rest.length >= 8 && rest === rest.slice(0, size).repeat(8).slice(0, rest.length),
  );
}

/** What people write instead of a country's name as ICU has it. */
const ALIASES: Readonly<Record<string, string>> = {
  GB: 'uk|u k|england|scotland|wales|great britain|britain|northern ireland|gbr',
  US: 'usa|u s a|u s|america|united states of america|estados unidos de america|ee uu|eeuu|eua|сша',
  NL: 'holland|the netherlands',
  AE: 'uae|emirates',
  SA: 'ksa',
  KR: 'korea|republic of korea|한국|남한',
  CZ: 'czech republic',
  TR: 'turkey|turkiye',
  IE: 'republic of ireland|eire',
  RU: 'рф|российская федерация|russian federation',
  VN: 'viet nam',
  CN: '中國|中国大陆|mainland china|prc',
  HK: 'hong kong',
  DE: 'brd|deu',
  FR: 'fra',
  ES: 'esp',
  IT: 'ita',
  IN: 'ind',
  AU: 'aus',
  CA: 'can',
};

const CODE_OF_ALIAS = new Map(
  Object.entries(ALIASES).flatMap(([code, aliases]) => aliases.split('|').map((alias) => [alias, code])),
);

const REGIONS = (
  'AD AE AF AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO ' +
  'CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FR GA GB GD GE GF GH GI GL GM GN GP GQ GR GT GW GY HK HN HR HT HU ' +
  'ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KM KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MO ' +
  'MQ MR MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NZ OM PA PE PF PG PH PK PL PR PS PT PY QA RE RO RS RU RW SA SC SD SE SG ' +
  'SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TW TZ UA UG US UY UZ VA VE VN XK YE ZA ZM ZW'
).split(' ');

const KNOWN = new Set(REGIONS);

/** Languages by script, so that a Greek name is not looked up in fifteen languages that cannot hold it. */
const LANGUAGES: readonly (readonly [RegExp, string])[] = [
  [/[a-z]/, 'en de fr es pt it nl pl sv tr cs id vi da nb fi ro hu'],
  [/[\u0400-\u04ff]/, 'ru uk bg'],
  [/[\u3040-\u9fff]/, 'zh zh-Hant ja'],
  [/[\uac00-\ud7af]/, 'ko'],
  [/[\u0600-\u06ff]/, 'ar fa'],
  [/[\u0590-\u05ff]/, 'he'],
  [/[\u0900-\u097f]/, 'hi'],
  [/[\u0e00-\u0e7f]/, 'th'],
  [/[\u0370-\u03ff]/, 'el'],
];

const names = new Map<string, Map<string, string>>();

/** The ISO code of a country, from a code or from its name in two dozen languages (Node's own ICU has them). */
export function countryCode(written: string): string | undefined {
  const text = written.trim();
  if (text.length < 2 || text.length > 60) return undefined;
  const code = text.toUpperCase();
  if (KNOWN.has(code)) return code;
  const folded = foldText(text).trim();
  const alias = CODE_OF_ALIAS.get(folded);
  if (alias) return alias;
  const languages = LANGUAGES.find(([script]) => script.test(folded))?.[1].split(' ') ?? [];
  for (const language of languages) {
    const found = namesIn(language).get(folded);
    if (found) return found;
  }
  return undefined;
}

function namesIn(language: string): Map<string, string> {
  const known = names.get(language);
  if (known) return known;
  const display = new Intl.DisplayNames(language, { type: 'region' });
  const made = new Map(REGIONS.map((region) => [foldText(display.of(region) ?? region).trim(), region]));
  names.set(language, made);
  return made;
}

/** Endings that stand for their country; the likes of `.io` and `.co` are sold to everyone. */
export function countryOfDomain(domain: string): string | undefined {
  const ending = domain.slice(domain.lastIndexOf('.') + 1);
  if (ending.length !== 2 || SOLD_TO_ALL.has(ending)) return undefined;
  const code = ending === 'uk' ? 'GB' : ending.toUpperCase();
  return KNOWN.has(code) ? code : undefined;
}

const SOLD_TO_ALL = new Set(
  'io co ai me tv cc ly to fm gg sh so ws am la is ad ag bz cd cf cm dj ga gl gq li ml sc sr st'.split(' '),
);
