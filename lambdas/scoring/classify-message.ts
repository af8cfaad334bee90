import { hasKeyboardRun, isGibberish, isOneCharacter } from './classify-name.ts';
import { foldText } from './lead-text.ts';
import { isMostlyLink, isShortened, linksIn, markupIn } from './links.ts';
import { type LexiconName, readList } from './lists.ts';
import { Phrases } from './lookups.ts';
import { isStopWord } from './word-lists.ts';

export interface MessageClass {
  /** Names a price as sellers do. */
  readonly sellersPrice: boolean;
  readonly links: readonly string[];
  readonly shortened: boolean;
  /** Hardly a word besides its links. */
  readonly mostlyLink: boolean;
  readonly markup: 'html' | 'forum' | undefined;
  readonly wallet: boolean;
  /** How clearly it says that it is a test; 3 is certain. */
  readonly test: number;
  readonly gibberish: boolean;
  /** Many words, none of them in a known language. */
  readonly noLanguage: boolean;
  /** Asks for the price in a line, and not of what. */
  readonly priceProbe: boolean;
}

const lexicons = new Phrases<LexiconName>(() => readList('lexicons').toString());

/** A price as a seller writes it: `from $28`, `ab 99 €`, `$15/hour`. */
const SELLERS_PRICE =
  /(?<![a-z\u00c0-\uffdc])(?:from|starting at|starting from|only|just|ab|nur|desde|solo|sólo|apenas|a partir de|à partir de|dès|da|a soli|vanaf|slechts|od|jen|pouze|tylko|już od|от|всего|від|лише|sadece|από|μόνο|från|endast|fra|kun|mulai|mulai dari|hanya|chỉ|chỉ từ|từ|เพียง|仅|只要|僅)[ :]{0,2}(?:(?:[€$£₹¥₺฿]|usd|eur|rp|r\$|rs\.?|inr|us\$) ?\d|\d[\d., ]{0,9} ?(?:[€$£₹¥₺฿]|usd|eur\b|euro|dollar|dólar|руб|р\.|грн|tl\b|zł|kč|kr\b|juta|triệu|บาท|元|mxn))|[€$£₹] ?\d[\d.,]{0,8} ?(?:\/|per |a |each)|\d ?[€$] ?\/ ?(?:h|mo)|月额|每月\d|월 \d{1,4}만/;
/** No price without one of these: most messages skip the slow pattern. */
const MAY_BE_PRICE = /[\d月]/;
const WALLET = /\bbc1[a-z\d]{25,60}\b|\b0x[a-f\d]{40}\b|\bT[A-HJ-NP-Za-km-z1-9]{33}\b/;
const MOJIBAKE = /锟斤拷|烫烫|屯屯|�{2}|Ã[©¨¼¶¤]/;

export function classifyMessage(text: string): MessageClass {
  const folded = foldText(text);
  const said = sumWeights(folded);
  const links = linksIn(text);
  return {
    sellersPrice: MAY_BE_PRICE.test(text) && SELLERS_PRICE.test(text.toLowerCase()),
    links,
    mostlyLink: links.length > 0 && isMostlyLink(text),
    shortened: isShortened(text),
    markup: markupIn(text),
    wallet: WALLET.test(text),
    test: testIn(folded, said),
    gibberish: isGibberishText(text),
    noLanguage: hasNoKnownWords(folded),
    priceProbe: isPriceProbe(text, folded),
  };
}

/** The sums of the lexicons. Of a test, mentions (1) and what needs one more hint (2) are apart; hints do not add up. */
function sumWeights(folded: string) {
  const sums = { test: 0, testMention: 0, noTest: 0, testSurroundings: 0 };
  let hint = 0;
  for (const { kind, weight } of lexicons.findIn(folded)) {
    if (kind === 'test' && weight === 2) hint = weight;
    else sums[kind === 'test' && weight === 1 ? 'testMention' : kind] += weight;
  }
  return { ...sums, test: sums.test + hint };
}

type Said = ReturnType<typeof sumWeights>;

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

const FEW_WORDS = 11;
/** In languages of many customers, only the bare question. */
const BARE_PRICE =
  / (?:know|ask|learn|about) (?:about )?(?:your|the) (?:price|prices|rates?|pricing|cost) | (?:saber|conocer|sobre) (?:cual (?:es|era|seria) )?(?:tu|su|sus|vuestros?|el|seu|vosso|o|o seu|o vosso|os vossos) (?:precios?|precos?) | (?:savoir|connaitre|avoir) (?:quel (?:est|etait) )?(?:ton|votre|vos|tes|le) (?:prix|tarifs?) | (?:ihren?|deinen?|eure|euren|den) preise?n? (?:wissen|erfahren|kennen) | (?:sapere|conoscere) (?:il |i )?(?:tuo |tuoi |vostro |vostri |suo )?prezz[io] | (?:jouw|uw|jullie|de) prij(?:s|zen) (?:weten|horen)| (?:узнать|знать|уточнить) (?:вашу |ваши |твою |какая у вас )?цен[ауы] | (?:poznac|znac) (?:wasza |panstwa |twoja )?cene /;
/** A word for the price in languages of few. */
const PRICE_WORD =
  / (?:intengo|amanani|inani|malini|amaxabiso|maksab?|kainuoja|kainuotu|zenbat|gharama|kostet|brisiau|phris|praghsanna|phraghsanna|prezos|ixabiso|cenu|cenam|kaina|kainas|kainos|prisiau|bris|pris|prezio\w{0,6}|prezo|verð\w{0,4}|verðið|praghas|phraghas|phraghasanna|prezz\w{0,4}|bei|farashi\w{0,2}|owo|ahia|tau|utu|kumuku\w{0,4}|vidin\w{0,5}|rega\w{0,3}|hargi|hargana|presyo|halaga|pri|prezzu|priis|priizen|prais\w{0,2}|pretium|cen[aeo]|ceny|cijen\w{0,3}|cmim\w{0,4}|hind\w{0,3}|hinta\w{0,4}|hinna\w{0,4}|ara(?:t|k|kat)?|arai\w{0,5}|pret|pretul\w{0,3}|preturi\w{0,2}|qiymet\w{0,6}|narx\w{0,6}|nirx\w{0,3}|biha\w{0,3}|qiim\w{0,4}|mtengo|mutengo|mitengo|theko|nqi|preu|preus|prys|pryse) |цен[аиуе]|цената|баға|баа(?:ңыз|сы)|нарх|үнэ|ціну|τιμ|ფას|գին|գներ|ዋጋ|मूल्य|मोल|দাম|விலை|ధర|ભાવ|કિંમત|ਕੀਮਤ|මිල|តម្លៃ|ລາຄາ|ဈေး|စျေး|بیه|قیمت|ریٹ|نرخ|מחיר|დაჯდ|արժ|भाउ|दाम/;

/** Programs ask so in a hundred languages. Customers say what they want to buy, or how much of it. */
function isPriceProbe(text: string, folded: string): boolean {
  if (text.length > 120 || /\d/.test(text) || folded.trim().split(' ').length > FEW_WORDS) return false;
  return BARE_PRICE.test(folded) || PRICE_WORD.test(folded);
}
