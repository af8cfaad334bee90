import { domainToASCII } from 'node:url';
import { expect, test } from '@jest/globals';
import { readableDomain } from '#enrichment/readable-domain.ts';

test.each(
  `analytical.com münchen.de müller-söhne.de straße.de café.fr cœur.fr señor.es ação.com.br łódź.pl škoda.cz şişli.com.tr
  vượt.vn 例え.jp ドメイン.jp 日本語.jp 中文网.cn 中國.tw 한국.kr пример.рф почта.ru хорошо.com укр.укр παράδειγμα.gr όνομα.com
  مثال.com דוגמה.co.il उदाहरण.com ตัวอย่าง.ไทย сон.ru`.split(/\s+/),
)('%s is shown as it is written', (domain) => {
  expect(readableDomain(domainToASCII(domain))).toBe(domain);
});

test.each([
  ['Cyrillic letters that all look Latin', 'аррӏе.com'],
  ['one Cyrillic letter among Latin ones', 'аpple.com'],
  ['one Greek letter among Latin ones', 'gοogle.com'],
  ['Greek letters that all look Latin', 'ονο.com'],
  ['Latin and Han', 'apple一.com'],
  ['dotless i', 'gıthub.com'],
  ['a dot below', 'googḷe.com'],
  ['script g', 'ɡoogle.com'],
  ['Cherokee', 'ꭰꮳ.com'],
  ['an emoji', '💩.la'],
  ['an honest name with a dishonest subdomain', 'аррӏе.münchen.de'],
])('%s stay in ASCII', (_, domain) => {
  const ascii = domainToASCII(domain);
  expect(ascii).toContain('xn--');
  expect(readableDomain(ascii)).toBe(ascii);
});

test.each(['xn--a.com', 'xn--.com', 'xn--99999999999.de'])('%s, which cannot be decoded, stays', (ascii) => {
  expect(readableDomain(ascii)).toBe(ascii);
});
