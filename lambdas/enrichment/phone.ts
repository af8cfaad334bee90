import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface PhoneParts {
  readonly e164: string;
  /** Absent for numbers of no country, such as +800. */
  readonly country: string | undefined;
  readonly type: string | undefined;
}

const LONGEST_PHONE = 60;

/** Only valid numbers: one that lacks its country's code needs the country from elsewhere. */
export function readPhone(text: string, country?: string): PhoneParts | undefined {
  if (text.length > LONGEST_PHONE) return undefined;
  const home: CountryCode | undefined = country && isSupportedCountry(country) ? country : undefined;
  const number =
    parsed(text, home) ?? (/^\s*00/.test(text) ? parsed(text.replace(/^\s*00/, '+'), undefined) : undefined);
  return number && { e164: number.number, country: number.country, type: number.getType()?.toLowerCase() };
}

function parsed(text: string, home: CountryCode | undefined) {
  // The number must be the whole text: none is dug out of prose.
  const number = parsePhoneNumberFromString(text, { ...(home && { defaultCountry: home }), extract: false });
  return number?.isValid() ? number : undefined;
}
