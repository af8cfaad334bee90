const MESSAGES: Readonly<Record<string, string>> = {
  NotAuthorizedException: 'The email address or the password is wrong.',
  UserNotFoundException: 'The email address or the password is wrong.',
  CodeMismatchException: 'The code is wrong. Codes change every 30 seconds: try the one shown now.',
  EnableSoftwareTokenMFAException: 'The code is wrong. Codes change every 30 seconds: try the one shown now.',
  ExpiredCodeException: 'The code has expired. Ask for a new one.',
  InvalidPasswordException:
    'The password needs at least 12 characters, with an upper-case and a lower-case letter, a digit and a symbol.',
  LimitExceededException: 'There were too many attempts. Wait a few minutes and try again.',
  TooManyRequestsException: 'There were too many attempts. Wait a few minutes and try again.',
  TooManyFailedAttemptsException: 'There were too many attempts. Wait a few minutes and try again.',
  PasswordResetRequiredException: 'This password has to be replaced first: choose “Forgot your password?”.',
  NetworkError: 'The sign-in service cannot be reached. Check your connection and try again.',
};

/** What went wrong, in words that help. Cognito's own words may tell whether an address is known. */
export function signInProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return MESSAGES[name] ?? 'Signing in did not work. Try again; if it keeps failing, ask your operator.';
}
