import { countryCode } from '../scoring/classify-phone.ts';

/** Codes that Unicode names and ISO 3166 gives to no country. */
const NO_COUNTRY = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

/** ISO 3166 alpha-2, from a code or a name in one of many languages. */
export function readCountry(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) ? currentCode(code) : countryCode(text);
}

/** Unicode maps outdated codes to current ones: UK is GB. */
function currentCode(code: string): string | undefined {
  const region = new Intl.Locale(`und-${code}`).region;
  const named = region && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(region);
  return named && !NO_COUNTRY.has(region) ? region : undefined;
}

/** Countries with several time zones on the map but one time in all of them; a test enforces this. */
export const ONE_TIME_IN_SEVERAL_ZONES: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  KZ: 'Asia/Almaty',
  MY: 'Asia/Kuala_Lumpur',
  UZ: 'Asia/Tashkent',
};

/** ICU keeps the names that these zones had when it was first written. */
const NAMES_TODAY: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
};

// In Node 24, and not yet in TypeScript's library.
type LocaleWithZones = Intl.Locale & { getTimeZones(): string[] | undefined };

/** By country. ICU looks at all zones of the world for each answer, which takes half a millisecond. */
const knownZones = new Map<string, readonly string[]>();

export function zonesOf(country: string): readonly string[] {
  const known = knownZones.get(country);
  if (known) return known;
  const zones = (new Intl.Locale(`und-${country}`) as LocaleWithZones).getTimeZones() ?? [];
  knownZones.set(country, zones);
  return zones;
}

/** Only if the country has one time zone. */
export function timeZoneOf(country: string): string | undefined {
  const [zone, ...others] = zonesOf(country);
  if (others.length > 0) return ONE_TIME_IN_SEVERAL_ZONES[country];
  return zone && (NAMES_TODAY[zone] ?? zone);
}
