/** What pages of leads show, and what people may type to find them. Used with and without DynamoDB. */
export interface Sought {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Besides what `typedFor` makes of the fields. */
  readonly typed?: readonly string[];
}

const company = (name: string, ...typed: string[]): Sought => ({ fields: { company: name }, typed });
const named = (name: string, ...typed: string[]): Sought => ({ fields: { name }, typed });
const address = (email: string, ...typed: string[]): Sought => ({ fields: { email }, typed });
const number = (phone: string, country: string, ...typed: string[]): Sought => ({
  fields: { phone, country },
  typed,
});

export const SOUGHT: readonly Sought[] = [
  company('AT&T', 'AT & T', 'at t'),
  company(
    'Müller & Söhne GmbH & Co. KG',
    'Mueller',
    'Müller & Söhne',
    'mueller soehne',
    'muller sohne gmbh',
    'GmbH & Co. KG',
  ),
  company('Mueller Maschinenbau AG', 'Müller', 'maschinenbau', 'schinenb'),
  company('Booking.com', 'booking', 'booking com'),
  company("O'Reilly Media, Inc.", 'oreilly', 'O’Reilly', 'reilly', 'O Reilly', "o'reilly media inc"),
  company("L'Oréal S.A.", "l'oreal", 'L’Oréal', 'oreal', 'loreal', 'L Oréal', 'l’oréal sa'),
  company('Saint-Gobain', 'saint gobain', 'saintgobain', 'gobain'),
  company('A.P. Møller – Mærsk A/S', 'moller', 'moeller', 'Maersk', 'A.P. Møller', 'A. P. Moller', 'A/S'),
  company('H&M Hennes & Mauritz AB', 'H&M', 'hennes mauritz', 'Hennes & Mauritz'),
  company('Dr. Oetker', 'dr oetker', 'Dr.Oetker', 'Ötker'),
  company('E.ON SE', 'eon', 'e on'),
  company('7-Eleven', '7 eleven', '7eleven', 'eleven'),
  company('1&1 Versatel', '1&1', '1 & 1 versatel'),
  company('Škoda Auto a.s.', 'skoda', 'a.s.', 'skoda auto a.s'),
  company('Société Générale', 'societe generale'),
  company('PKN Orlen S.A. Łódź', 'lodz', 'Lódź', 'S.A.'),
  company('Yahoo!', 'yahoo'),
  company('Toys“R”Us', 'toys r us', 'Toys', 'toysrus'),
  company('Ben & Jerry’s', "ben & jerry's", 'jerrys'),
  company('株式会社サンプル', 'サンプル', '株式会社', 'サ', '株'),
  company('腾讯控股有限公司', '腾讯', '控股', '公司', '腾'),
  company('삼성전자', '삼성', '전자', '삼'),
  company('ООО «Ромашка»', 'ромашка', 'омашк'),
  company('Αθηναϊκή Ζυθοποιία', 'ΑΘΗΝΑΪΚΗ', 'αθηναικη', 'ζυθο'),
  company('شركة النور'),
  named('王伟', '王', '伟'),
  named('李'),
  named('佐藤健太郎', '佐藤', '健太郎', '太', '佐'),
  named('山田 太郎', '山田太郎'),
  named('タナカ ケン', 'ﾀﾅｶ'),
  named('Nguyễn Thị Minh Khai', 'nguyen', 'Thị', 'minh khai', 'NGUYEN THI'),
  named('Trần Văn Đức', 'duc', 'tran van duc'),
  named('Işıl Yıldız', 'isil', 'yildiz', 'IŞIL'),
  named('İbrahim Çelik', 'ibrahim', 'celik', 'İBRAHİM'),
  named('Иван Петров', 'петр', 'Иван П'),
  named('Фёдор Ёлкин', 'федор', 'елкин'),
  named('Γιώργος Παπαδόπουλος', 'γιωργος', 'ΠΑΠΑΔΟΠΟΥΛΟΣ', 'παπα'),
  named('דוד כהן'),
  named('สมชาย ใจดี'),
  named('राहुल शर्मा', 'राहुल'),
  named('Anne-Marie Müller-Lüdenscheid', 'anne marie', 'ludenscheid', 'mueller', 'annemarie'),
  named('Jörg Schäfer', 'joerg', 'schaefer', 'jorg', 'Schaefer Joerg'),
  named('Joerg Schaefer', 'Jörg', 'Schäfer', 'joerg schäfer'),
  named('Weiß', 'weis'),
  named('Groß Strasse', 'gross', 'Straße'),
  named('J. R. R. Tolkien', 'J.R.R. Tolkien', 'J R R Tolkien', 'tolkien j', 'jrr'),
  named('J.K. Rowling', 'JK Rowling', 'J. K. Rowling', 'j.k.'),
  named('Seán Ó Briain', 'sean', 'O Briain', 'Ó Briain'),
  named('Wu'),
  named('Bo Li', 'li bo'),
  named('Åsa Öberg', 'asa', 'oeberg', 'oberg', 'Aasa'),
  named('Søren Kierkegaard', 'soren', 'soeren', 'kierke'),
  named('Þórður Guðmundsson', 'guðmund', 'gudmundsson', 'thordur'),
  named('François d’Estaing', 'francois', "d'estaing", 'estaing', 'destaing'),
  named('Ludwig van Beethoven', 'van beethoven', 'thove'),
  address('ada.lovelace@mail.engines.example', '@mail', 'lovelace@', 'engines.example', 'ada.love', 'ngines'),
  address('sales+berlin@acme-tools.de', '+berlin', 'acme-tools', 'acme', 'sales'),
  address('JM@Gmail.com', '@gmail'),
  address('info@müller.de'),
  address('first-last@sub.company.co.uk', 'company.co.uk', '@sub.company', 'sub.comp', 'co.uk'),
  address('x@y.io'),
  number(
    '+49 30 1234567',
    'DE',
    '030 1234567',
    '030/1234567',
    '0301234567',
    '0049 30 1234567',
    '+49 (0)30 1234567',
    '1234567',
    '030 123',
    '(030) 1234567',
    '030-123 45 67',
    '49 30 1234567',
    '+49 30',
  ),
  // Separators do not matter, as the first number shows.
  number('0171 2345678', 'DE', '+49 171 2345678', '0049171 2345678', '+49 (0) 171 2345678', '171 2345678'),
  number('+44 20 7946 0958', 'GB', '020 7946 0958', '7946 0958', '0044 20 7946 0958', '+44 (0)20 7946 0958'),
  number('(415) 555-2671', 'US', '+1 415 555 2671', '1-415-555-2671', '001 415 555 2671', '555-2671'),
  number('+33 1 42 68 53 00', 'FR', '01 42 68 53 00', '0033 1 42 68 53 00', '42 68 53'),
  number('06 12 34 56 78', 'FR', '+33 6 12 34 56 78', '+33 (0)6 12 34 56 78'),
  number('+39 06 6982', 'IT', '06 6982', '0039 06 6982'),
  number('+41 44 668 18 00', 'CH', '044 668 18 00', '+41 (0)44 668 18 00'),
  number('+81 3-1234-5678', 'JP', '03-1234-5678'),
  number('8 (495) 123-45-67', 'RU', '+7 495 123-45-67', '495 123'),
];

/** Searches by the shown values: whole, in lower case, one word of it, and the middle of a word. */
export function typedFor(value: string): string[] {
  const words = value.split(/\s+/).filter((word) => [...word].length > 1 && /[\p{L}\p{N}]{2}/u.test(word));
  const longest = [...words].sort((one, other) => other.length - one.length)[0];
  const letters = [...(longest ?? '')];
  const middle = letters.length > 5 ? letters.slice(2, -1).join('') : undefined;
  return [value, value.toLowerCase(), value.toUpperCase(), words[0], words.at(-1), middle].filter(
    (typed) => typed !== undefined,
  );
}

/** Parts of an address, as people type them. */
export function typedForAddress(email: string): string[] {
  const [local = '', domain = ''] = email.split('@');
  const parts = local.length > 1 ? [local, `${local}@`] : [];
  const middle = domain.length > 6 ? [domain.slice(1, -1)] : [];
  return [email, email.toUpperCase(), domain, `@${domain}`, ...parts, ...middle];
}
