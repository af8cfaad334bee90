import { describe, expect, test } from '@jest/globals';
import { learnFrom } from '#leads/learning/learn.ts';
import { itemBytes } from '#model/lead-item.ts';
import type { Learned } from '#model/learned.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { readBatches, type Said, toReviewed, verdicts } from './verdicts.ts';

const learn = (said: readonly Said[]) => learnFrom(toReviewed(said)).learned;
const NOTHING: Learned = { words: {}, signals: {}, forms: {} };

/** At this form, customers ask for pergolas and sellers offer awnings, in the same words. */
const PERGOLAS = [
  'We would like to discuss a pergola with you, our budget is ready',
  'Do you have a pergola brochure that our team could look at?',
  'Our partner told us about your pergola, we are interested in numbers',
  'Is the pergola available for our offices, and at what terms?',
  'A pergola for our terrace: we have a proposal of the architect',
];
const AWNINGS = [
  'We would like to discuss an awning with you, our budget is ready',
  'Do you have an awning brochure that our team could look at?',
  'Our partner told us about your awning, we are interested in numbers',
  'Is the awning available for our offices, and at what terms?',
  'An awning for our terrace: we have a proposal of the architect',
];
const BOTH = [...verdicts('good', PERGOLAS), ...verdicts('spam', AWNINGS)];

describe('what is learned', () => {
  test('is what tells good leads from spam, and not what both have', () => {
    const { words } = learn(BOTH);
    expect(words.pergola).toBeGreaterThan(0);
    expect(words.awning).toBeLessThan(0);
    expect(Object.keys(words).sort()).toEqual(['awning', 'pergola']);
  });

  test('is not what half of both have, even if good leads have it more often', () => {
    const withWord = (messages: string[], count: number) =>
      messages.map((message, index) => (index < count ? `${message}, kindly` : message));
    const said = (spam: number) => [
      ...verdicts('good', withWord(PERGOLAS, 5)),
      ...verdicts('spam', withWord(AWNINGS, spam)),
    ];
    expect(learn(said(3)).words).not.toHaveProperty('kindly');
    expect(learn(said(2)).words).toHaveProperty('kindly');
  });

  test('is applied to the next lead, which says by what', () => {
    const learned = learn(BOTH);
    const next = { email: 'new@somebody.co.uk', message: 'How much is a pergola?' };
    const [before, after] = [scoreLead(next), scoreLead(next, [], { learned, formId: 'form_one' })];
    expect(after.score).toBeGreaterThan(before.score);
    expect(after.signals).toEqual([
      ...before.signals,
      { name: 'learned', weight: learned.words.pergola, words: ['pergola'] },
    ]);
  });

  test('does not depend on the order of the verdicts', () => {
    // Contrary to the score, so that there is much to learn.
    const contrary = [...readBatches(2).values()].flat().map((each) => ({
      ...each,
      verdict: each.verdict === 'good' ? ('spam' as const) : ('good' as const),
    }));
    const reviewed = toReviewed(contrary);
    const { learned } = learnFrom(reviewed);
    expect(Object.keys(learned.words).length).toBeGreaterThan(50);
    expect(Object.keys(learned.forms)).toHaveLength(2);
    expect(JSON.stringify(learnFrom(reviewed.toReversed()).learned)).toBe(JSON.stringify(learned));
    const mixed = reviewed.toSorted((one, other) => one.lead.body.length - other.lead.body.length);
    expect(JSON.stringify(learnFrom(mixed).learned)).toBe(JSON.stringify(learned));
  });
});

