/** The six digits, without the space that apps show. Undefined if incomplete. */
export function readCode(typed: string): string | undefined {
  const digits = typed.replace(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}

interface NewPasswordProblems {
  readonly password: string | undefined;
  readonly again: string | undefined;
}

const NEEDED: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['at least 12 characters', /^.{12}/s],
  ['an uppercase letter', /[A-Z]/],
  ['a lowercase letter', /[a-z]/],
  ['a number', /\d/],
  ['a symbol', /[^A-Za-z0-9]/],
];

/** All problems per field, by the user pool's rules. */
export function newPasswordProblems(password: string, again: string): NewPasswordProblems {
  const missing = NEEDED.filter(([, pattern]) => !pattern.test(password)).map(([what]) => what);
  return {
    password: missing.length === 0 ? undefined : `The password needs ${listed(missing)}.`,
    again: password === again ? undefined : 'Passwords don’t match.',
  };
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

const TOO_MANY = 'Too many attempts. Wait a few minutes and try again.';
const WRONG_APP_CODE = 'Incorrect code. Codes change every 30 seconds, so try the current one.';

const MESSAGES: Readonly<Record<string, string>> = {
  NotAuthorizedException: 'Incorrect email address or password.',
  UserNotFoundException: 'Incorrect email address or password.',
  CodeMismatchException: WRONG_APP_CODE,
  EnableSoftwareTokenMFAException: WRONG_APP_CODE,
  ExpiredCodeException: 'The code has expired. Request a new one.',
  InvalidPasswordException:
    'The password needs at least 12 characters, with an uppercase letter, a lowercase letter, a number and a symbol.',
  LimitExceededException: TOO_MANY,
  TooManyRequestsException: TOO_MANY,
  TooManyFailedAttemptsException: TOO_MANY,
  PasswordResetRequiredException: 'You need to reset your password. Choose “Forgot your password?”.',
  SessionsNotEnded:
    'Your password was changed, but other browsers may still be signed in. Change it again to sign them out.',
  NetworkError: 'Can’t reach the sign-in service. Check your connection and try again.',
};

/** During a password reset the same error names mean something else. */
const RESET_MESSAGES: Readonly<Record<string, string>> = {
  ...MESSAGES,
  NotAuthorizedException: 'This password can’t be reset by email. Contact the service operator.',
  UserNotFoundException: 'This password can’t be reset by email. Contact the service operator.',
  CodeMismatchException: 'Incorrect code. Check the latest email or send a new code.',
  ExpiredCodeException: 'The code has expired. Send a new code.',
};

/** A helpful error text. Cognito's own texts may reveal whether an address exists. */
export function signInError(error: unknown): string {
  return (
    MESSAGES[nameOf(error)] ?? 'Sign-in failed. Try again. If it keeps failing, contact the service operator.'
  );
}

export function resetError(error: unknown): string {
  return (
    RESET_MESSAGES[nameOf(error)] ??
    'Password reset failed. Try again. If it keeps failing, contact the service operator.'
  );
}

export function changePasswordError(error: unknown): string {
  const name = nameOf(error);
  if (name === 'NotAuthorizedException') return 'Incorrect password.';
  return MESSAGES[name] ?? 'The password couldn’t be changed. Try again in a moment.';
}

/** For an owner who is signed in and must prove it. */
export function proofError(error: unknown): string {
  return nameOf(error) === 'NotAuthorizedException' ? 'Incorrect password.' : signInError(error);
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '');
