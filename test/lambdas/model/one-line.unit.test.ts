import { expect, test } from '@jest/globals';
import { oneLine } from '#model/one-line.ts';

test.each([
  ['an emoji of two', '👩\u200d💻 Ada'],
  ['an emoji with a skin colour', '👩🏽\u200d🚀'],
  ['an emoji with a variation', '❤️\u200d🔥'],
  ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['a Persian name', 'علی\u200cرضا'],
  ['a Hindi word', 'क्\u200dष'],
  ['an old spelling in Malayalam', 'ന്\u200d'],
])('keeps %s', (_, text) => {
  expect(oneLine(` ${text}\n`)).toBe(text);
});

test.each([
  ['marks that turn the direction', 'Ada \u202egnp.exe\u202c \u2066x\u2069\u200f', 'Ada gnp.exe x'],
  ['joiners in Latin words', 'A\u200dd\u200ca', 'Ada'],
  ['repeated joiners', 'علی\u200c\u200c\u200cرضا 👩\u200d\u200d💻', 'علی\u200cرضا 👩💻'],
  ['tags without a flag', 'Ada\u{e0067}\u{e0062}\u{e007f}', 'Ada'],
  ['other invisible characters', '\ufeffMül\u00adler\u200b', 'Müller'],
  ['line breaks and controls', 'Ada\r\n\u0000\u2028 Byron\t', 'Ada Byron'],
  ['lone surrogates', 'Ada\ud800 Byron', 'Ada Byron'],
])('removes %s', (_, text, line) => {
  expect(oneLine(text)).toBe(line);
});
