import { describe, expect, test } from '@jest/globals';
import { generate } from 'lean-qr';
import { qrPath } from '../../console/src/pages/security/qr-path.ts';
import { newPasswordProblems, resetError, signInError } from '../../console/src/session/sign-in-problems.ts';

const named = (name: string) => Object.assign(new Error('in the words of Cognito'), { name });

describe('a wrong code', () => {
  const wrong = named('CodeMismatchException');

  test('from an app changes every 30 seconds', () => {
    expect(signInError(wrong)).toContain('every 30 seconds');
  });

  test('from an email does not, and a new one can be sent', () => {
    expect(resetError(wrong)).not.toContain('30 seconds');
    expect(resetError(wrong)).toContain('send a new code');
  });
});

test('a failed reset does not mention a wrong password', () => {
  expect(resetError(named('NotAuthorizedException'))).not.toContain('is wrong');
});

test.each([signInError, resetError])("%p never shows Cognito's own message", (explain) => {
  expect(explain(named('SomethingNew'))).not.toContain('Cognito');
  expect(explain('not even an error')).toContain('Try again');
});

describe('a new password', () => {
  test('that follows the rules has no problem', () => {
    expect(newPasswordProblems('Correct-horse-1', 'Correct-horse-1')).toEqual({});
  });

  test('that is too short and differs gets both errors at once', () => {
    expect(newPasswordProblems('Short-1a', 'Short-1b')).toEqual({
      password: 'The password needs at least 12 characters.',
      again: 'Passwords don’t match.',
    });
  });

  test.each([
    ['', 'at least 12 characters, an uppercase letter, a lowercase letter, a number and a symbol'],
    ['alllowercaseletters', 'an uppercase letter, a number and a symbol'],
    ['Nosymbol12345', 'a symbol'],
  ])('%p needs %s', (password, missing) => {
    expect(newPasswordProblems(password, password).password).toBe(`The password needs ${missing}.`);
  });
});

describe('the QR code', () => {
  const ADDRESS = 'otpauth://totp/Lead%20ingest:ada@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Lead%20ingest';

  /** The modules that a path covers, as "x,y". */
  function covered(path: string): string[] {
    const runs = path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g);
    return [...runs].flatMap(([, x, y, width, back]) => {
      expect(back).toBe(width);
      return Array.from({ length: Number(width) }, (_, along) => `${Number(x) + along},${y}`);
    });
  }

  test('the path covers every dark module of the code once, and nothing else', () => {
    const code = generate(ADDRESS);
    const all = Array.from({ length: code.size ** 2 }, (_, at) => [
      at % code.size,
      Math.floor(at / code.size),
    ]);
    const dark = all.filter(([x, y]) => code.get(x as number, y as number)).map((module) => module.join());
    const path = qrPath(code);
    expect(path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
    expect(covered(path).sort()).toEqual(dark.sort());
  });
});
