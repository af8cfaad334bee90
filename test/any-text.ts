import fc from 'fast-check';

const SURROGATES = 0x800;
const FIRST_SURROGATE = 0xd800;

/**
 * Any Unicode character. fast-check's own `unit: 'binary'` lists all 1.1 million of them for each string that a test
 * declares, which takes a second.
 */
export const anyCodePoint = fc.nat({ max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATES),
  (text) => {
    const value = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (value === undefined || text !== String.fromCodePoint(value)) throw new Error('Not one code point');
    return value < FIRST_SURROGATE ? value : value - SURROGATES;
  },
);

export const anyText = (constraints: { minLength?: number; maxLength?: number } = {}) =>
  fc.string({ ...constraints, unit: anyCodePoint });
