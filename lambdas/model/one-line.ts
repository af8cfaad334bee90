/** The scripts whose spelling needs joiners: without one, a Persian or Indian word reads wrong. */
const JOINING = [
  'Arabic Syriac Mongolian Nko Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala',
  'Khmer Myanmar',
]
  .join(' ')
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/** Invisible characters that belong to what is seen: in emoji, in words of those scripts and in flags such as Scotland's. */
const BELONGING = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  `(?<=[${JOINING}])[\\u200c\\u200d]`,
  String.raw`(?<=\u{1f3f4})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,8}\u{e007f}`,
].join('|');

const INVISIBLE = new RegExp(String.raw`(${BELONGING})|\p{Cf}`, 'gu');
const BETWEEN = /[\s\p{Cc}\p{Cs}\p{Co}\p{Cn}]+/gu;

/**
 * Text of a visitor in one line: every run of blanks and control characters becomes one space. Invisible characters, such
 * as those that turn the direction of text, are removed unless what is seen needs them.
 */
export function oneLine(text: string): string {
  return text
    .replace(INVISIBLE, (_, belonging: string | undefined) => belonging ?? '')
    .replace(BETWEEN, ' ')
    .trim();
}
