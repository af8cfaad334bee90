import { countryOfDomain } from '../scoring/classify-phone.ts';
import { zoneOfNumber } from './area-codes.ts';
import { type FactSource, type Facts, factsFrom } from './enrichment-item.ts';
import { type PhoneParts, readPhone, readPhoneInText } from './read-phone.ts';
import { readCountry, timeZoneOf } from './read-place.ts';

/** What a lead's country and time zone are derived from. */
export interface PlaceClues {
  /** As the lead names it. */
  readonly country?: string | undefined;
  readonly phone?: string | undefined;
  /** Of the address by whose country a national number is read. */
  readonly domain?: string | undefined;
  /** Where else a number may be. */
  readonly texts?: readonly string[] | undefined;
  /** Of the email and the website, whose endings may stand for a country. */
  readonly hosts?: readonly (string | undefined)[];
}

export function placeFacts(clues: PlaceClues): Facts {
  const field = clues.phone === undefined ? undefined : readPhone(clues.phone, clues);
  const phone = field ?? phoneInTexts(clues);
  const { country, source, isUncertain } = countryOf(clues, phone);
  return {
    ...factsFrom(
      field ? 'phone-metadata' : 'message',
      { phone: phone?.e164, phoneCountry: phone?.country, phoneType: phone?.type },
      phone?.guessed,
    ),
    ...factsFrom(source, { country, timeZone: country && timeZoneOf(country) }, isUncertain),
    ...areaFacts(country, phone),
  };
}

function phoneInTexts(clues: PlaceClues): PhoneParts | undefined {
  for (const text of clues.texts ?? []) {
    const phone = readPhoneInText(text, clues);
    if (phone) return phone;
  }
  return undefined;
}

/** Where one country has several times, the area code of its number may tell which. */
function areaFacts(country: string | undefined, phone: PhoneParts | undefined): Facts {
  if (!country || phone?.country !== country || timeZoneOf(country)) return {};
  const timeZone = zoneOfNumber(country, phone.national);
  return factsFrom('phone-metadata', { timeZone }, phone.guessed);
}

interface FoundCountry {
  readonly country: string | undefined;
  readonly source: FactSource;
  readonly isUncertain: boolean;
}

/** As stated, or else the phone number's, or else, with low confidence, that of the email's or the website's domain. */
function countryOf(clues: PlaceClues, phone: PhoneParts | undefined): FoundCountry {
  const stated = clues.country === undefined ? undefined : readCountry(clues.country);
  if (stated) return { country: stated, source: 'body', isUncertain: false };
  if (phone?.country) {
    return { country: phone.country, source: 'phone-metadata', isUncertain: phone.guessed };
  }
  const country = clues.hosts?.map((host) => host && countryOfDomain(host)).find(Boolean);
  return { country, source: 'top-level-domain', isUncertain: true };
}
