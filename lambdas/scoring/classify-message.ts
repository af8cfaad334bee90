import { hasKeyboardRun, isGibberish, isOneCharacter } from './classify-name.ts';
import { foldText } from './lead-text.ts';
import { type LexiconName, readList } from './lists.ts';
import { Phrases } from './lookups.ts';
import { isStopWord } from './word-lists.ts';

export interface MessageClass {
  /** Evidence of an unsolicited offer, minus evidence of a request. */
  readonly offer: number;
  /** How many phrases of offers it has. */
  readonly phrases: number;
  readonly links: readonly string[];
  readonly shortened: boolean;
  /** Hardly a word besides its links. */
  readonly mostlyLink: boolean;
  readonly markup: boolean;
  readonly wallet: boolean;
  /** How clearly it says that it is a test; 3 is certain. */
  readonly test: number;
  readonly gibberish: boolean;
  /** Many words, none of them in a known language. */
  readonly noLanguage: boolean;
  readonly mixedScripts: number;
}

const lexicons = new Phrases<LexiconName>(() => readList('lexicons').toString());

/** The most that the words of a request can take off an offer. */
const MAX_REQUEST = 4;

const LINK = /(?:https?:\/\/|www\.)[^\s"'<>)\]]{3,100}/gi;
const BARE_LINK =
  /(?<![@a-z\d.\u00c0-\uffdc-])[a-z\d-]{2,63}\.(?:com|net|org|ru|info|site|online|shop|xyz|top|club|biz|store|io|app|live|vip|cc|me|ly|pro)(?:\/[^\s]{0,100})?(?![a-z\d@-])/g;
const SHORTENERS =
  /\b(?:bit\.ly|tinyurl\.com|t\.me|cutt\.ly|reurl\.cc|goo\.gl|wa\.me|is\.gd|t\.co|rb\.gy|shorturl\.at|clck\.ru|linktr\.ee|ow\.ly|s\.id|lnkd\.in|rebrand\.ly|shorte\.st|adf\.ly|v\.gd|tiny\.cc|vk\.cc|qr\.ae|soo\.gd|u\.to|han\.gl|me2\.do|lihi\d?\.cc|bitly\.com|chat\.whatsapp\.com|line\.me|discord\.gg)\b/i;
/** A price as a seller writes it: `from $28`, `ab 99 €`, `$15/hour`. */
const SELLERS_PRICE =
  /(?<![a-z\u00c0-\uffdc])(?:from|starting at|starting from|only|just|ab|nur|desde|solo|sólo|apenas|a partir de|à partir de|dès|da|a soli|vanaf|slechts|od|jen|pouze|tylko|już od|от|всего|від|лише|sadece|από|μόνο|från|endast|fra|kun|mulai|mulai dari|hanya|chỉ|chỉ từ|từ|เพียง|仅|只要|僅)[ :]{0,2}(?:(?:[€$£₹¥₺฿]|usd|eur|rp|r\$|rs\.?|inr|us\$) ?\d|\d[\d., ]{0,9} ?(?:[€$£₹¥₺฿]|usd|eur\b|euro|dollar|dólar|руб|р\.|грн|tl\b|zł|kč|kr\b|juta|triệu|บาท|元|mxn))|[€$£₹] ?\d[\d.,]{0,8} ?(?:\/|per |a |each)|\d ?[€$] ?\/ ?(?:h|mo)|月额|每月\d|월 \d{1,4}만/;
/** No price without one of these: most messages skip the slow pattern. */
const MAY_BE_PRICE = /[\d月]/;
const MARKUP = /<a\s|href\s?=|\[url[=\]]|\[link[=\]]/i;
const WALLET = /\bbc1[a-z\d]{25,60}\b|\b0x[a-f\d]{40}\b|\bT[A-HJ-NP-Za-km-z1-9]{33}\b/;
const MOJIBAKE = /锟斤拷|烫烫|屯屯|�{2}|Ã[©¨¼¶¤]/;

export function classifyMessage(text: string): MessageClass {
  const folded = foldText(text);
  const said = sumWeights(folded);
  const links = linksIn(text);
  return {
    offer: offerIn(text, folded, said),
    phrases: said.phrases,
    links,
    mostlyLink: links.length > 0 && isMostlyLink(text),
    shortened: text.includes('.') && SHORTENERS.test(text),
    markup: MARKUP.test(text),
    wallet: WALLET.test(text),
    test: testIn(folded, said),
    gibberish: isGibberishText(text),
    noLanguage: said.offer + said.request === 0 && hasNoKnownWords(folded),
    mixedScripts: mixedScriptsIn(text),
  };
}

/** The sums of the lexicons. Of a test, mentions (1) and what needs one more hint (2) are apart; hints do not add up. */
function sumWeights(folded: string) {
  const sums = { offer: 0, request: 0, test: 0, testMention: 0, noTest: 0, testSurroundings: 0 };
  let [phrases, hint] = [0, 0];
  for (const { kind, weight } of lexicons.findIn(folded)) {
    if (kind === 'offer') phrases += 1;
    if (kind === 'test' && weight === 2) hint = weight;
    else sums[kind === 'test' && weight === 1 ? 'testMention' : kind] += weight;
  }
  return { ...sums, test: sums.test + hint, phrases };
}

type Said = ReturnType<typeof sumWeights>;

function offerIn(text: string, folded: string, said: Said): number {
  const price = MAY_BE_PRICE.test(text) && SELLERS_PRICE.test(text.toLowerCase()) ? 2 : 0;
  const told = said.offer + price;
  const asked = Math.min(MAX_REQUEST, said.request + questionsIn(text));
  // Somebody who writes at length about what they do, and asks for nothing, wants to sell it.
  const asksNothing = asked < 0.75 && told >= 1 && isLong(folded);
  return told - asked + (asksNothing ? 1 : 0);
}

const isLong = (folded: string) => folded.length >= (/[\u0e00-\uffdc]/.test(folded) ? 40 : 80);

const questionsIn = (text: string) => (/[?？؟;]\s{0,3}$/.test(text) ? 0.5 : 0);

/** Hosts of the links, at most ten. */
export function linksIn(text: string): string[] {
  const whole = text.match(LINK)?.slice(0, 10) ?? [];
  const bare = /\.[a-z]/i.test(text) ? (text.toLowerCase().match(BARE_LINK)?.slice(0, 10) ?? []) : [];
  const hosts = [...whole, ...bare].map(
    (link) =>
      link
        .toLowerCase()
        .replace(/^https?:\/\//, '')
        .replace(/^www\./, '')
        .split(/[/?#:]/, 1)[0] as string,
  );
  return [...new Set(hosts)].slice(0, 10);
}

const FEW_WORDS = 4;

function isMostlyLink(text: string): boolean {
  const rest = text.replace(LINK, ' ').toLowerCase().replace(BARE_LINK, ' ');
  return foldText(rest).trim().split(' ').length <= FEW_WORDS;
}

/** A test that is only mentioned counts in a message of a few words, or beside a form, a webhook, a plea to delete. */
function testIn(folded: string, { test, testMention, testSurroundings, noTest }: Said): number {
  if (test + testMention === 0) return 0;
  const short = folded.length <= 40 && folded.trim().split(' ').length <= 4;
  const mentioned = testMention === 0 ? 0 : (short ? 3 : testSurroundings > 0 ? 2 : 0) + (test > 0 ? 1 : 0);
  return test + mentioned - noTest;
}

/** Words of which most are gibberish. */
function isGibberishText(text: string): boolean {
  if (MOJIBAKE.test(text) || isOneCharacter(text)) return true;
  const words = text.split(/[\s,.;:!?()]{1,5}/).filter((word) => word !== '');
  if (words.length === 0) return false;
  const looked = words.slice(0, 12);
  const odd = looked.filter((word) => isGibberish(word) || hasKeyboardRun(word)).length;
  if (looked.length <= 3 ? odd * 2 > looked.length : odd * 3 >= looked.length && odd >= 2) return true;
  const mixtures = looked.filter(
    (word) => /^[a-z\d]{2,8}$/.test(word) && /\d/.test(word) && /[a-z]/.test(word),
  );
  return looked.length >= 2 && looked.length <= 6 && mixtures.length === looked.length;
}

function hasNoKnownWords(folded: string): boolean {
  if (!isLatin(folded)) return false;
  const words = folded.trim().split(' ').slice(0, 60);
  return words.filter((word) => /^[a-z']{2,40}$/.test(word)).length >= 8 && !words.some(isStopWord);
}

/** Whether more than half of what is no blank is a letter from a to z. */
function isLatin(folded: string): boolean {
  let [latin, all] = [0, 0];
  for (let at = 0; at < folded.length; at += 1) {
    const unit = folded.charCodeAt(at);
    if (unit !== 0x20) all += 1;
    if (unit >= 0x61 && unit <= 0x7a) latin += 1;
  }
  return latin * 2 > all;
}

const CYRILLIC_OR_GREEK = /[\u0400-\u04ff\u0370-\u03ff]/;

/** Words with Latin and Cyrillic or Greek letters side by side: letters chosen for their looks, to hide from filters. */
export function mixedScriptsIn(text: string): number {
  if (!CYRILLIC_OR_GREEK.test(text)) return 0;
  let mixed = 0;
  for (const word of text.slice(0, 2_000).split(/[^a-z\u00c0-\uffdc]{1,20}/i)) {
    if (/[a-z]/i.test(word) && CYRILLIC_OR_GREEK.test(word)) mixed += 1;
  }
  return mixed;
}
