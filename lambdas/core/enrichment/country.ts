import { countryCode } from '../score/country-code.ts';

/** Codes that Unicode names and ISO 3166 gives to no country. */
const NO_COUNTRY = new Set([
  ...['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'],
]);

/** ISO 3166 alpha-2, from a code or a name in one of many languages. */
export function readCountry(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) ? currentCode(code) : countryCode(text);
}

/** Unicode knows what became of a code: UK is GB. */
function currentCode(code: string): string | undefined {
  const region = new Intl.Locale(`und-${code}`).region;
  const named = region && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(region);
  return named && !NO_COUNTRY.has(region) ? region : undefined;
}
