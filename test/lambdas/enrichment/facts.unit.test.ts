import { describe, expect, test } from '@jest/globals';
import { detectLanguage } from '#enrichment/detect-language.ts';
import type { Roles } from '#enrichment/enrichment-item.ts';
import { contextOf, gatherFacts, mailHostFacts, rolesOf } from '#enrichment/gather-facts.ts';
import { ONE_TIME_IN_SEVERAL_ZONES, zonesOf } from '#enrichment/read-place.ts';

const valuesOf = (roles: Roles) =>
  Object.fromEntries(Object.entries(gatherFacts(roles).facts).map(([name, { value }]) => [name, value]));

describe('an email', () => {
  test.each([
    ['Ada@Analytical.COM', 'ada@analytical.com', 'analytical.com', 'company'],
    ['Ada Byron <ada@analytical.com>', 'ada@analytical.com', 'analytical.com', 'company'],
    ['mailto:ada@analytical.com', 'ada@analytical.com', 'analytical.com', 'company'],
    ['ada+forms@mail.analytical.co.uk', 'ada+forms@mail.analytical.co.uk', 'analytical.co.uk', 'company'],
    ['jürgen@Müller-Söhne.de', 'jürgen@xn--mller-shne-kcb9d.de', 'müller-söhne.de', 'company'],
    ['x@例え.jp', 'x@xn--r8jz45g.jp', '例え.jp', 'company'],
    ['dev@acme.github.io', 'dev@acme.github.io', 'acme.github.io', 'company'],
    ["o'brien@analytical.ie", "o'brien@analytical.ie", 'analytical.ie', 'company'],
    ['Info@analytical.com', 'info@analytical.com', 'analytical.com', 'role'],
    ['sales+web@analytical.com', 'sales+web@analytical.com', 'analytical.com', 'role'],
    ['information.desk@analytical.com', 'information.desk@analytical.com', 'analytical.com', 'company'],
    ['a.lovelace@gmail.com', 'a.lovelace@gmail.com', 'gmail.com', 'free'],
    ['info@gmail.com', 'info@gmail.com', 'gmail.com', 'free'],
    ['info@t-online.de', 'info@t-online.de', 't-online.de', 'internet-provider'],
    ['ada@cs.stanford.edu', 'ada@cs.stanford.edu', 'stanford.edu', 'education'],
    ['ada@sub.mailinator.com', 'ada@sub.mailinator.com', 'mailinator.com', 'disposable'],
  ])('%s', (email, normalised, emailDomain, mailClass) => {
    expect(valuesOf({ email })).toMatchObject({ email: normalised, emailDomain, mailClass });
  });

  test.each([
    ...['', 'ada', '@analytical.com', 'ada@', 'ada@localhost', 'ada@10.0.0.1', 'ada@[10.0.0.1]', 'ada@co.uk'],
    'a b@analytical.com',
    'ada@analytical.com/path',
    'a@b@analytical.com',
    '.ada@analytical.com',
    'ada..b@analytical.com',
    'ada@-analytical.com',
    `ada@${'a'.repeat(64)}.com`,
    `${'a'.repeat(65)}@analytical.com`,
    `ada@${'abcdefgh.'.repeat(30)}com`,
    'ada\u0000@analytical.com',
    'ada@%61.com',
  ])('%j is not an email', (email) => {
    expect(valuesOf({ email })).toEqual({});
  });

  test.each([
    ['a.da+x@googlemail.com', 'ada@gmail.com'],
    ['ada+x@analytical.com', 'ada@analytical.com'],
    ['+x@analytical.com', undefined],
    ['ada@analytical.com', undefined],
  ])('%s reaches the mailbox %s', (email, mailbox) => {
    expect(valuesOf({ email }).mailbox).toBe(mailbox);
  });

  test('asks DNS about the mail host, not about the registered domain', () => {
    expect(gatherFacts({ email: 'ada@mail.analytical.co.uk' }).mailHost).toBe('mail.analytical.co.uk');
  });

  test.each([
    ['ada@eu.analytical.com', 'https://analytical.com'],
    ['info@analytical.com', 'https://analytical.com'],
    ['ada@mail.münchen.de', 'https://münchen.de'],
    ['ada@gmail.com', undefined],
    ['ada@mailinator.com', undefined],
    ['ada@comcast.net', undefined],
    ['info@uni-bonn.de', undefined],
  ])('%s has the company website %s', (email, companyWebsite) => {
    expect(valuesOf({ email }).companyWebsite).toBe(companyWebsite);
  });
});

