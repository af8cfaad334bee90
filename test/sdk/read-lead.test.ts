import { describe, expect, test } from '@jest/globals';
import { roleOf } from '#scoring/roles.ts';
import { scoreLead } from '#scoring/score-lead.ts';
import { ELAPSED_FIELD, HONEYPOT_FIELD, readLead } from '../../sdk/read-lead.ts';

describe("a form's entries", () => {
  test('become one flat object', () => {
    expect(
      readLead([
        ['name', 'Ada'],
        ['company', ''],
      ]),
    ).toEqual({ name: 'Ada', company: '' });
  });

  test('of one name are joined', () => {
    expect(
      readLead([
        ['topic', 'sales'],
        ['topic', 'support'],
      ]),
    ).toEqual({ topic: 'sales, support' });
  });

  test('that are files are left out', () => {
    expect(
      readLead([
        ['cv', new File(['x'], 'cv.pdf')],
        ['name', 'Ada'],
      ]),
    ).toEqual({ name: 'Ada' });
  });

  test('keep a field named __proto__', () => {
    expect(JSON.stringify(readLead([['__proto__', 'x']]))).toBe('{"__proto__":"x"}');
  });

  test('include the honeypot only if it was filled in', () => {
    expect(readLead([[HONEYPOT_FIELD, '']])).toEqual({});
    expect(readLead([[HONEYPOT_FIELD, 'spam']])).toEqual({ [HONEYPOT_FIELD]: 'spam' });
  });
});

describe('scoring', () => {
  const PERSON = { name: 'Ada Byron', email: 'ada.byron@siemens.com', message: 'Please send us a quote.' };
  const signalsOf = (fields: Record<string, unknown>) =>
    scoreLead(fields).signals.map((signal) => signal.name);

  test('recognizes the honeypot by its name', () => {
    expect(roleOf({ key: HONEYPOT_FIELD, value: 'x' })).toBe('honeypot');
    expect(signalsOf({ ...PERSON, [HONEYPOT_FIELD]: 'x' })).toContain('honeypot_filled');
  });

  test('takes the elapsed time for nothing that a person typed', () => {
    expect(roleOf({ key: ELAPSED_FIELD, value: '491234567' })).toBe('about');
    expect(signalsOf({ ...PERSON, [ELAPSED_FIELD]: 12_345 })).toEqual(signalsOf(PERSON));
  });
});
