import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Role } from '#model/lead-fields.ts';
import {
  type FoundRoles,
  findRoles,
  PERSON_ROLES,
  roleOf,
  rolesOfLead,
  rolesToKeep,
} from '#scoring/roles.ts';
import { scoreLead } from '#scoring/score-lead.ts';

const KEYS: [Role, ...string[]][] = [
  ['email', 'email', 'e-mail', 'E-Mail-Adresse', 'work_email', 'Email Address', 'emailAddress', 'your-email'],
  ['email', 'correo', 'courriel', 'メールアドレス', '邮箱', '電子郵件', '업무용 이메일', 'ईमेल पता', 'epost'],
  ['email', 'البريد الإلكتروني'],
  ['phone', 'phone', 'Phone Number', 'mobile', 'telefono', 'Handy', '電話番号', '手机', '연락처', 'телефон'],
  ['phone', 'điện thoại', 'sdt'],
  ['name', 'name', 'fullName', 'Full Name', 'nome_completo', 'Ansprechpartner', '姓名', 'お名前', '담당자'],
  ['name', 'họ tên', 'शुभ नाम'],
  ['firstName', 'first_name', 'firstName', 'Vorname', 'prénom', 'imię'],
  ['lastName', 'last_name', 'Nachname', 'apellidos', 'nazwisko', 'příjmení'],
  ['company', 'company', 'company_name', 'Organisation', 'empresa', 'azienda', '会社名', '회사명', 'công ty'],
  ['company', 'εταιρεία'],
  ['message', 'message', 'your-message', 'Comments', 'Nachricht', 'mensaje', '内容', 'お問い合わせ', 'not'],
  ['message', '문의내용', 'nội dung'],
  ['website', 'website', 'url', 'homepage', 'Sitio Web', 'сайт'],
  ['country', 'country', 'Land', 'país', '国家', 'страна'],
];

describe('a role is known by the name of its key', () => {
  test.each(KEYS.flatMap(([role, ...keys]) => keys.map((key) => [key, role] as const)))(
    '%s: %s',
    (key, role) => {
      expect(roleOf({ key, value: 'anything' })).toBe(role);
    },
  );

  test.each(['utm_source', 'page_url', 'form_name', 'user_agent', 'campaign_name', 'timezone'])(
    '%s: not about the person',
    (key) => {
      expect(roleOf({ key, value: 'anything' })).toBe('about');
    },
  );

  const traps = 'hp honeypot _gotcha website2 url_confirm leave_blank bot-field confirm_email_hp'.split(' ');
  test.each(traps)('%s: a trap for programs', (key) => {
    expect(roleOf({ key, value: 'x' })).toBe('honeypot');
  });

  test('hp with a number in it is an Indonesian phone', () => {
    expect(roleOf({ key: 'hp', value: '0812 6041 7738' })).not.toBe('honeypot');
  });
});

