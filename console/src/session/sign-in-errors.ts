const TOO_MANY = 'There were too many attempts. Wait a few minutes and try again.';
const WRONG_APP_CODE = 'The code is wrong. Codes change every 30 seconds: try the one shown now.';

const MESSAGES: Readonly<Record<string, string>> = {
  NotAuthorizedException: 'The email address or the password is wrong.',
  UserNotFoundException: 'The email address or the password is wrong.',
  CodeMismatchException: WRONG_APP_CODE,
  EnableSoftwareTokenMFAException: WRONG_APP_CODE,
  ExpiredCodeException: 'The code has expired. Ask for a new one.',
  InvalidPasswordException:
    'The password needs at least 12 characters, with an upper-case and a lower-case letter, a digit and a symbol.',
  LimitExceededException: TOO_MANY,
  TooManyRequestsException: TOO_MANY,
  TooManyFailedAttemptsException: TOO_MANY,
  PasswordResetRequiredException: 'This password has to be replaced first: choose “Forgot your password?”.',
  NetworkError: 'The sign-in service cannot be reached. Check your connection and try again.',
};

/** The code came by mail and no password was asked for: the same names mean something else. */
const RESET_MESSAGES: Readonly<Record<string, string>> = {
  ...MESSAGES,
  NotAuthorizedException: 'This password cannot be reset by email. Ask your operator.',
  UserNotFoundException: 'This password cannot be reset by email. Ask your operator.',
  CodeMismatchException: 'The code is wrong. Compare it with the newest email, or send a new code.',
  ExpiredCodeException: 'The code has expired. Send a new code.',
};

/** What went wrong, in words that help. Cognito's own words may tell whether an address is known. */
export function signInProblem(error: unknown): string {
  return (
    MESSAGES[nameOf(error)] ?? 'Signing in did not work. Try again; if it keeps failing, ask your operator.'
  );
}

export function resetProblem(error: unknown): string {
  return (
    RESET_MESSAGES[nameOf(error)] ??
    'The password was not reset. Try again; if it keeps failing, ask your operator.'
  );
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : '');
