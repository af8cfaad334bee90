import type { JsonText } from '../model/json-text.ts';
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

export interface Layout {
  readonly comma: string;
  readonly colon: string;
  /** One level's white space; without it everything is on one line. */
  readonly indent?: string;
}

export interface Writing {
  readonly layout: Layout;
  /** How a string token is spelt. */
  readonly spell: (token: string) => string;
  readonly sorted: boolean;
}

/**
 * Undefined if the text would be longer than `longest` characters: indenting nested JSON can make it a hundred times
 * longer. Stops as soon as the limit is reached.
 */
export function writeJsonText(value: JsonText, writing: Writing, longest: number): string | undefined {
  const { comma, colon, indent } = writing.layout;
  let text = '';

  function write(each: JsonText, outer: string): void {
    if (each.kind === 'scalar') {
      text += each.token.startsWith('"') ? writing.spell(each.token) : each.token;
      return;
    }
    const inner = outer + (indent ?? '');
    const newLine = indent === undefined ? '' : `\n${inner}`;
    const [open, close] = each.kind === 'array' ? '[]' : '{}';
    const members = each.kind === 'array' ? each.items : inOrder(each.entries, writing.sorted);
    text += open;
    for (const [at, member] of members.entries()) {
      text += at === 0 ? newLine : comma + newLine;
      if ('kind' in member) {
        write(member, inner);
      } else {
        text += writing.spell(member[0]) + colon;
        write(member[1], inner);
      }
      if (text.length > longest) return;
    }
    text += members.length === 0 || indent === undefined ? close : `\n${outer}${close}`;
  }

  write(value, '');
  return text.length > longest ? undefined : text;
}

function inOrder(entries: readonly (readonly [string, JsonText])[], sorted: boolean) {
  if (!sorted) return entries;
  const named = entries.map((entry) => ({ name: nameOf(entry[0]), entry }));
  return named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(({ entry }) => entry);
}

const nameOf = (token: string) => (token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1));