describe('roles of a lead', () => {
  test('what the form says comes before what the key says', () => {
    const fields = { name: 'ada@analytical-engines.co.uk', field_7: 'Ada Byron' };
    const configuration = [
      { key: 'name', role: 'email' },
      { key: 'field_7', role: 'name' },
    ];
    expect(findRoles(fields, configuration)).toMatchObject({
      email: { key: 'name', value: 'ada@analytical-engines.co.uk' },
      name: { key: 'field_7', value: 'Ada Byron' },
    });
  });

  test('where keys say nothing, values do', () => {
    const roles = findRoles({
      q1: 'Ewan McCorquodale',
      q2: 'ewan@lochbuiesalmon.co.uk',
      q3: 'Do you rent cold-chain loggers as well?',
      q4: '+44 1680 812 345',
    });
    expect(roles).toMatchObject({
      name: { key: 'q1' },
      email: { key: 'q2' },
      message: { key: 'q3' },
      phone: { key: 'q4' },
    });
  });

  const SERVICE = 'https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2/invitees/AAAAAAAAAAAAAAAA';
  const OWN = 'https://www.ablettframes.co.uk/shop';
  test.each([
    ['a key names it', { website: 'ablettframes.com' }, 'ablettframes.com'],
    ['it is on the domain of the address', { q7: OWN }, OWN],
    ['a service is the lead’s own', { email: 'ada@calendly.com', url: SERVICE }, SERVICE],
    ['another key has a service’s address', { url: SERVICE, homepage: OWN }, OWN],
    ['the key says nothing', { uri: SERVICE, q7: 'https://elsewhere.com' }, undefined],
    ['it is a page of a service', { website: 'linkedin.com/in/ada', url: SERVICE }, undefined],
    ['it ends like the domain only', { q7: 'https://notablettframes.co.uk' }, undefined],
    ['it is a picture', { avatar_url: 'https://elsewhere.com/a.png' }, undefined],
  ])('the website, where %s', (_, fields, website) => {
    expect(findRoles({ email: 'c.ablett@ablettframes.co.uk', ...fields }).website?.value).toBe(website);
  });

  test.each(['Please call me', 'We offer cheap SEO'])(
    'addresses in the sender’s system change no score: %s',
    (message) => {
      const lead = { name: 'Ada Byron', email: 'ada@analytical-engines.co.uk', message };
      expect(scoreLead({ ...lead, uri: SERVICE, url: SERVICE, scheduling_url: SERVICE })).toEqual(
        scoreLead(lead),
      );
    },
  );

  test.each([
    ['in another field', { email: '', phone: 'glenys@outlook.com' }, 'glenys@outlook.com'],
    ['within the message', { message: 'write to hal@gmail.com please' }, 'hal@gmail.com'],
    [
      'with a name around it',
      { email: 'Constance <c.ablett@ablettframes.co.uk>' },
      'c.ablett@ablettframes.co.uk',
    ],
    ['padded', { email: '  ravi@gmail.com ' }, 'ravi@gmail.com'],
    ['one level down', { contact: { courriel: 'a@b.fr' } }, 'a@b.fr'],
  ])('an address is found %s', (_, fields, address) => {
    expect(findRoles(fields).email?.value).toBe(address);
  });
});

const REFERRER = { email: 'grace@navy.mil', contact: 'ada@analytical-engines.co.uk', name: 'Ada Byron' };
const TRAP = { key: 'email', role: 'honeypot' };
const CONTACT = { key: 'contact', role: 'email' };

const valuesOf = (roles: FoundRoles) =>
  Object.fromEntries(PERSON_ROLES.flatMap((role) => (roles[role]?.value ? [[role, roles[role].value]] : [])));

describe('the roles that are kept with a lead', () => {
  test.each([
    ['no configuration', REFERRER, [], undefined],
    ['what the keys say anyway', REFERRER, [{ key: 'email', role: 'email' }], undefined],
    ['keys that the body does not have', REFERRER, [{ key: 'mail', role: 'email' }], undefined],
    ['another key', REFERRER, [CONTACT], { email: 'contact', name: 'name' }],
    [
      'a key that has no role any more',
      { name: 'Ada Byron' },
      [{ key: 'name', role: 'company' }],
      { company: 'name' },
    ],
    ['none at all', { email: 'a@b.co' }, [TRAP], {}],
  ])('%s', (_, fields, configuration, kept) => {
    expect(rolesToKeep(fields, findRoles(fields, configuration))?.roles).toEqual(kept);
  });

  test('come with the score, clean or not', () => {
    expect(scoreLead(REFERRER, [CONTACT])).toMatchObject({ clean: true, roles: { email: 'contact' } });
    expect(scoreLead(REFERRER)).not.toHaveProperty('roles');
    const trapped = scoreLead(REFERRER, [TRAP, CONTACT]);
    expect(trapped).toMatchObject({ clean: false, roles: { email: 'contact' } });
  });

  test('give what scoring found, whatever the form says', () => {
    const keys = ['email', 'work_email', 'name', 'q1', 'phone', 'company', 'website', '__proto__'];
    const key = fc.constantFrom(...keys, 'long'.repeat(30));
    const addresses = ['https://b.co/x', 'https://cal.com', 'a@b.co', 'write to c@d.co'];
    const value = fc.constantFrom(...addresses, 'Ada Byron', '+49 30 901820', '', 'Acme', 7);
    const roles = ['email', 'website', 'name', 'phone', 'company', 'honeypot', 'message', 'nonsense'];
    const role = fc.constantFrom(...roles);
    fc.assert(
      fc.property(
        fc.dictionary(key, value),
        fc.array(fc.record({ key, role }), { maxLength: 6 }),
        (fields, configuration) => {
          const found = findRoles(fields, configuration);
          const kept = rolesToKeep(fields, found)?.roles;
          expect(valuesOf(rolesOfLead(fields, kept))).toEqual(valuesOf(found));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
