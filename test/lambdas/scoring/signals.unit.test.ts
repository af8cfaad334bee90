import { describe, expect, test } from '@jest/globals';
import type { LeadFields } from '#model/lead-fields.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { type SignalName, WEIGHTS } from '#scoring/weights.ts';

const GOOD = { name: 'Ada Byron', email: 'ada@analytical-engines.co.uk', message: 'Do you repair looms?' };
const say = (message: string): LeadFields => ({ ...GOOD, message });
const mail = (email: string): LeadFields => ({ ...GOOD, email });
const call = (name: string): LeadFields => ({ ...GOOD, name });
const took = (form_elapsed_ms: unknown) => ({ ...GOOD, form_elapsed_ms }) as LeadFields;
const ring = (phone: string, country?: string): LeadFields => ({ ...GOOD, phone, country });

/** A row a signal: leads that have it, and leads that look like it and have it not. */
const TABLE: Partial<Record<SignalName, { has: LeadFields[]; hasNot: LeadFields[] }>> = {
  email_plausible: {
    has: [
      GOOD,
      ...["s.o'shaughnessy@carrickdairies.ie", 'info@müllerhof-holzbau.de', '8827361@qq.com'].map(mail),
    ],
    hasNot: ['ada@', 'ada@@gmail.com', 'ada@hoekema..nl', 'a@b@hotmail.com', 'ada#volny.cz'].map(mail),
  },
  email_company_domain: {
    has: [GOOD],
    hasNot: ['ada@gmail.com', 'ada@yahoo.co.jp', 'ada@gmx.at'].map(mail),
  },
  email_free_mail: {
    has: ['ada@gmail.com', 'ada@rediffmail.com', 'ada@wp.pl'].map(mail),
    hasNot: [GOOD],
  },
  email_role_account: {
    has: ['info@kennels.com.au', 'ventas@taller.bo'].map(mail),
    hasNot: [GOOD, mail('infante@a.es')],
  },
  email_plus_tag: { has: [mail('wes+vendors@tallgrass.com')], hasNot: [GOOD] },
  email_disposable: {
    has: ['x@mailinator.com', 'felix@trashmail.com', 'a@sub.mailinator.com'].map(mail),
    hasNot: [GOOD, ...['ada@mail.com', 'ada@proton.me'].map(mail)],
  },
  email_mistyped: {
    has: [
      ...['a@gmial.com', 'a@hotmal.com', 'a@yaho.com', 'a@gmail.co', 'a@outlok.com', 'a@hotmaill.fr'].map(
        mail,
      ),
      ...['a@gmail.de', 'a@gmail.con', 'laura @gmail.com', 'laura@gmail .com', 'laura@gmail'].map(mail),
    ],
    hasNot: ['mail.com', 'ymail.com', 'email.com', 'gmx.de', 'gmx.at', 'hotmail.de', 'yahoo.ie'].map(
      (domain) => mail(`a@${domain}`),
    ),
  },
  email_no_public_suffix: {
    has: [mail('a@firm.lokal')],
    hasNot: ['jo@pike.plumbing', 'bo@fathomgrid.io'].map(mail),
  },
  email_malformed: {
    has: ['no thanks', 'none'].map(mail),
    hasNot: [GOOD, ...['', 'beatrix.gmail.com'].map(mail)],
  },
  email_gibberish: {
    has: ['ogemncjww526@aol.com', 'xkcqvbtr@gmail.com'].map(mail),
    hasNot: [GOOD, ...['harshpankaj@gmail.com', 'schwarzschild@web.de'].map(mail)],
  },
  name_bot_like: {
    has: ['RobertGek', 'Olivia6441', 'DonaldhaG', 'lantern lantern'].map(call),
    hasNot: ['Ronald McDonald', 'DeShawn', 'LeAnn', 'Ada Byron', 'ADA'].map(call),
  },
  phone_odd: {
    has: [
      ...['555-0119', '+49 171 2345678'].map((phone) => ring(phone)),
      { name: 'Ada Byron', message: 'Please ring 555-0119 about the loom.' },
    ],
    hasNot: [ring('+49 30 901820'), ring('12345678')],
  },
  email_scattered_dots: {
    has: [mail('j.o.x.e.q.82@gmail.com')],
    hasNot: [mail('mary.ann.o.brien@gmail.com')],
  },
  phone_valid: {
    has: [
      ring('+65 6123 4890'),
      ...[
        ring('0171 3920044', 'Deutschland'),
        ring('8 (912) 604-17-38', 'Россия'),
        ring('087 123 9054', 'IE'),
      ],
    ],
    hasNot: [ring('0208'), ring('00000000000'), ring('0171 3920044', 'US')],
  },
  phone_fake: {
    has: [ring('0000000000'), ring('123456789'), ring('(11) 99999-9999')],
    hasNot: [ring('+44 7700 900263')],
  },
  phone_invalid: { has: [ring('12'), ring('07700 9')], hasNot: [ring('+44 7700 900263')] },
  name_plausible: {
    has: [GOOD, ...['Ng', '原', 'Krzysztof Brzęczyszczak'].map(call)],
    hasNot: ['qJxwKzRtPl', '83'].map(call),
  },
  name_gibberish: {
    has: ['qJxwKzRtPl', 'XtwLrGbQfYhnp', 'a7f3e9c1', 'qazwsxedc', 'aaaa', 'asdfgh'].map(call),
    hasNot: [
      ...['Grażyna Chrząszczewska', 'Featherstonehaugh', 'Ng', 'Vlk Smrž', 'McDonald'].map(call),
      ...['Liberty Trewin', 'Nikolai Lindqvist', 'H. Mertz', 'Schwarzkopf'].map(call),
    ],
  },
  name_has_link: {
    has: ['https://bit.ly/win', 'win at www.prize.top'].map(call),
    hasNot: [GOOD, call('J. P. Dot')],
  },
  company_matches_website: {
    has: [{ ...GOOD, website: 'https://www.analytical-engines.co.uk/looms' }],
    hasNot: [
      { ...GOOD, website: 'https://example.net' },
      { ...mail('a@gmail.com'), website: 'gmail.com' },
    ],
  },
  message_gibberish: {
    has: ['hVbNqTzLmXcR', 'wkzjq plmxv tbrcd'].map(say),
    hasNot: [GOOD, say('BR-15-ELB, M12x40 in stock?')],
  },
  own_link: { has: [say('see https://analytical-engines.co.uk/loom')], hasNot: [GOOD] },
  foreign_links: {
    has: [say('see https://elsewhere.fr/a')],
    hasNot: [GOOD, say('see https://analytical-engines.co.uk')],
  },
  short_link: { has: [say('look: bit.ly/3zQx')], hasNot: [GOOD] },
  link_markup: {
    has: ['<a href="https://x.ru">x</a>', '[url=https://x.ru]x[/url]'].map(say),
    hasNot: [say('a < b')],
  },
  wallet_address: {
    has: [say('bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh')],
    hasNot: [say('we accept bitcoin')],
  },
  sellers_price: {
    has: ['Full redesign, from $280', 'Logos ab 99 €', 'developers at $15/hour'].map(say),
    hasNot: ['I paid $280 for it', 'What would 99 posters cost?'].map(say),
  },
  price_probe: {
    has: [
      ...['Hi, I wanted to know your price.', 'Sveiki, vēlējos uzzināt jūsu cenu.'].map(say),
      ...['Ndifuna ukwazi ixabiso lakho.', 'Բարև, կասե՞ք ինչ գներ ունեք'].map(say),
    ],
    hasNot: ['Price for 40 m2 of oak floor?', 'What are your prices for a kitchen?', 'Sveiki!'].map(say),
  },
  hidden_letters: {
    has: [
      'w e  s e l l  t r a f f i c',
      'w\u200be s\u200bell traf\u200bfic ch\u200beap',
      's.e.l.l.i.n.g l.i.n.k.s',
    ].map(say),
    hasNot: [
      ...['Plan B or C, at 5 p.m.?', 'I work for the U.S.A. office', 'علی‌رضا 👩\u200d💻'].map(say),
      say('Donau\u00addampf\u00adschiff\u00adfahrts\u00adge\u00adsell\u00adschaft'),
    ],
  },
  reads_like_offer: {
    has: [
      'Quick one: who handles your marketing? I can bring you 20 new clients a month.',
      'We can place your website on the first page of Google. May I send our packages?',
      'Le ofrecemos bases de datos de empresas, a solo 49 USD.',
      'Предлагаем продвижение сайтов, выведем в ТОП-10 Яндекса.',
      '我们提供网站优化服务，不上首页不收费，请加微信。',
    ].map(say),
    hasNot: [
      'We need SEO help, our rankings dropped. What would an audit cost?',
      'Wir suchen einen Partner für unsere neue Webseite. Was kostet das im Monat?',
      'Нужно продвижение сайта, сколько стоит?',
      'ホームページ制作をお願いしたいのですが、料金を教えてください。',
    ].map(say),
  },
  mixed_scripts: {
    has: [say('Try the nеw саsinо fоr UK')],
    hasNot: [say('ТОП-10, SMS-рассылка, Wi-Fi?'), say('Σας στέλνω PDF')],
  },
  honeypot_filled: {
    has: [
      { ...GOOD, _gotcha: 'x' },
      { ...GOOD, website2: 'https://x.com' },
      { ...GOOD, leave_blank: true },
    ],
    hasNot: [{ ...GOOD, hp: '', honeypot: null, leave_blank: false }],
  },
  sent_too_fast: {
    has: [0, 2_499, '180'].map(took),
    hasNot: [...[2_500, 34_000, -1, 1e-7, null, ''].map(took), { ...GOOD, elapsed: 12 }],
  },
  values_identical: {
    has: [
      { name: 'google', company: 'google', message: 'google' },
      { name: 'a1', email: 'a1@gmail.com', company: 'a1', message: 'a1' },
    ],
    hasNot: [
      { ...GOOD, company: 'Ada Byron' },
      { ...GOOD, a: true, b: true, c: true },
    ],
  },
  probe: {
    has: [call('<script>alert(1)</script>'), say("1'; DROP TABLE leads;--"), call('../../../etc/passwd')],
    hasNot: [say('Drop table legs?')],
  },
  template_left_in: {
    has: [say('Dear %NAME%,'), say('{Hi|Hello} there'), call('{{first_name}}')],
    hasNot: [say('{a}'), say('100 % cotton')],
  },
  test_address: {
    has: ['test@test.com', 'jane@example.org', 'a@firm.test', 'erika@beispiel.de', 'toto@toto.fr'].map(mail),
    hasNot: [
      ...['tester@hartmann.de', 'petra@petra.com', 'jo@city-clinic.example.org', 'jo@clinic.example'].map(
        mail,
      ),
    ],
  },
  test_data: {
    has: [call('Max Mustermann'), call('asdf'), { ...GOOD, is_test: true }, call('测试')],
    hasNot: [call('Jennifer Null'), call('Tom Tester'), call('QA Department')],
  },
  says_test: {
    has: [
      'This is a test, please ignore',
      'please delete this enquiry',
      'Formulartest, bitte nicht bearbeiten',
      'ceci est un test',
      'Esto es una prueba, por favor ignorad',
      'prova invio modulo',
      'Testje, niet op reageren aub',
      'Проверка формы, не обрабатывать',
      '测试，请忽略',
      'テスト送信です。',
      '테스트입니다',
      'رسالة تجريبية يرجى تجاهلها',
      'form testi, lütfen dikkate almayın',
      'Tes form, mohon diabaikan',
    ].map(say),
    hasNot: [
      'u do PAT testing? how much an item',
      'Please ignore my previous message, the right size is 40x60.',
      'Please send test certificates',
      'Please delete my data, I cancelled in May.',
      'Proszę o usunięcie mojego konta.',
      '登録した情報を削除してください。',
      '是否可以先寄樣測試？',
    ].map(say),
  },
  not_reachable: {
    has: [{ name: 'Ulrika', message: 'Lovely shop!' }, mail('x@mailinator.com')],
    hasNot: [{ phone: '+44 7700 900263' }],
  },
  throwaway_link: {
    has: [say('order at https://soft-pillows.top/now'), say('look at my-photos.xyz')],
    hasNot: [say('see https://elsewhere.fr/top'), mail('ada@looms.xyz')],
  },
  mostly_link: {
    has: [say('https://elsewhere.fr/offer'), say('hi https://elsewhere.fr/offer thanks')],
    hasNot: [
      GOOD,
      say('https://analytical-engines.co.uk'),
      say('Is this your shop? https://elsewhere.fr/a I ordered there on Monday'),
    ],
  },
  reads_like_request: {
    has: ['I ordered a lamp last week and it has not arrived. When will it be delivered?'].map(say),
    hasNot: [say('We can place your website on the first page of Google. May I send our packages?')],
  },
};

const names = (fields: LeadFields) => scoreLead(fields).signals.map(({ name }) => name);

describe.each(Object.entries(TABLE))('%s', (signal, { has, hasNot }) => {
  test.each(has.map((lead) => [JSON.stringify(lead), lead]))('is found in %s', (_, lead) => {
    expect(names(lead as LeadFields)).toContain(signal);
  });
  test.each(hasNot.map((lead) => [JSON.stringify(lead), lead]))('is not found in %s', (_, lead) => {
    expect(names(lead as LeadFields)).not.toContain(signal);
  });
});

test('points add up to the log-odds of a good lead, ten for each', () => {
  for (const { has } of Object.values(TABLE)) {
    for (const lead of has) {
      const { score, signals } = scoreLead(lead);
      const sum = signals.reduce((total, { weight }) => total + weight, 0);
      const good = Math.round(100 / (1 + Math.exp(-sum / 10)));
      const neverClean = signals.some(({ name }) => WEIGHTS[name as SignalName][1] === 'never clean');
      expect(score).toBe(neverClean ? Math.min(9, good) : good);
    }
  }
});
