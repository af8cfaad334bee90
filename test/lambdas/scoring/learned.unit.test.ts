import { describe, expect, test } from '@jest/globals';
import type { Learned } from '#model/learned.ts';
import { applyLearned, learnableWords, MAX_LEARNED } from '#scoring/learned.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { NEVER_CLEAN_UP_TO } from '#scoring/weights.ts';

const learned: Learned = {
  words: {
    pergola: 5,
    quote: 3,
    terrace: 2,
    garden: 1,
    awning: -4,
    ranking: -8,
    backlinks: -8,
    agency: -7,
    links: -6,
  },
  signals: { phone_valid: 3, own_link: -2 },
  forms: {
    form_two: { words: { pergola: -6, awning: 0 }, signals: { own_link: 4 } },
    constructor: { words: { pergola: 1 }, signals: {} },
  },
};

describe('what was learned', () => {
  const apply = (message: string, signals: string[] = [], formId = 'form_one') =>
    applyLearned(learned, formId, message, signals);

  test.each([
    ['adds up, words and signals', 'A pergola', ['phone_valid'], 'form_one', 8, ['pergola']],
    ['counts a word once', 'pergola Pérgola PERGOLA', [], 'form_one', 5, ['pergola']],
    [
      'shows three words, the strongest first',
      'garden terrace quote pergola',
      [],
      'form_one',
      11,
      ['pergola', 'quote', 'terrace'],
    ],
    ['shows only words that say the same', 'awning and quote', [], 'form_one', -1, ['awning']],
    ['shows no signals', 'Hello', ['own_link'], 'form_one', -2, []],
    [
      'is at most 25 points',
      'ranking backlinks agency links',
      [],
      'form_one',
      -MAX_LEARNED,
      ['backlinks', 'ranking', 'agency'],
    ],
    [
      'is replaced by what the form has learned',
      'pergola awning quote',
      ['own_link'],
      'form_two',
      1,
      ['quote'],
    ],
    ['is nothing for other words', 'constructor toString valueOf', ['toString'], 'form_one', 0, []],
    ['is the workspace’s for a form of an odd name', 'pergola', [], 'toString', 5, ['pergola']],
  ])('%s', (_, message, signals, formId, points, words) => {
    expect(apply(message, signals, formId)).toEqual({ points, words });
  });

  test('is nothing if nothing was learned', () => {
    expect(applyLearned(undefined, 'form_one', 'pergola', [])).toEqual({ points: 0, words: [] });
    const lead = { email: 'ada@analytical-engines.co.uk', message: 'Do you repair looms?' };
    expect(scoreLead(lead, [], { learned, formId: 'form_one' })).toEqual(scoreLead(lead));
  });
});

describe('a lead', () => {
  const SPAM = {
    name: 'Ada Byron',
    email: 'ada@analytical-engines.co.uk',
    message: 'We offer a pergola with a quote for your terrace and garden',
  };
  const strong: Learned = {
    words: Object.fromEntries(['pergola', 'quote', 'terrace', 'garden'].map((word) => [word, 8])),
    signals: {},
    forms: {},
  };

  test('scores higher by as many points', () => {
    const after = scoreLead(SPAM, [], { learned: strong });
    const sum = scoreLead(SPAM).signals.reduce((total, { weight }) => total + weight, MAX_LEARNED);
    expect(after.score).toBe(Math.round(100 / (1 + Math.exp(-sum / 10))));
    expect(after.score).toBeGreaterThan(scoreLead(SPAM).score);
    expect(after.signals.at(-1)).toEqual({
      name: 'learned',
      weight: MAX_LEARNED,
      words: ['garden', 'pergola', 'quote'],
    });
  });

  test('with a veto is never clean, whatever was learned', () => {
    const vetoed = { ...SPAM, _gotcha: 'x' };
    const { clean, score, signals } = scoreLead(vetoed, [], { learned: strong });
    expect([clean, score <= NEVER_CLEAN_UP_TO]).toEqual([false, true]);
    expect(signals).toContainEqual(expect.objectContaining({ name: 'learned', weight: MAX_LEARNED }));
  });
});

test.each([
  ['Do you build a Pérgola?', ['you', 'build', 'pergola']],
  ["Smith's house, l'été", ['smith', 'house', 'ete']],
  ['Write to ada@engines.co.uk or Ada ＠ home', ['write', 'ada', 'home']],
  ['See https://engines.co.uk/pergola?a=b now', ['see', 'now']],
  ['See www.engines.co.uk, engines.com/pergola and engines.com.', ['see', 'and']],
  ['Order 4711, A4 paper, room12, ٤٧١١ ५', ['order', 'paper']],
  ['$500 50% c++ #tag', []],
  ['Donaudampfschifffahrtsgesellschaft', []],
  ['見積もり', ['見積', '見積も', '積も', '積もり', 'もり']],
  ['詳細はhttps://例え.jp/見積で。見積', ['見積']],
  ['ถาม', ['ถา', 'ถาม', 'าม']],
  ['web制作', []],
  ['Сколько стоит?', ['сколько', 'стоит']],
  ['', []],
])('the words of %j that may be learned are %j', (message, words) => {
  expect([...learnableWords(message)]).toEqual(words);
});
