import { describe, expect, test } from '@jest/globals';
import { scoreLead } from '#scoring/score-lead.ts';
import { explainSignal } from '#scoring/signal-words.ts';

// What real forms showed, with leads of our own.

const WHO = { name: 'Laura Brandt', email: 'laura.brandt@gmail.com' };
const ASKS = 'Could you fit a kitchen of about twelve square metres in May, and what would it cost?';
const OFFER =
  'We noticed that your website is not on page one. Our team builds quality backlinks for small businesses.';

const isClean = (body: Record<string, unknown>) => scoreLead(body).clean;

describe('an opening does not lose a lead', () => {
  test.each([
    'Hi, I found your website on Google.',
    'I hope this email finds you well.',
    'Quick question:',
    'Hi there,',
  ])('%s', (opening) => {
    expect(isClean({ ...WHO, message: `${opening} ${ASKS}` })).toBe(true);
    expect(isClean({ ...WHO, message: `${opening} What are your prices for a kitchen?` })).toBe(true);
  });
});

describe('what is odd is no veto', () => {
  const { name } = WHO;
  test.each([
    ['a mistyped provider', { name, email: 'laura@gmial.com', message: ASKS }],
    ['a blank in the address', { name, email: 'laura @gmail.com', message: ASKS }],
    ['a local number', { name, phone: '555-0119', message: ASKS }],
    ['a number that ends in a run', { name, phone: '+49 171 2345678', message: ASKS }],
    ['a number only in the message', { name, message: `${ASKS} Please call (415) 555-0119.` }],
    [
      'links in a signature',
      { ...WHO, message: `${ASKS}\n--\n<a href="https://www.instagram.com/laurabrandt">Laura Brandt</a>` },
    ],
    ['deep nesting', { a: { b: { c: { d: { form: { ...WHO, message: ASKS } } } } } }],
    [
      'labels and values',
      {
        user_column_data: [
          { column_name: 'Full Name', string_value: 'Laura Brandt', column_id: 'FULL_NAME' },
          { column_name: 'User Email', string_value: WHO.email, column_id: 'EMAIL' },
          { column_name: 'What do you need?', string_value: ASKS },
        ],
      },
    ],
    [
      'a job application',
      { ...WHO, message: 'I am a qualified welder with six years of experience. Do you have any vacancies?' },
    ],
    ['thanks', { ...WHO, message: 'Thank you so much, the repair was quick and the bike rides like new.' }],
  ])('%s', (_, body) => {
    expect(isClean(body)).toBe(true);
  });

  test('a mistyped provider comes with a hint', () => {
    const hint = scoreLead({ ...WHO, email: 'laura@gmial.com', message: ASKS }).signals.find(
      (signal) => signal.name === 'email_mistyped',
    );
    expect(hint && explainSignal(hint)).toBe('Misspelled email address. Did you mean gmail.com?');
  });
});

describe('spam stays spam', () => {
  // Hidden in spaced letters, zero-width characters and the like: see test/training/scoring.unit.test.ts.
  test.each([
    ['as it is', OFFER],
    ['before a friendly sentence', `${OFFER} Thank you for the quick repair of my bike last week.`],
    ['after a friendly sentence', `Thank you for the quick repair of my bike last week. ${OFFER}`],
    ['a link and nothing else', 'https://cheap-watches-outlet.shop/a81'],
    ['a short line with a link', 'Easy money from home https://profit-daily.life/?u=77'],
    ['two words of gibberish', 'qxvbrtk zzpwlfd'],
    ['a scanner', '../../../../etc/passwd'],
    ['a scanner with a shell', '<!--#exec cmd="ls -la"-->'],
  ])('%s', (_, message) => {
    expect(isClean({ ...WHO, message })).toBe(false);
  });

  test('a bare question for a price, signed by a program', () => {
    expect(
      isClean({
        name: 'RobertGek',
        email: 'robertgek77@gmail.com',
        message: 'Kaixo, zure prezioa jakin nahi nuen.',
      }),
    ).toBe(false);
  });
});

test("a link to the form's own site is no foreign one", () => {
  const body = { ...WHO, message: `${ASKS} Like https://shop.kuechen-brandt.de/k/12` };
  const names = (sites: string[]) => scoreLead(body, [], { sites }).signals.map(({ name }) => name);
  expect(names([])).toContain('foreign_links');
  expect(names(['kuechen-brandt.de'])).toEqual(expect.arrayContaining(['site_link']));
  expect(names(['kuechen-brandt.de'])).not.toContain('foreign_links');
});
