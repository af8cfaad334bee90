import { type CountryCode, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core/es6';
import { readList } from './lists.ts';

/**
 * - `valid`: a number of its country's plan;
 * - `possible`: national, of a country that nobody named: enough digits, and no pattern in them;
 * - `fake`: 0000000000, 123456789.
 */
export type PhoneClass = 'valid' | 'possible' | 'fake' | 'impossible';

const MAX_NUMBERS = 5;
let metadata: MetadataJson | undefined;

/** The best number in a text. A national number is read as one of this country. */
export function classifyPhone(text: string, country: string | undefined): PhoneClass {
  let best: PhoneClass = 'impossible';
  for (const number of numbersIn(text)) {
    const look = classifyNumber(number, country);
    if (look === 'valid') return look;
    if (best === 'impossible' || (best === 'fake' && look === 'possible')) best = look;
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

function classifyNumber(number: string, country: string | undefined): PhoneClass {
  const digits = number.replace('+', '');
  if (hasPattern(digits)) return 'fake';
  const international = number.startsWith('+')
    ? number
    : number.startsWith('00')
      ? `+${digits.slice(2)}`
      : undefined;
  if (international) return lookInPlan(international, undefined);
  if (country) {
    const look = lookInPlan(number, country);
    // Written internationally, without the plus.
    return look === 'impossible' && digits.length >= 10 ? lookInPlan(`+${digits}`, undefined) : look;
  }
  return digits.length >= 9 && digits.length <= 13 ? 'possible' : 'impossible';
}

/** Of the right length is enough: numbering plans grow faster than libraries, and have ranges kept for fiction. */
function lookInPlan(number: string, country: string | undefined): PhoneClass {
  metadata ??= JSON.parse(readList('phoneMetadata').toString()) as MetadataJson;
  const parsed = parsePhoneNumberFromString(
    number,
    { defaultCountry: country as CountryCode | undefined },
    metadata,
  );
  if (parsed?.isValid()) return 'valid';
  return parsed?.isPossible() && parsed.nationalNumber.length >= 8 ? 'possible' : 'impossible';
}

const RUNS = '01234567890123456789 98765432109876543210 1472583690 1029384756 147258369';

/** All alike, counted up or down, or one short group again and again. */
function hasPattern(digits: string): boolean {
  const tail = digits.slice(-8);
  if (new Set(digits).size <= 2 || new Set(tail.slice(-7)).size === 1) return true;
  if (RUNS.includes(digits) || RUNS.includes(tail)) return true;
  const rest = digits.replace(/^0/, '');
  return [2, 3].some(
    (size) => rest.length >= 8 && rest === rest.slice(0, size).repeat(8).slice(0, rest.length),
  );
}

/** A value that is a number and little else. */
export function looksLikePhone(value: string): boolean {
  if (value.length > 40) return false;
  const digits = digitsIn(value).length;
  return (
    digits >= 7 &&
    digits <= 15 &&
    /^[+(\d\u0660-\u0669]/.test(value) &&
    digits * 2 >= value.length &&
    !/\d[.,]\d{1,2}$|^\d{4}-\d\d-\d\d/.test(value)
  );
}

export const digitsIn = (value: string): string => westernDigits(value).replace(/\D/g, '');

/** ٠١٢, ०१२ and ０１２ are digits as well. */
function westernDigits(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19\uff0b]/g, (mark) =>
      mark === '\uff0b' ? '+' : String(digitValue(mark.charCodeAt(0))),
    );
}

function digitValue(unit: number): number {
  const zero = [0x0660, 0x06f0, 0x0966, 0xff10].find((start) => unit >= start && unit < start + 10) ?? unit;
  return unit - zero;
}
