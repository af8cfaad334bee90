import { describe, expect, test } from '@jest/globals';
import type { LeadFields } from '#scoring/lead-text.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import type { SignalName } from '#scoring/weights.ts';

const GOOD = { name: 'Ada Byron', email: 'ada@analytical-engines.co.uk', message: 'Do you repair looms?' };
const say = (message: string): LeadFields => ({ ...GOOD, message });
const mail = (email: string): LeadFields => ({ ...GOOD, email });
const call = (name: string): LeadFields => ({ ...GOOD, name });
const ring = (phone: string, country?: string): LeadFields => ({ ...GOOD, phone, country });

/** A row a signal: leads that have it, and leads that look like it and have it not. */
const TABLE: Partial<Record<SignalName, { has: LeadFields[]; hasNot: LeadFields[] }>> = {
  email_plausible: {
    has: [
      GOOD,
      mail("s.o'shaughnessy@carrickdairies.ie"),
      mail('info@müllerhof-holzbau.de'),
      mail('8827361@qq.com'),
    ],
    hasNot: [
      mail('ada@'),
      mail('ada@@gmail.com'),
      mail('ada@hoekema..nl'),
      mail('a@b@hotmail.com'),
      mail('ada#volny.cz'),
    ],
  },
  email_company_domain: {
    has: [GOOD],
    hasNot: [mail('ada@gmail.com'), mail('ada@yahoo.co.jp'), mail('ada@gmx.at')],
  },
  email_free_mail: {
    has: [mail('ada@gmail.com'), mail('ada@rediffmail.com'), mail('ada@wp.pl')],
    hasNot: [GOOD],
  },
  email_role_account: {
    has: [mail('info@kennels.com.au'), mail('ventas@taller.bo')],
    hasNot: [GOOD, mail('infante@a.es')],
  },
  email_plus_tag: { has: [mail('wes+vendors@tallgrass.com')], hasNot: [GOOD] },
  email_disposable: {
    has: [mail('x@mailinator.com'), mail('felix@trashmail.com'), mail('a@sub.mailinator.com')],
    hasNot: [GOOD, mail('ada@mail.com'), mail('ada@proton.me')],
  },
  email_mistyped: {
    has: ['gmial.com', 'hotmal.com', 'yaho.com', 'gmail.co', 'outlok.com', 'hotmaill.fr', 'gmail.de'].map(
      (d) => mail(`a@${d}`),
    ),
    hasNot: ['mail.com', 'ymail.com', 'email.com', 'gmx.de', 'gmx.at', 'hotmail.de', 'yahoo.ie'].map((d) =>
      mail(`a@${d}`),
    ),
  },
  email_no_public_suffix: {
    has: [mail('travis@gmail.con'), mail('a@firm.lokal')],
    hasNot: [mail('jo@pike.plumbing'), mail('bo@fathomgrid.io')],
  },
  email_malformed: { has: [mail('no thanks'), mail('beatrix.gmail.com')], hasNot: [GOOD, mail('')] },
  email_scattered_dots: {
    has: [mail('j.o.x.e.q.82@gmail.com')],
    hasNot: [mail('mary.ann.o.brien@gmail.com')],
  },
  phone_valid: {
    has: [
      ring('+65 6123 4890'),
      ring('0171 3920044', 'Deutschland'),
      ring('8 (912) 604-17-38', 'Россия'),
      ring('087 123 9054', 'IE'),
    ],
    hasNot: [ring('0208'), ring('00000000000'), ring('0171 3920044', 'US')],
  },
  phone_fake: {
    has: [ring('0000000000'), ring('123456789'), ring('(11) 99999-9999')],
    hasNot: [ring('+44 7700 900263')],
  },
  phone_invalid: { has: [ring('12'), ring('07700 9')], hasNot: [ring('+44 7700 900263')] },
  name_plausible: {
    has: [GOOD, call('Ng'), call('原'), call('Krzysztof Brzęczyszczak')],
    hasNot: [call('qJxwKzRtPl'), call('83')],
  },
  name_gibberish: {
    has: ['qJxwKzRtPl', 'XtwLrGbQfYhnp', 'a7f3e9c1', 'qazwsxedc', 'aaaa', 'asdfgh'].map(call),
    hasNot: [
      'Grażyna Chrząszczewska',
      'Featherstonehaugh',
      'Ng',
      'Vlk Smrž',
      'McDonald',
      'Liberty Trewin',
      'Schwarzkopf',
    ].map(call),
  },
  name_has_link: {
    has: [call('https://bit.ly/win'), call('win at www.prize.top')],
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
    has: [say('hVbNqTzLmXcR'), say('wkzjq plmxv tbrcd')],
    hasNot: [GOOD, say('BR-15-ELB, M12x40 in stock?')],
  },
  own_link: { has: [say('see https://analytical-engines.co.uk/loom')], hasNot: [GOOD] },
  foreign_links: {
    has: [say('see https://elsewhere.fr/a')],
    hasNot: [GOOD, say('see https://analytical-engines.co.uk')],
  },
  short_link: { has: [say('look: bit.ly/3zQx')], hasNot: [GOOD] },
  link_markup: {
    has: [say('<a href="https://x.ru">x</a>'), say('[url=https://x.ru]x[/url]')],
    hasNot: [say('a < b')],
  },
  wallet_address: {
    has: [say('bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh')],
    hasNot: [say('we accept bitcoin')],
  },
  spam_phrases: {
    has: [
      'We can place your website on the first page of Google. May I send our packages?',
      'Wir bieten Ihnen mehr Kunden für Ihre Webseite, ab 99 € im Monat. Haben Sie Interesse?',
      'Le ofrecemos bases de datos de empresas, a solo 49 USD.',
      'Je vous propose un prêt entre particuliers de 2 000 € à 500 000 €, taux 2 %.',
      'Предлагаем продвижение сайтов, выведем в ТОП-10 Яндекса.',
      '我们提供网站优化服务，不上首页不收费，请加微信。',
      '突然のご連絡失礼いたします。弊社では成果報酬で集客をご提案しております。',
    ].map(say),
    hasNot: [
      'We need SEO help, our rankings dropped. What would an audit cost?',
      'Wir suchen einen Partner für unsere neue Webseite. Was kostet das im Monat?',
      'Somos una pasarela que acepta Bitcoin. Buscamos asesoría tributaria.',
      'Nous cherchons une agence pour notre référencement, pouvez-vous nous faire un devis ?',
      'Нужно продвижение сайта, сколько стоит?',
      '我们想做网站优化和推广，请问怎么收费？',
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
    has: [
      mail('test@test.com'),
      mail('jane@example.org'),
      mail('a@firm.test'),
      mail('erika@beispiel.de'),
      mail('toto@toto.fr'),
    ],
    hasNot: [mail('tester@hartmann.de'), mail('petra@petra.com')],
  },
  test_data: {
    has: [call('Max Mustermann'), call('asdf'), { ...GOOD, is_test: true }, call('测试')],
    hasNot: [call('Jennifer Null'), call('Tom Tester')],
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
      '是否可以先寄樣測試？',
    ].map(say),
  },
  not_reachable: {
    has: [{ name: 'Ulrika', message: 'Lovely shop!' }, mail('x@mailinator.com')],
    hasNot: [{ phone: '+44 7700 900263' }],
  },
  gathered_doubts: {
    has: [{ name: 'nRwzTQkbXjVm', email: 'a.h.u.w.o.j@gmail.com' }],
    hasNot: [call('nRwzTQkbXjVm')],
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

test('the score is the sum of the weights, within 0 and 100', () => {
  for (const { has } of Object.values(TABLE)) {
    for (const lead of has) {
      const { score, signals } = scoreLead(lead);
      const sum = signals.reduce((total, { weight }) => total + weight, 0);
      expect(score).toBe(Math.min(100, Math.max(0, sum)));
    }
  }
});
