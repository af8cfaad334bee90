import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import {
  countryCode,
  countryOfDomain,
  readNumber,
  readNumberInText,
  readPhoneField,
} from '../scoring/classify-phone.ts';
import { readCountry } from './read-place.ts';

export interface PhoneParts {
  readonly e164: string;
  /** The digits without the country's code. */
  readonly national: string;
  /** Absent for numbers of no country, such as +800. */
  readonly country: string | undefined;
  readonly type: string | undefined;
  /** Whether the number lacked its country's code and was read by the domain of an email, or found among words. */
  readonly guessed: boolean;
}

/** By which country a national number is read. */
export interface PhoneContext {
  /** As the lead names it. */
  readonly country?: string | undefined;
  /** Of the lead's email address. */
  readonly domain?: string | undefined;
}

const MAX_PHONE_LENGTH = 60;

/** What scoring calls valid is read as scoring reads it. A valid number that scoring finds too regular is read as well. */
export function readPhone(text: string, { country, domain }: PhoneContext = {}): PhoneParts | undefined {
  const stated = country === undefined ? undefined : countryCode(country);
  const guess = domain === undefined ? undefined : countryOfDomain(domain);
  const number = readPhoneField(text, stated, guess);
  if (typeof number === 'string')
    return readWhole(text, country === undefined ? undefined : readCountry(country));
  const guessed = !stated && typeof readNumber(text, undefined) === 'string';
  return describe(number.number, number.country, guessed);
}

/** The first number in a text, where scoring would find one. Without its country's code it is only likely to be one. */
export function readPhoneInText(text: string, { country, domain }: PhoneContext): PhoneParts | undefined {
  const home =
    (country === undefined ? undefined : countryCode(country)) ??
    (domain === undefined ? undefined : countryOfDomain(domain));
  const number = readNumberInText(text, home);
  if (typeof number === 'string') return undefined;
  const guessed = typeof readNumber(text, undefined) === 'string';
  return describe(number.number, number.country, guessed);
}

/** Scoring knows the number plans of countries, but not types of numbers such as mobile. */
function describe(e164: string, country: string | undefined, guessed: boolean): PhoneParts | undefined {
  const number = parsePhoneNumberFromString(e164);
  return (
    number && {
      e164,
      national: number.nationalNumber,
      country: number.country ?? country,
      type: number.getType()?.toLowerCase(),
      guessed,
    }
  );
}

function readWhole(text: string, country: string | undefined): PhoneParts | undefined {
  if (text.length > MAX_PHONE_LENGTH) return undefined;
  const home: CountryCode | undefined = country && isSupportedCountry(country) ? country : undefined;
  const number =
    parsed(text, home) ?? (/^\s*00/.test(text) ? parsed(text.replace(/^\s*00/, '+'), undefined) : undefined);
  return number && describe(number.number, number.country, false);
}

function parsed(text: string, home: CountryCode | undefined) {
  // The whole text must be the number: numbers inside sentences are not read here.
  const number = parsePhoneNumberFromString(text, { ...(home && { defaultCountry: home }), extract: false });
  return number?.isValid() ? number : undefined;
}
