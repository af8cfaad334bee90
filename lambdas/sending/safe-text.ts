/** Text of strangers in a message to people: without control characters, links and surprises. */

/**
 * Blanks, control characters and invisible ones. Joiners stay between characters that are not ASCII, where they belong to
 * an emoji or to a word: elsewhere they could hide the dot of a host name.
 */
const JOINER = '(?<=[^\\0-\\x7f])[\\u200c\\u200d](?=[^\\0-\\x7f])';
const INVISIBLE = new RegExp(`(?:(?!${JOINER})[\\s\\p{C}])+`, 'gu');
const LINE_END = /\r\n|[\n\r\u0085\u2028\u2029]/u;

/** One line, cut between characters. */
export function oneLine(text: string, longest: number): string {
  return cut(text.replace(INVISIBLE, ' ').trim(), longest);
}

/** The lines of a text, cut together at a number of characters. Of empty lines in a row, one stays. */
export function textLines(text: string, { longest, most }: { longest: number; most: number }): string[] {
  const lines: string[] = [];
  let left = longest;
  for (const part of text.trim().split(LINE_END)) {
    const line = oneLine(part, left);
    if (line === '' && (lines.at(-1) ?? '') === '') continue;
    if (lines.length === most || left <= 0) return [...lines, '…'];
    lines.push(line);
    left -= [...line].length;
  }
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function cut(text: string, longest: number): string {
  const characters = [...text];
  if (characters.length <= longest) return text;
  return `${characters
    .slice(0, longest)
    .join('')
    .replace(/[\s\u200c\u200d]+$/u, '')}…`;
}

const EMAIL_ADDRESS = /(?<![^\s<("'])[\w.%+'-]+@[\w-]+(?:\.[\w-]+)+(?![^\s>)"',;.!?])/u;
/** The colon of a scheme, dots of a host name, and what browsers take for such a dot. */
const LINK_PART = /:(?=\/\/)|(?<=[^\s.])\.(?=\p{L}{2})|(?<=[a-z\d-])[\u3002\uff0e\uff61](?=[a-z]{2})/u;
const LINK_PARTS = new RegExp(`${EMAIL_ADDRESS.source}|${LINK_PART.source}`, 'giu');

/**
 * Slack and mail programs make links of bare URLs and host names. As `https[:]//example[.]com` they stay text. Email
 * addresses stay as they are: people reply to them.
 */
export function notClickable(line: string): string {
  return line.replace(LINK_PARTS, (part) => (part.includes('@') ? part : `[${part}]`));
}

/** A scheme, `www.`, or a host name with a path. */
const URLS = /\S*(?:[a-z][a-z\d+.-]*:\/\/|\bwww\.|\.\p{L}{2,}\/)\S*/giu;

/** For a subject: URLs are left out, and a bare host name stays text. */
export function withoutUrls(text: string): string {
  return notClickable(text.replace(URLS, ' ').replace(/ {2,}/g, ' ').trim());
}
