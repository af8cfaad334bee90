import { foldText } from './lead-text.ts';

const LINK = /(?:h(?:tt|xx)ps?:\/\/|www\.)[^\s"'<>)\]]{3,250}/gi;
/** Endings that are no words: `thanks.it was great` is no link. */
const BARE_LINK =
  /(?<![@a-z\d.\u00c0-\uffdc-])(?:[a-z\d-]{1,63}\.){1,4}(?:com|net|org|ru|info|site|online|shop|xyz|top|club|biz|store|io|app|live|vip|cc|me|ly|pro|de|fr|nl|pl|eu|ua|su|uk|br|cn|ai|dev|space|website|tech|fun|click|icu|agency|blog|page|link|bet|casino|loan|win|ws|tv|gg|gl|gd|gy)(?:[/?][^\s]{0,250})?(?![a-z\d@-])/gi;
const SHORTENERS =
  /\b(?:bit\.ly|tinyurl\.com|t\.me|cutt\.ly|reurl\.cc|goo\.gl|wa\.me|is\.gd|t\.co|rb\.gy|shorturl\.at|clck\.ru|linktr\.ee|ow\.ly|s\.id|lnkd\.in|rebrand\.ly|shorte\.st|adf\.ly|v\.gd|tiny\.cc|vk\.cc|qr\.ae|soo\.gd|u\.to|han\.gl|me2\.do|lihi\d?\.cc|bitly\.com|chat\.whatsapp\.com|line\.me|discord\.gg)\b/i;
/** Where people show what they do, and what programs for mail write below a message. */
const NO_OFFER =
  /(?:^|\.)(?:linkedin\.com|github\.com|behance\.net|dribbble\.com|facebook\.com|instagram\.com|aka\.ms|onelink\.me|proton\.me|protonmail\.com|apple\.com|avast\.com)$/;
/** Pages and files of these are of everybody: none is the site of a company that uses them. */
export const SERVICES =
  /(?:^|\.)(?:(?:cal(?:endly)?|typeform|zapier|stripe|google(?:apis)?|gravatar|amazonaws|youtube|linkedin|facebook|instagram|github|x)\.com|tally\.so|zoom\.us|bit\.ly)$/;
const MARKUP = /<a\s|href\s?=/i;
const FORUM_MARKUP = /\[url[=\]]|\[link[=\]]/i;

/** Hosts of the links, at most ten. */
export function linksIn(text: string): string[] {
  const whole = mayHaveLink(text) ? (text.match(LINK)?.slice(0, 10) ?? []) : [];
  const bare = mayHaveBare(text) ? (text.match(BARE_LINK)?.slice(0, 10) ?? []) : [];
  return [...new Set([...whole, ...bare].map(hostOf))].filter((host) => !NO_OFFER.test(host)).slice(0, 10);
}

export const hostOf = (link: string): string =>
  link
    .toLowerCase()
    .replace(/^(?:h(?:tt|xx)ps?:\/\/)?(?:www\.)?/, '')
    .split(/[/?#:\s]/, 1)[0] as string;

const mayHaveBare = (text: string) => /\.[a-z]/i.test(text);
const mayHaveLink = (text: string) => text.includes('://') || /www\./i.test(text);

export const isShortened = (text: string): boolean => text.includes('.') && SHORTENERS.test(text);
/** In HTML, or as forums have it. */
export function markupIn(text: string): 'html' | 'forum' | undefined {
  if (FORUM_MARKUP.test(text)) return 'forum';
  return MARKUP.test(text) ? 'html' : undefined;
}

const TAG = /<\/?[a-z][^>]{0,250}>|\[\/?(?:url|link|img|b|i|color|size)\b[^\]]{0,250}\]/gi;
const ADDRESS = /[^\s@<>"'():;,]{1,64}@[a-z\d\u00c0-\uffdc.-]{1,253}/gi;

/** What the words of a text are judged by: without markup, links and addresses, which are signals of their own. */
export function withoutLinks(text: string): string {
  let rest = text;
  if (/[<[]/.test(rest)) rest = rest.replace(TAG, ' ');
  if (rest.includes('@')) rest = rest.replace(ADDRESS, ' ');
  if (mayHaveLink(rest)) rest = rest.replace(LINK, ' ');
  if (mayHaveBare(rest)) rest = rest.replace(BARE_LINK, ' ');
  return rest.includes('www') ? rest.replace(/\bwww\b/gi, ' ') : rest;
}

const FEW_WORDS = 4;

export function isMostlyLink(text: string): boolean {
  return foldText(withoutLinks(text)).trim().split(' ').length <= FEW_WORDS;
}
