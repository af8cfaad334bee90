import { describe, expect, test } from '@jest/globals';
import { isSlug, makeSlug } from '#submission/ids.ts';

describe('a slug', () => {
  test.each([
    ['Contact us!', 'contact-us-5af3'],
    ['Über uns', 'uber-uns-5af3'],
    ['お問い合わせ', 'form-5af3'],
    ['  -- ', 'form-5af3'],
    ['x'.repeat(90), `${'x'.repeat(40)}-5af3`],
  ])('made from %j is %s', (name, slug) => {
    expect(makeSlug(name, '5af3')).toBe(slug);
    expect(isSlug(slug)).toBe(true);
  });

  test.each([
    '',
    '-a',
    'a-',
    'a b',
    'a/b',
    '..',
    '../x',
    'a\u0000',
    'é',
    'x'.repeat(101),
    'x'.repeat(2_000),
    'a\n',
  ])('is never %j', (text) => {
    expect(isSlug(text)).toBe(false);
  });
});
