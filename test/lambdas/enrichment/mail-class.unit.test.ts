import { domainToASCII } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { readEmail } from '#enrichment/contact-facts.ts';
import { classifyMail } from '#enrichment/mail-class.ts';
import { readableDomain } from '#enrichment/readable-domain.ts';

function classOf(domain: string, local = 'ada'): string {
  const email = readEmail(`${local}@${domain}`);
  if (!email) throw new Error('not an email');
  return classifyMail(email);
}

describe('schools and universities', () => {
  test.each(
    `stanford.edu cs.stanford.edu ox.ac.uk stud.ox.ac.uk kings.kent.sch.uk tokyo.ac.jp u-tokyo.ac.jp univie.ac.at
    unimelb.edu.au student.unimelb.edu.au uw.edu.pl buet.ac.bd nus.edu.sg live.mdx.ac.uk springfield.k12.or.us
    uni-bonn.de stud.uni-heidelberg.de tu-dresden.de fu-berlin.de hochschule-trier.de univ-lyon1.fr unibo.it studio.unibo.it
    ethz.ch student.ethz.ch unican.es tudelft.nl utoronto.ca usp.br`.split(/\s+/),
  )('%s', (domain) => {
    expect(classOf(domain)).toBe('education');
  });

  test('a shared mailbox there is no company mailbox', () => {
    expect(classOf('uni-bonn.de', 'info')).toBe('education');
  });

  test.each([
    ['ac.de', 'company'],
    ['mail.ac-elektro.de', 'company'],
    ['education.com', 'company'],
    ['unicredit.it', 'company'],
    ['unilever.com', 'company'],
    ['universal.de', 'company'],
    ['tui.de', 'company'],
    ['edu-tech.io', 'company'],
    ['australia.edu', 'free'],
  ])('%s is none: %s', (domain, mailClass) => {
    expect(classOf(domain)).toBe(mailClass);
  });
});

describe('internet providers', () => {
  test.each(
    `t-online.de orange.fr wanadoo.fr free.fr sfr.fr btinternet.com virginmedia.com sky.com libero.it virgilio.it tiscali.it
    comcast.net verizon.net att.net sbcglobal.net cox.net charter.net shaw.ca rogers.com bigpond.com optusnet.com.au ziggo.nl
    telenet.be bluewin.ch aon.at telia.com xtra.co.nz docomo.ne.jp i.softbank.jp hinet.net joe.plus.com`.split(
      /\s+/,
    ),
  )('%s', (domain) => {
    expect(classOf(domain)).toBe('internet-provider');
  });

  test.each([
    ['gmail.com', 'free'],
    ['web.de', 'free'],
    ['softbank.jp', 'company'],
    ['telekom.de', 'company'],
    ['orange.com', 'company'],
  ])('%s is none: %s', (domain, mailClass) => {
    expect(classOf(domain)).toBe(mailClass);
  });
});

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