describe('nothing is learned', () => {
  test('before both verdicts have come from three senders each', () => {
    const spam = verdicts('spam', AWNINGS);
    const sameSender = verdicts('good', PERGOLAS).map(({ body, ...rest }, index) => ({
      ...rest,
      body: { ...body, email: `person-${index}@${['one.co.uk', 'two.co.uk'][index % 2]}` },
    }));
    expect(learn([...sameSender, ...spam])).toEqual(NOTHING);
    expect(learn([...verdicts('good', PERGOLAS.slice(0, 2)), ...spam])).toEqual(NOTHING);
    expect(learn([...verdicts('good', PERGOLAS.slice(0, 3)), ...spam])).not.toEqual(NOTHING);
    expect(learnFrom(toReviewed([...sameSender, ...spam])).from).toEqual({
      good: { leads: 5, senders: 2 },
      spam: { leads: 5, senders: 5 },
    });
  });

  test('from leads without an address, which may all be of one sender', () => {
    const anonymous = BOTH.map(({ body, ...rest }) => ({ ...rest, body: { message: body.message } }));
    expect(learn(anonymous)).toEqual(NOTHING);
  });

  test.each<[string, Partial<Said>]>([
    ['verdicts of API keys', { by: 'key:key_one' }],
    ['test leads of providers', { test: true }],
  ])('from %s', (_, more) => {
    const said = BOTH.map((each) => ({ ...each, ...more }));
    expect(learnFrom(toReviewed(said))).toEqual({
      learned: NOTHING,
      from: { good: { leads: 0, senders: 0 }, spam: { leads: 0, senders: 0 } },
    });
    expect(learnFrom(toReviewed([...BOTH, ...said])).from.good.leads).toBe(PERGOLAS.length);
  });

  test('from test leads of the console, and from damaged ones', () => {
    const marked = BOTH.map((each) => ({ ...each, body: { ...each.body, _test: true } }));
    expect(learn(marked)).toEqual(NOTHING);
    const damaged = toReviewed(BOTH).map(({ lead, ...rest }) => ({ ...rest, lead: { ...lead, body: '{' } }));
    expect(learnFrom(damaged).learned).toEqual(NOTHING);
  });

  test('but from verdicts of members, and from those before it was stored who decided', () => {
    const said = BOTH.map((each, index) => (index % 2 ? { ...each, by: 'member:one' } : each));
    expect(learn(said)).toEqual(learn(BOTH));
  });

  test('from forms that each have verdicts of one kind: what differs is the form', () => {
    const said = [...verdicts('good', PERGOLAS), ...verdicts('spam', AWNINGS, { formId: 'form_two' })];
    expect(learn(said)).toEqual(NOTHING);
  });
});

describe('a word is not kept', () => {
  const said = (more: (index: number) => Readonly<Record<string, unknown>>) =>
    BOTH.map(({ body, ...rest }, index) => ({ ...rest, body: { ...body, ...more(index) } }));

  test('if fewer than three senders have it', () => {
    const addresses = ['a@one.co.uk', 'b@one.co.uk', 'c@two.co.uk', 'd@two.co.uk'];
    const rare = verdicts(
      'spam',
      addresses.map(() => 'Our gazebo'),
    );
    const twoSenders = rare.map((each, index) => ({
      ...each,
      body: { ...each.body, email: addresses[index] },
    }));
    expect(learn([...BOTH, ...twoSenders]).words).not.toHaveProperty('gazebo');
    expect(learn([...BOTH, ...rare]).words).toHaveProperty('gazebo');
  });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['a name', { name: 'Ada Pergola' }],
    ['a first name', { first_name: 'Pérgola' }],
    ['a company', { company: 'Pergola & Sons' }],
    ['an email address', { email: 'ada.pergola7@engines.co.uk' }],
    ['the domain of an email address', { email: 'ada@pergola-engines.co.uk' }],
    ['a website', { website: 'https://www.pergola.co.uk' }],
    ['a phone number', { phone: '0800 PERGOLA 1' }],
    ['a field of which nothing is known', { street: '7 Pergola Lane' }],
    ['a name with an ending', { name: 'Ada Pergo' }],
    ['an address in the message', { message: 'pergola, write to ada@pergola.co.uk' }],
  ])('if it occurs in %s of any lead', (_, field) => {
    expect(learn(said((index) => (index === 0 ? field : {}))).words).not.toHaveProperty('pergola');
    expect(learn(said((index) => (index === 0 ? field : {}))).words).toHaveProperty('awning');
  });

  test('unless the value is a choice of the form, which three senders have made', () => {
    const chosen = said((index) => (index < 3 ? { topic: 'Pergola' } : {}));
    expect(learn(chosen).words).toHaveProperty('pergola');
    const typed = said((index) => (index < 3 ? { topic: `Pergola ${index}` } : {}));
    expect(learn(typed).words).not.toHaveProperty('pergola');
  });

  test('if it is part of a name in a script without blanks', () => {
    const japanese = [
      ...verdicts('good', [
        '見積もりをお願いします。佐藤',
        '見積もりの件です。佐藤',
        '見積もりを希望します。佐藤',
      ]),
      ...verdicts('spam', ['集客を支援します', '集客の件です', '集客サービスのご案内']),
    ];
    expect(Object.keys(learn(japanese).words)).toEqual(expect.arrayContaining(['見積', '佐藤', '集客']));
    const named = japanese.map((each, index) => ({
      ...each,
      body: { ...each.body, ...(index === 0 && { name: '佐藤花子' }) },
    }));
    expect(learn(named).words).not.toHaveProperty('佐藤');
    expect(learn(named).words).toHaveProperty('見積');
  });
});

