import { tidyText } from './enrichment-item.ts';

export interface PersonName {
  readonly firstName?: string;
  readonly lastName?: string;
}

const MAX_NAME_LENGTH = 120;
const TITLES =
  /^(?:(?:mr|mrs|ms|miss|mx|dr|prof|herr|frau|sir|dame|ing|dipl|mag|m|mme|sr|sra|dott|ir)\.? )+/i;
const DEGREES = /,? (?:jr|sr|ii|iii|iv|ph\.?d|md|m\.d|mba|msc|bsc|esq|llm|cpa)\.?$/i;

/** Small words that open a family name: van Gogh, de la Cruz, bin Rashid. */
const PARTICLES = new Set(
  "van von vom zu zum zur de del della der den di da das do dos du des la le el al bin binti ibn ten ter af av mac st. 't".split(
    ' ',
  ),
);

/** Where family names come first at home and people write them either way round on forms. */
const EITHER_ORDER = new Set(['HU', 'JP', 'CN', 'TW', 'HK', 'KR', 'KP', 'VN', 'KH', 'SG', 'MO']);

const EAST_ASIAN = /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー々]+$/u;
const KATAKANA_FOREIGN = /^[\p{Script=Katakana}ー]+(?:[・=＝][\p{Script=Katakana}ー]+)+$/u;

/** Splits only if the order is stated or certain; a wrong "Dear …" is worse than none. */
export function splitName(text: string, country?: string): PersonName {
  const name = tidyText(text, MAX_NAME_LENGTH);
  if (!name || /[\d@/\\<>{}[\]|]|:\/\//.test(name)) return {};
  if (KATAKANA_FOREIGN.test(name)) return writtenGivenFirst(name.split(/[・=＝]/));
  const bare = name.replace(TITLES, '').replace(DEGREES, '');
  const [family, given, ...rest] = bare.split(/\s*[,、]\s*/);
  if (family && given) return rest.length === 0 ? { firstName: given, lastName: family } : {};
  // An emoji is no name.
  const words = bare.split(' ').filter((word) => /\p{L}/u.test(word));
  if (words.some((word) => EAST_ASIAN.test(word))) return eastAsian(words);
  return country && EITHER_ORDER.has(country) ? {} : writtenGivenFirst(words);
}

/** In these scripts the family name comes first. Without a space, nothing shows where it ends. */
function eastAsian(words: readonly string[]): PersonName {
  const [family, given] = words;
  return words.length === 2 && words.every((word) => EAST_ASIAN.test(word)) && family && given
    ? { firstName: given, lastName: family }
    : {};
}

/**
 * Of three names or more the middle one may belong to either side (Mary Jane Watson, Gabriel García Márquez), unless it
 * is an initial or a particle: then only the first is certain.
 */
function writtenGivenFirst(words: readonly string[]): PersonName {
  const [first, ...others] = words.filter((word, at) => !(at > 0 && /^\p{Lu}\.?$/u.test(word)));
  const last = others.at(-1);
  if (!first || !last || words.length > 6) return {};
  const particle = others.findIndex((word) => PARTICLES.has(word.toLowerCase()));
  if (particle === 0 || (others.length === 1 && particle === -1)) {
    return { firstName: first, lastName: others.join(' ') };
  }
  if (particle > 0 && particle < others.length - 1) {
    return {
      firstName: [first, ...others.slice(0, particle)].join(' '),
      lastName: others.slice(particle).join(' '),
    };
  }
  return { firstName: first };
}
