// Finds email addresses and phone numbers in text without the lists of scoring, so that the console can use it too.

const MAX_ADDRESSES = 5;
const MAX_LOCAL_LENGTH = 64;
const MAX_DOMAIN_LENGTH = 253;
// Ranges, not Unicode properties, which V8 takes milliseconds to build at import.
const LOCAL = /[a-z\d\u00c0-\u1fff\u2c00-\u2fef\u3005-\u3007\u3021-\uffdc.!#$%&'*+/=?^_`{|}~-]/i;
const DOMAIN = /[a-z\d\u00c0-\u1fff\u2c00-\u2fef\u3005-\u3007\u3021-\uffdc.-]/i;

/** The well-formed addresses in a text, wherever they stand. Looks only around each `@`, never from the start again. */
export function addressesIn(text: string): string[] {
  const plain = text.normalize('NFKC').slice(0, 4_000);
  const addresses: string[] = [];
  let at = plain.indexOf('@');
  for (let seen = 0; at >= 0 && seen < 20 && addresses.length < MAX_ADDRESSES; seen += 1) {
    let start = at;
    while (start > 0 && at - start < MAX_LOCAL_LENGTH && LOCAL.test(plain[start - 1] as string)) start -= 1;
    let end = at + 1;
    while (end < plain.length && end - at <= MAX_DOMAIN_LENGTH && DOMAIN.test(plain[end] as string)) end += 1;
    const local = plain.slice(start, at).replace(/^[.'`{|}~*/=?^-]{1,64}/, '');
    const domain = plain.slice(at + 1, end).replace(/[.-]{1,253}$/, '');
    const tied = plain[start - 1] === '@' || plain[end] === '@';
    if (!tied && isLocal(local) && isDomain(domain)) addresses.push(`${local}@${domain}`);
    at = plain.indexOf('@', at + 1);
  }
  return addresses;
}

const isLocal = (local: string) => local !== '' && !local.endsWith('.') && !local.includes('..');

function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  return (
    labels.length >= 2 &&
    labels.every(
      (label) => label !== '' && label.length <= 63 && !label.startsWith('-') && !label.endsWith('-'),
    )
  );
}

/** A value that is a number and little else. */
export function looksLikePhone(value: string): boolean {
  if (value.length > 40) return false;
  const digits = digitsIn(value).length;
  return (
    digits >= 7 &&
    digits <= 15 &&
    /^[+(\d\u0660-\u0669]/.test(value) &&
    digits * 2 >= value.length &&
    !/\d[.,]\d{1,2}$|^\d{4}-\d\d-\d\d/.test(value)
  );
}

export const digitsIn = (value: string): string => westernDigits(value).replace(/\D/g, '');

/** ٠١٢, ०१२ and ０１２ are digits as well. */
export function westernDigits(text: string): string {
  return text
    .slice(0, 2_000)
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19\uff0b]/g, (mark) =>
      mark === '\uff0b' ? '+' : String(digitValue(mark.charCodeAt(0))),
    );
}

function digitValue(unit: number): number {
  const zero = [0x0660, 0x06f0, 0x0966, 0xff10].find((start) => unit >= start && unit < start + 10) ?? unit;
  return unit - zero;
}