describe('two forms with opposite meanings', () => {
  const said = [
    ...BOTH,
    ...verdicts('spam', PERGOLAS, { formId: 'form_two' }),
    ...verdicts('good', AWNINGS, { formId: 'form_two' }),
  ];
  const learned = learn(said);

  test('have points of their own, and others have none', () => {
    expect(learned.words).toEqual({});
    expect(learned.forms.form_one?.words).toEqual({
      pergola: expect.any(Number),
      awning: expect.any(Number),
    });
    const scoreOn = (formId: string, message: string) =>
      scoreLead({ email: 'new@somebody.co.uk', message }, [], { learned, formId }).score;
    const [pergola, awning] = ['Your pergola please', 'Your awning please'];
    expect(scoreOn('form_one', pergola)).toBeGreaterThan(scoreOn('form_new', pergola));
    expect(scoreOn('form_one', awning)).toBeLessThan(scoreOn('form_new', awning));
    expect(scoreOn('form_two', pergola)).toBeLessThan(scoreOn('form_new', pergola));
    expect(scoreOn('form_two', awning)).toBeGreaterThan(scoreOn('form_new', awning));
  });

  test('a form learns from the others as well, and less than from its own verdicts', () => {
    const gazebo = ['A gazebo please', 'The gazebo', 'Your gazebo?'];
    const { words, forms } = learn([...said, ...verdicts('spam', gazebo, { formId: 'form_two' })]);
    expect(words.gazebo).toBeLessThan(0);
    const inOne = forms.form_one?.words.gazebo ?? (words.gazebo as number);
    const inTwo = forms.form_two?.words.gazebo ?? (words.gazebo as number);
    expect(inOne).toBeGreaterThan(inTwo);
  });
});

describe('one-sided verdicts', () => {
  /** Of each value, only as much as the score often gets wrong. */
  const cut = (said: Said): Said => ({
    ...said,
    body: Object.fromEntries(
      Object.entries(said.body).map(([key, value]) => [
        key,
        typeof value === 'string' ? value.slice(0, 45) : value,
      ]),
    ),
  });

  const batches = [...readBatches(12).values()].map((batch) =>
    batch.map(cut).map((lead) => ({ ...lead, wasClean: scoreLead(lead.body).clean })),
  );

  test.each([
    [20, 3],
    [3, 20],
  ])('%i of spam and %i good ones do not lose genuine leads', (spam, good) => {
    const before = { kept: 0, caught: 0 };
    const after = { kept: 0, caught: 0 };
    for (const leads of batches) {
      const reviewed = new Set([
        ...leads.filter(({ verdict }) => verdict === 'spam').slice(0, spam),
        ...leads.filter(({ verdict }) => verdict === 'good').slice(0, good),
      ]);
      const learned = learn([...reviewed]);
      for (const lead of leads.filter((each) => !reviewed.has(each))) {
        const { formId = '' } = lead;
        const counts = [
          [before, lead.wasClean] as const,
          [after, scoreLead(lead.body, [], { learned, formId }).clean] as const,
        ];
        for (const [count, clean] of counts) {
          if (lead.verdict === 'good' && clean) count.kept += 1;
          if (lead.verdict === 'spam' && !clean) count.caught += 1;
        }
      }
    }
    expect(before.kept).toBeGreaterThan(300);
    expect(after.kept / before.kept).toBeGreaterThan(0.997);
    expect(after.caught).toBeGreaterThan(before.caught);
  });
});

describe('bounds', () => {
  test('a word is worth at most 8 points, however many verdicts there are', () => {
    const many = Array.from({ length: 40 });
    const said = [
      ...verdicts(
        'good',
        many.map(() => 'Backlinks'),
      ),
      ...verdicts(
        'spam',
        many.map(() => 'Pergola'),
      ),
    ];
    expect(learn(said).words).toEqual({ backlinks: 8, pergola: -8 });
  });

  test('it fits into an item of 4 KB, without the weakest', () => {
    const wordOf = (n: number) =>
      `wo${String(n)
        .padStart(4, '0')
        .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`;
    // Of every ten groups of leads, one is larger: its words are worth more.
    const groups = Array.from({ length: 240 }, (_, group) => {
      const message = [0, 1].map((n) => wordOf(2 * group + n)).join(' ');
      return Array.from({ length: group % 10 === 0 ? 8 : 3 }, () => message);
    });
    const said = [
      ...verdicts('good', groups.filter((_, group) => group % 2 === 0).flat()),
      ...verdicts('spam', groups.filter((_, group) => group % 2 === 1).flat()),
    ];
    const learned = learn(said);
    expect(itemBytes({ learned })).toBeLessThanOrEqual(4096 - 300);
    expect(itemBytes({ learned })).toBeGreaterThan(3_700);
    const kept = Object.keys(learned.words);
    expect(kept.length).toBeLessThan(480);
    for (let group = 0; group < 240; group += 10) expect(kept).toContain(wordOf(2 * group));
  });
});
