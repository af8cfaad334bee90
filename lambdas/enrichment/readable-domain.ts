import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * A domain as people write it: `münchen.de`, not `xn--mnchen-3ya.de`. One that looks like another stays in ASCII: a label
 * of several scripts, of letters that no language uses, or of Cyrillic or Greek letters that all look Latin.
 */
export function readableDomain(ascii: string): string {
  if (!ascii.includes('xn--')) return ascii;
  const readable = domainToUnicode(ascii);
  if (domainToASCII(readable) !== ascii) return ascii;
  const top = ascii.slice(ascii.lastIndexOf('.') + 1);
  const isHonest = readable.split('.').every((label) => isOfOneScript(label) && !looksLatin(label, top));
  return isHonest ? readable : ascii;
}

/** The same for a website that `readWebsite` returned. */
export function readableWebsite(ascii: string): string {
  const [, before = '', host = '', path = ''] = /^(https?:\/\/)([^/]*)(.*)$/s.exec(ascii) ?? [];
  return before + readableDomain(host) + path;
}

/** Without dotless ı, kra and the like, which pass for other letters. */
const LATIN =
  /^[a-z\d\u00df-\u00f6\u00f8-\u0130\u0132-\u0137\u0139-\u0148\u014a-\u017e\u01a1\u01b0\u0219\u021b\u0259\u1ea0-\u1ef9-]+$/;

const SCRIPTS = [
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Telugu',
  'Thai',
  'Hangul',
  'Georgian',
  'Armenian',
];

let others: readonly RegExp[] | undefined;

function isOfOneScript(label: string): boolean {
  others ??= [
    ...SCRIPTS.map((script) => new RegExp(`^[\\p{Script=${script}}\\d-]+$`, 'u')),
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\d-]+$/u,
  ];
  return LATIN.test(label) || others.some((script) => script.test(label));
}

const LATIN_IN_CYRILLIC = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵѡ\d-]+$/;
const LATIN_IN_GREEK = /^[αβγεηικνορτυχω\d-]+$/;

/** Endings of countries whose language is written like this. */
const CYRILLIC_ENDINGS = /^(?:bg|by|kz|mk|mn|rs|ru|su|ua|uz|xn--.+)$/;
const GREEK_ENDINGS = /^(?:gr|cy|xn--.+)$/;

function looksLatin(label: string, top: string): boolean {
  if (/^[\d-]+$/.test(label)) return false;
  return (
    (LATIN_IN_CYRILLIC.test(label) && !CYRILLIC_ENDINGS.test(top)) ||
    (LATIN_IN_GREEK.test(label) && !GREEK_ENDINGS.test(top))
  );
}