describe('a website that was given', () => {
  test.each([
    ['www.Analytical.com', 'https://www.analytical.com'],
    ['http://analytical.com/about/', 'http://analytical.com/about'],
    ['https://ada:pass@analytical.com/?email=ada#x', 'https://analytical.com'],
    ['https://müller.de', 'https://müller.de'],
    ['https://xn--mller-kva.de/über-uns/', 'https://müller.de/%C3%BCber-uns'],
    ['https://аррӏе.com/login', 'https://xn--80ak6aa92e.com/login'],
    ['javascript:alert(1)', undefined],
    ['ftp://analytical.com', undefined],
    ['http://10.0.0.1/', undefined],
    ['http://169.254.169.254/latest/meta-data', undefined],
    ['http://localhost', undefined],
    ['http://analytical.com:8080', undefined],
    ['none', undefined],
    [`https://analytical.com/${'a'.repeat(600)}`, undefined],
  ])('%s', (website, companyWebsite) => {
    expect(valuesOf({ website }).companyWebsite).toBe(companyWebsite);
  });

  test('takes precedence over the one derived from the email', () => {
    const { facts } = gatherFacts({ email: 'ada@analytical.com', website: 'analytical.engines.io' });
    expect(facts.companyWebsite).toEqual({ value: 'https://analytical.engines.io', source: 'body' });
  });
});

describe('a phone number', () => {
  test.each([
    ['+49 30 901820', undefined, '+4930901820', 'DE', 'fixed_line'],
    ['0049 30 901820', undefined, '+4930901820', 'DE', 'fixed_line'],
    ['call me on +49 30 901820', undefined, '+4930901820', 'DE', 'fixed_line'],
    ['+49 30 901820, mornings', undefined, '+4930901820', 'DE', 'fixed_line'],
    ['+44 7911 123456', undefined, '+447911123456', 'GG', 'mobile'],
    ['+44 7400 123456', undefined, '+447400123456', 'GB', 'mobile'],
    ['07400 123456', 'United Kingdom', '+447400123456', 'GB', 'mobile'],
    ['(415) 555-2671', 'US', '+14155552671', 'US', 'fixed_line_or_mobile'],
    ['+41 44 668 18 00', 'US', '+41446681800', 'CH', 'fixed_line'],
    ['+800 1234 5678', undefined, '+80012345678', undefined, 'toll_free'],
  ])('%s in %s', (phone, country, e164, phoneCountry, phoneType) => {
    const facts = valuesOf({ phone, ...(country && { country }) });
    expect([facts.phone, facts.phoneCountry, facts.phoneType]).toEqual([e164, phoneCountry, phoneType]);
  });

  test.each([
    ['030 901820', undefined],
    ['+49 1', undefined],
    ['1234567', 'Atlantis'],
    ['9'.repeat(500), 'DE'],
  ])('%s in %s is not a phone number', (phone, country) => {
    expect(valuesOf({ phone, ...(country && { country }) }).phone).toBeUndefined();
  });
});

