import { describe, expect, test } from '@jest/globals';
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
  test('that is right has no problem', () => {
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
