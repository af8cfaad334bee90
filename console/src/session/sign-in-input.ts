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