describe('country and time zone', () => {
  test.each([
    ['de', 'DE', 'Europe/Berlin'],
    ['UK', 'GB', 'Europe/London'],
    ['Deutschland', 'DE', 'Europe/Berlin'],
    ['Österreich', 'AT', 'Europe/Vienna'],
    ['España', 'ES', undefined],
    ['USA', 'US', undefined],
    ['日本', 'JP', 'Asia/Tokyo'],
    ['India', 'IN', 'Asia/Kolkata'],
    ["Côte d'Ivoire", 'CI', 'Africa/Abidjan'],
    ['EU', undefined, undefined],
    ['ZZ', undefined, undefined],
    ['Atlantis', undefined, undefined],
    ['constructor', undefined, undefined],
  ])('%s', (stated, country, timeZone) => {
    const facts = valuesOf({ country: stated });
    expect([facts.country, facts.timeZone]).toEqual([country, timeZone]);
  });

  test('are derived from the phone if none was given, and say so', () => {
    const { facts } = gatherFacts({ phone: '+41 44 668 18 00' });
    expect(facts.country).toEqual({ value: 'CH', source: 'phone-metadata' });
    expect(facts.timeZone).toEqual({ value: 'Europe/Zurich', source: 'phone-metadata' });
  });

  test.each([
    [{ email: 'ada@analytical.de' }, 'DE', 'Europe/Berlin'],
    [{ email: 'ada@analytical.co.uk' }, 'GB', 'Europe/London'],
    [{ email: 'ada@analytical.us' }, 'US', undefined],
    [{ email: 'ada@web.de' }, 'DE', 'Europe/Berlin'],
    [{ email: 'ada@analytical.com', website: 'www.analytical.fr/ada' }, 'FR', 'Europe/Paris'],
    [{ email: 'ada@analytical.at', website: 'analytical.fr' }, 'AT', 'Europe/Vienna'],
    [{ email: 'ada@mailinator.com', website: 'analytical.fr' }, 'FR', 'Europe/Paris'],
    [{ email: 'ada@analytical.pl', phone: 'none' }, 'PL', 'Europe/Warsaw'],
    [{ email: 'ada@analytical.se', country: 'Atlantis' }, 'SE', 'Europe/Stockholm'],
  ])('%j: the ending of the domain gives a country, with low confidence', (roles, country, timeZone) => {
    const rest = { source: 'top-level-domain', confidence: 'low' };
    const { facts } = gatherFacts(roles);
    expect(facts.country).toEqual({ value: country, ...rest });
    expect(facts.timeZone).toEqual(timeZone && { value: timeZone, ...rest });
  });

  test.each(
    'com org eu su io co me tv ai cc fm to ws gg ly sh ac am st vc la is ad ag bz dj li ml nu sc so tk ms info'.split(
      ' ',
    ),
  )('.%s stands for no country', (ending) => {
    expect(
      valuesOf({ email: `ada@analytical.${ending}`, website: `analytical.${ending}` }),
    ).not.toHaveProperty('country');
  });

  test('a disposable address says nothing about a country', () => {
    expect(valuesOf({ email: 'ada@wegwerfemail.de' })).toMatchObject({ mailClass: 'disposable' });
    expect(valuesOf({ email: 'ada@wegwerfemail.de' })).not.toHaveProperty('country');
  });

  test('a number that was read by the domain of the email has low confidence, and so has its country', () => {
    const { facts } = gatherFacts({ email: 'ada@analytical.de', phone: '030 901820' });
    const rest = { source: 'phone-metadata', confidence: 'low' };
    expect(facts.phone).toEqual({ value: '+4930901820', ...rest });
    expect(facts.country).toEqual({ value: 'DE', ...rest });
    const certain = gatherFacts({ email: 'ada@analytical.de', phone: '+49 30 901820' }).facts;
    expect(certain.phone).toEqual({ value: '+4930901820', source: 'phone-metadata' });
    expect(certain.country).toEqual({ value: 'DE', source: 'phone-metadata' });
  });

  test('a given country takes precedence over the phone', () => {
    const { facts } = gatherFacts({ phone: '+41 44 668 18 00', country: 'Austria' });
    expect(facts.country).toEqual({ value: 'AT', source: 'body' });
    expect(facts.phoneCountry?.value).toBe('CH');
  });

  test.each(Object.entries(ONE_TIME_IN_SEVERAL_ZONES))(
    '%s has the same time in all its zones',
    (country, zone) => {
      const offsets = [...zonesOf(country), zone].map((timeZone) =>
        ['2026-01-15T12:00:00Z', '2026-07-15T12:00:00Z']
          .map((instant) =>
            new Intl.DateTimeFormat('en', { timeZone, timeStyle: 'full', dateStyle: 'short' })
              .formatToParts(new Date(instant))
              .filter(({ type }) => type === 'hour' || type === 'minute')
              .map(({ value }) => value)
              .join(':'),
          )
          .join(' '),
      );
      expect(new Set(offsets).size).toBe(1);
    },
  );
});

test('every fact has a source, and unknown facts are absent', () => {
  const { facts } = gatherFacts({
    email: 'Ada@Analytical.com',
    phone: '+49 30 901820',
    name: 'Ada Byron',
    company: ' Analytical  Engines',
  });
  expect({ ...facts, ...mailHostFacts(['aspmx.l.google.com']) }).toEqual({
    email: { value: 'ada@analytical.com', source: 'body' },
    emailDomain: { value: 'analytical.com', source: 'public-suffix-list' },
    mailClass: { value: 'company', source: 'mail-lists' },
    companyWebsite: { value: 'https://analytical.com', source: 'mail-lists' },
    phone: { value: '+4930901820', source: 'phone-metadata' },
    phoneCountry: { value: 'DE', source: 'phone-metadata' },
    phoneType: { value: 'fixed_line', source: 'phone-metadata' },
    country: { value: 'DE', source: 'phone-metadata' },
    timeZone: { value: 'Europe/Berlin', source: 'phone-metadata' },
    firstName: { value: 'Ada', source: 'body' },
    lastName: { value: 'Byron', source: 'body' },
    company: { value: 'Analytical Engines', source: 'body' },
    mailHosts: { value: ['aspmx.l.google.com'], source: 'dns' },
    mailProvider: { value: 'Google Workspace', source: 'dns' },
  });
});

