import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PERSON_ROLES, rolesOfLead, rolesToKeep } from '#scoring/lead-roles.ts';
import { type FoundRoles, findRoles } from '#scoring/roles.ts';
import { scoreLead } from '#scoring/score-lead.ts';

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

  test('come with the score of a clean lead, and with no other', () => {
    expect(scoreLead(REFERRER, [CONTACT])).toMatchObject({ clean: true, roles: { email: 'contact' } });
    expect(scoreLead(REFERRER)).not.toHaveProperty('roles');
    const trapped = scoreLead(REFERRER, [TRAP, CONTACT]);
    expect(trapped.clean).toBe(false);
    expect(trapped).not.toHaveProperty('roles');
  });

  test('give what scoring found, whatever the form says', () => {
    const key = fc.constantFrom(
      'email',
      'work_email',
      'name',
      'q1',
      'phone',
      'company',
      '__proto__',
      'long'.repeat(30),
    );
    const value = fc.constantFrom('a@b.co', 'write to c@d.co', 'Ada Byron', '+49 30 901820', '', 'Acme', 7);
    const role = fc.constantFrom('email', 'name', 'phone', 'company', 'honeypot', 'message', 'nonsense');
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
      { numRuns: 3_000 },
    );
  });
});
