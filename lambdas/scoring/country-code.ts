import { foldText } from './text.ts';

/** What people write instead of a country's name as ICU has it. */
const ALIASES: Readonly<Record<string, string>> = {
  uk: 'GB',
  'u k': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  'northern ireland': 'GB',
  usa: 'US',
  'u s a': 'US',
  'u s': 'US',
  america: 'US',
  'united states of america': 'US',
  'estados unidos de america': 'US',
  'ee uu': 'US',
  eeuu: 'US',
  eua: 'US',
  сша: 'US',
  holland: 'NL',
  'the netherlands': 'NL',
  uae: 'AE',
  emirates: 'AE',
  ksa: 'SA',
  korea: 'KR',
  'republic of korea': 'KR',
  'czech republic': 'CZ',
  turkey: 'TR',
  turkiye: 'TR',
  'republic of ireland': 'IE',
  eire: 'IE',
  рф: 'RU',
  'российская федерация': 'RU',
  'russian federation': 'RU',
  'viet nam': 'VN',
  中國: 'CN',
  中国大陆: 'CN',
  'hong kong': 'HK',
  'mainland china': 'CN',
  prc: 'CN',
  한국: 'KR',
  남한: 'KR',
  brd: 'DE',
  deu: 'DE',
  gbr: 'GB',
  fra: 'FR',
  esp: 'ES',
  ita: 'IT',
  ind: 'IN',
  aus: 'AU',
  can: 'CA',
};

const REGIONS = (
  'AD AE AF AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO ' +
  'CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FR GA GB GD GE GF GH GI GL GM GN GP GQ GR GT GW GY HK HN HR HT HU ' +
  'ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KM KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MO ' +
  'MQ MR MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NZ OM PA PE PF PG PH PK PL PR PS PT PY QA RE RO RS RU RW SA SC SD SE SG ' +
  'SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TW TZ UA UG US UY UZ VA VE VN XK YE ZA ZM ZW'
).split(' ');

const KNOWN = new Set(REGIONS);

/** Languages by script, so that a Greek name is not looked up in fifteen languages that cannot hold it. */
const LANGUAGES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /[a-z]/,
    [
      'en',
      'de',
      'fr',
      'es',
      'pt',
      'it',
      'nl',
      'pl',
      'sv',
      'tr',
      'cs',
      'id',
      'vi',
      'da',
      'nb',
      'fi',
      'ro',
      'hu',
    ],
  ],
  [/[\u0400-\u04ff]/, ['ru', 'uk', 'bg']],
  [/[\u3040-\u9fff]/, ['zh', 'zh-Hant', 'ja']],
  [/[\uac00-\ud7af]/, ['ko']],
  [/[\u0600-\u06ff]/, ['ar', 'fa']],
  [/[\u0590-\u05ff]/, ['he']],
  [/[\u0900-\u097f]/, ['hi']],
  [/[\u0e00-\u0e7f]/, ['th']],
  [/[\u0370-\u03ff]/, ['el']],
];

const names = new Map<string, Map<string, string>>();

/** The ISO code of a country, from a code or from its name in two dozen languages (Node's own ICU has them). */
export function countryCode(written: string): string | undefined {
  const text = written.trim();
  if (text.length < 2 || text.length > 60) return undefined;
  const code = text.toUpperCase();
  if (KNOWN.has(code)) return code;
  const folded = foldText(text).trim();
  const alias = Object.hasOwn(ALIASES, folded) ? ALIASES[folded] : undefined;
  if (alias) return alias;
  const languages = LANGUAGES.find(([script]) => script.test(folded))?.[1] ?? [];
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

const SOLD_TO_ALL = new Set('io co ai me tv cc ly to fm gg sh so ws am la is'.split(' '));