describe('the language of a message', () => {
  // Those of the labelled leads are tested with them, in test/training.
  test.each([
    ['uk', 'Добрий день, ми шукаємо нового постачальника. Надішліть, будь ласка, прайс-лист.'],
    ['bg', 'Здравейте, търсим нов доставчик. Можете ли да ни изпратите ценова листа, моля?'],
    ['ko', '안녕하세요, 새로운 공급업체를 찾고 있습니다. 가격표를 보내 주세요.'],
    ['ar', 'مرحبا، نبحث عن مورد جديد. هل يمكنكم إرسال قائمة الأسعار؟'],
    ['he', 'שלום, אנחנו מחפשים ספק חדש. אפשר לקבל מחירון בבקשה?'],
    ['th', 'สวัสดีครับ เรากำลังหาซัพพลายเออร์รายใหม่ ขอใบเสนอราคาด้วยครับ'],
    ['el', 'Καλησπέρα, ψάχνουμε νέο προμηθευτή. Μπορείτε να μας στείλετε τιμοκατάλογο;'],
    ['hi', 'नमस्ते, हम नए सप्लायर की तलाश में हैं। कृपया हमें कीमत भेजें।'],
    ['de', 'Habe Interesse an Ihrem Produkt SuperWidget 3000 Pro Max und möchte wissen, was das kostet'],
    ['ru', 'Интересует SuperWidget Pro 3000, сколько он стоит и есть ли скидка для юр. лиц?'],
    ['ja', 'iPhone 15 Pro Maxの在庫はありますか？'],
    ['de', 'hallo wir hatten gerne ein angebot fur 20 stuhle, konnen sie uns das bis freitag schicken'],
  ])('%s: %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  test.each([
    ['no text', ''],
    ['one word', 'Hallo'],
    ['numbers', '4711 0815 12345678901234567890'],
    ['names of products', 'SuperWidget 3000, MegaWidget Plus, UltraWidget XL'],
    ['random letters', 'sdfg hjkl wert zuio asdf yxcv bnmq'],
    ['a link', 'https://www.example.com/the-and-or-of-to-in-for-is-are/you'],
    ['two languages', 'Hello, could you send the price? Guten Tag, wir suchen ein Angebot für die Firma'],
    ['two scripts', 'Please send the price list to us, пришлите нам пожалуйста прайс лист'],
    ['Persian', 'سلام، ما به دنبال تامین کننده جدید هستیم. لطفا لیست قیمت را بفرستید؟ گروه'],
    ['Belarusian', 'Добры дзень, мы шукаем новага пастаўшчыка, дашліце, калі ласка, цэннік'],
    ['Serbian', 'Добар дан, тражимо новог добављача, можете ли нам послати ценовник'],
    ['Kazakh', 'Сәлеметсіз бе, біз жаңа жеткізуші іздеп жүрміз'],
  ])('%s has none', (_, text) => {
    expect(detectLanguage(text)).toBeUndefined();
  });

  test('is found in the time that its length allows', () => {
    for (const unit of ['a', 'a ', '@', 'the ', 'ы', '漢', '\u0301', '//']) {
      expect(() => detectLanguage(unit.repeat(100_000))).not.toThrow();
    }
  });
});

test('the fact comes from all fields that hold a text', () => {
  const fields = {
    email: 'ada@analytical.com',
    subject: 'Anfrage',
    message: 'Wir hätten gerne ein Angebot für zwanzig Stühle. Können Sie uns das schicken?',
  };
  const { facts } = gatherFacts(rolesOf(fields), contextOf(fields));
  expect(facts.language).toEqual({ value: 'de', source: 'message' });
  expect(gatherFacts(rolesOf({ email: 'ada@analytical.com' }), {}).facts).not.toHaveProperty('language');
});

test('the fact comes from the field that the form calls the message', () => {
  const fields = {
    email: 'ada@analytical.com',
    q1: 'Do you have the blue ones in stock, and how much are they?',
  };
  const kept = { email: 'email', message: 'q1' };
  expect(gatherFacts(rolesOf(fields, kept), contextOf(fields, kept)).facts.language?.value).toBe('en');
});
