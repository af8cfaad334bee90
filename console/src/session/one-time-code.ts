/** The six digits of a code, which apps show in two halves. Undefined where it is not whole. */
export function readCode(typed: string): string | undefined {
  const digits = typed.replace(/\s/g, '');
  return /^\d{6}$/.test(digits) ? digits : undefined;
}
