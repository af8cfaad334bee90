/** Countries that have several zones on the map and keep one time in all of them; a test holds this to be so. */
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

export function zonesOf(country: string): readonly string[] {
  return (new Intl.Locale(`und-${country}`) as LocaleWithZones).getTimeZones() ?? [];
}

/** Only where a country leaves no choice. */
export function timeZoneOf(country: string): string | undefined {
  const [zone, ...others] = zonesOf(country);
  if (others.length > 0) return ONE_TIME_IN_SEVERAL_ZONES[country];
  return zone && (NAMES_TODAY[zone] ?? zone);
}
