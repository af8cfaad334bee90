import { describe, expect, test } from '@jest/globals';
import { readList } from '#scoring/lists.ts';
import { FEATURE_BITS, TextFeatures } from '#scoring/text-features.ts';
import { MAX_POINTS, packModel, TextModel, unpackModel } from '#scoring/text-model.ts';

const model = new TextModel(() => readList('textModel'));
const read = (message: string, domain = '') => model.read({ message, domain });

describe('the features of a text', () => {
  const features = (message: string, domain = '') => new TextFeatures({ message, domain });

  test('are hashes of so many bits', () => {
    for (const hash of features('Do you deliver to Leeds?', 'looms.co.uk').hashes) {
      expect(hash).toBeGreaterThanOrEqual(0);
      expect(hash).toBeLessThan(2 ** FEATURE_BITS);
    }
  });

  test('do not depend on accents, capitals and which number it is', () => {
    expect(features('évier 17').hashes).toEqual(features('evier 42').hashes);
    expect(features('order 4711').words).toEqual(features('Order 1234').words);
  });

  test('are of each word and of pairs of words', () => {
    const [one, two, both] = ['sink', 'tap', 'sink tap'].map((text) => features(text).words);
    expect(both?.[0]).toEqual(one?.[0]);
    // The second word also has the pair.
    expect(both?.[1]?.hashes).toHaveLength((two?.[0]?.hashes.length ?? 0) + 1);
  });

  test('of a script without blanks are characters in a row', () => {
    expect(features('見積お願い').words).toHaveLength(1);
    expect(features('見積お願い').words[0]?.hashes).toHaveLength(4 + 3);
  });

  test('grow with the text and no faster, up to a bound', () => {
    const count = (text: string) => features(text).words.reduce((sum, { hashes }) => sum + hashes.length, 0);
    for (const unit of ['we offer ', '我们提供', 'a ', 'x', 'на сайте ']) {
      const [half, whole] = [count(unit.repeat(400 / unit.length)), count(unit.repeat(800 / unit.length))];
      expect(whole).toBeLessThanOrEqual(2.1 * half + 10);
      expect(count(unit.repeat(100_000))).toBeLessThanOrEqual(count(unit.repeat(4_000)));
    }
  });
});

describe('the model', () => {
  test('is 8 to 32 KB', () => {
    const bytes = readList('textModel').length;
    expect(bytes).toBeGreaterThan(8_192);
    expect(bytes).toBeLessThan(32_768);
  });

  test('is read as it was packed, whatever the gaps', () => {
    const weights = new Map([
      [0, 10],
      [1, -5],
      [256, 2.5],
      [511, -10],
      [2 ** FEATURE_BITS - 1, 7.5],
    ]);
    const { weights: unpacked, unit } = unpackModel(packModel(weights));
    for (const [hash, weight] of weights) {
      expect(Math.abs((unpacked[hash] as number) * unit - weight)).toBeLessThan(0.51 * unit);
    }
    expect(unpacked.filter((weight) => weight !== 0)).toHaveLength(weights.size);
  });

  test('says how many points, and which words', () => {
    const offer = read('I noticed your website has some issues. We can redesign it at an affordable price.');
    expect(offer.points).toBeLessThan(-15);
    expect(offer.words.length).toBeGreaterThan(0);
    const request = read('My order has not arrived yet, can you tell me when it will be delivered?');
    expect(request.points).toBeGreaterThan(15);
    expect(
      'My order has not arrived yet, can you tell me when it will be delivered?'.toLowerCase(),
    ).toContain(request.words[0]);
  });

  test('is bounded, however clear the text is', () => {
    const loud = 'rank your website on google, buy backlinks, guaranteed traffic, cheap seo packages '.repeat(
      20,
    );
    for (const { points } of [read(loud), read(loud, 'seo-rank-boost.top')]) {
      expect(points).toBeGreaterThanOrEqual(-MAX_POINTS);
      expect(points).toBeLessThan(-0.6 * MAX_POINTS);
    }
  });

  test('says nothing about nothing', () => {
    expect(read('', 'looms.co.uk')).toEqual({ points: 0, words: [] });
    expect(read('…')).toEqual({ points: 0, words: [] });
  });

  test('shows no numbers and no addresses', () => {
    for (const text of ['mail me at jo@looms.com', 'call 0171 3920044 now', 'order 4711-A is broken']) {
      for (const word of read(text).words) expect(word).not.toMatch(/[@\d]/);
    }
  });
});
