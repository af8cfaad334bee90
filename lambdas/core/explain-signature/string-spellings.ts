import type { MistakeName } from './mistakes.ts';

/** How libraries spell the strings of JSON. */
export interface Spelling {
  readonly spell: (token: string) => string;
  /** What to call the difference, by what the sent text has in it. */
  readonly signs: readonly (readonly [pattern: RegExp, name: MistakeName])[];
}

const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const escapeUnitUpper = (unit: string) =>
  `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Without a backslash a token already is what every library would write, short of its own escapes. */
const plain = (token: string) => (token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token);
const ascii = (token: string) => plain(token).replace(/[\u007f-\uffff]/g, escapeUnit);
const withSlashes = (spelt: string) => spelt.replaceAll('/', '\\/');

/** System.Text.Json: every double quote inside a string, and what could end an HTML attribute. */
const dotnet = (token: string) => {
  const inside = plain(token).slice(1, -1).replaceAll('\\"', '\\u0022');
  return `"${inside.replace(/[&'+<>`\u007f-\uffff]/g, escapeUnitUpper)}"`;
};

const NON_ASCII = [/[\u0080-\uffff]/, 'body_non_ascii_escaped'] as const;
const SLASH = [/(?<!\\)\//, 'body_slashes_escaped'] as const;

export const SPELLINGS = {
  asSent: { spell: (token: string) => token, signs: [] },
  /** JavaScript, Jackson, Ruby. */
  plain: { spell: plain, signs: [] },
  /** Python's default. */
  ascii: { spell: ascii, signs: [NON_ASCII] },
  /** PHP's default. */
  php: { spell: (token: string) => withSlashes(ascii(token)), signs: [NON_ASCII, SLASH] },
  /** PHP with JSON_UNESCAPED_UNICODE. */
  slashes: { spell: (token: string) => withSlashes(plain(token)), signs: [SLASH] },
  /** Go's default. */
  html: {
    spell: (token: string) => plain(token).replace(/[<>&\u2028\u2029]/g, escapeUnit),
    signs: [[/[<>&\u2028\u2029]/, 'body_html_escaped']],
  },
  dotnet: { spell: dotnet, signs: [NON_ASCII, [/[<>&'+`]|\\"/, 'body_html_escaped']] },
} as const satisfies Record<string, Spelling>;
