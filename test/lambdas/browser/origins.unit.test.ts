import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkAllowedOrigin, isAllowedOrigin } from '#browser/origins.ts';
import { sentOrigin } from '#browser/sent-origin.ts';

describe('the Origin header', () => {
  const read = (...values: string[]) => sentOrigin(new Map([['origin', values]]));

  test.each([
    'https://shop.example.com',
    'https://shop.example.com:8443',
    'http://localhost:3000',
    'https://xn--bcher-kva.example',
    'https://127.0.0.1',
    'http://[::1]:8080',
    'https://my_shop.example.com',
  ])('%p is an origin', (origin) => {
    expect(read(origin)).toEqual({ origin });
  });

  test.each(['null', ''])('%p counts as missing', (value) => {
    expect(read(value)).toBe('missing');
  });

  test.each([
    'https://shop.example.com/',
    'https://Shop.example.com',
    'https://shop.example.com:443',
    'https://user@shop.example.com',
    'https://*.example.com',
    'https://bücher.example',
    'https://shop.example.com.',
    'https://a..b',
    'https://-shop.example.com',
    ' https://shop.example.com',
    'shop.example.com',
    'ftp://shop.example.com',
    `https://${'a.'.repeat(140)}example`,
  ])('%p is malformed', (value) => {
    expect(read(value)).toBe('malformed');
  });

  test('sent twice is malformed, and not sent is missing', () => {
    expect(read('https://a.example', 'https://a.example')).toBe('malformed');
    expect(sentOrigin(new Map())).toBe('missing');
  });
});

describe('an allow-list', () => {
  test.each([
    ['https://shop.example.com', 'https://shop.example.com'],
    ['https://shop.example.com', 'https://*.example.com'],
    ['https://shop.example.com:8443', 'https://*.example.com:8443'],
    ['https://shop.example.co.uk', 'https://*.example.co.uk'],
    ['https://pr-1.docs.github.io', 'https://*.docs.github.io'],
    ['http://localhost:3000', 'http://localhost:3000'],
  ])('allows %p by %p', (origin, entry) => {
    expect(isAllowedOrigin(origin, ['https://other.example', entry])).toBe(true);
  });

  test.each([
    ['https://example.com', 'https://*.example.com'],
    ['https://a.b.example.com', 'https://*.example.com'],
    ['https://shopexample.com', 'https://*.example.com'],
    ['https://shop.example.com.evil.org', 'https://*.example.com'],
    ['http://shop.example.com', 'https://*.example.com'],
    ['https://shop.example.com:8443', 'https://*.example.com'],
    ['https://shop.example.com', 'https://*.example.com:8443'],
    ['https://www.shop.example.com', 'https://shop.example.com'],
    ['https://evil.co.uk', 'https://*.co.uk'],
    ['https://evil.github.io', 'https://*.github.io'],
    ['https://evil.kawasaki.jp', 'https://*.kawasaki.jp'],
    ['https://s3.amazonaws.com', 'https://*.amazonaws.com'],
    ['https://1.2.3.4', 'https://*.2.3.4'],
    ['null', 'null'],
    ['https://shop.example.com', '*'],
    ['https://shop.example.com', ''],
    ['https://shop.example.com', 'https://*.*.com'],
    ['https://*.example.com', 'https://*.example.com'],
  ])('refuses %p with the entry %p', (origin, entry) => {
    expect(isAllowedOrigin(origin, [entry])).toBe(false);
  });

  test('that is empty allows nobody', () => {
    expect(isAllowedOrigin('https://shop.example.com', [])).toBe(false);
  });
});

describe('an entry of the list', () => {
  test.each([
    ['https://shop.example.com', 'https://shop.example.com'],
    [' https://Shop.Example.com/ ', 'https://shop.example.com'],
    ['https://*.example.com', 'https://*.example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['https://github.io', 'https://github.io'],
  ])('%p is stored as %p', (text, origin) => {
    expect(checkAllowedOrigin(text)).toEqual({ origin });
  });

  test.each([
    ['', /https:\/\//],
    ['*', /name a site/],
    ['null', /name a site/],
    ['shop.example.com', /must start with https/],
    ['ftp://shop.example.com', /must start with https/],
    ['http://shop.example.com', /for localhost only/],
    ['http://localhost.example.com', /for localhost only/],
    ['https://shop.example.com/contact', /without a path/],
    ['https://shop.example.com?a=b', /without a path/],
    ['https://me:secret@shop.example.com', /user name or password/],
    ['https://shop.example.com:99999', /not a valid origin/],
    ['https://', /not a valid origin/],
    ['https://a..b', /host name/],
    ['https://*', /whole first label/],
    ['https://a*.example.com', /whole first label/],
    ['https://*.*.example.com', /whole first label/],
    ['https://*.[::1]', /not a valid origin/],
    ['https://*.co.uk', /too broad/],
    ['https://*.github.io', /too broad.*github\.io/],
    ['https://*.kawasaki.jp', /too broad/],
    ['https://*.localhost', /too broad/],
    [`https://${'a'.repeat(60)}.${'b.'.repeat(120)}example`, /characters/],
  ])('%p is refused', (text, problem) => {
    expect(checkAllowedOrigin(text).problem).toMatch(problem);
  });
});

describe('any origin', () => {
  const label = fc
    .stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/)
    .filter((each) => !/^xn--/.test(each));
  const origin = fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.option(fc.integer({ min: 1, max: 65_535 })))
    .map(([labels, port]) => `https://${labels.join('.')}.example.com${port === null ? '' : `:${port}`}`)
    .map((text) => new URL(text).origin);

  test('that can be stored allows itself and nothing else', () => {
    fc.assert(
      fc.property(origin, origin, (one, other) => {
        expect(checkAllowedOrigin(one)).toEqual({ origin: one });
        expect(isAllowedOrigin(one, [one])).toBe(true);
        expect(isAllowedOrigin(one, [other])).toBe(one === other);
      }),
    );
  });

  test('is allowed by a wildcard exactly if it has one more label', () => {
    fc.assert(
      fc.property(origin, fc.array(label, { maxLength: 2 }), (base, more) => {
        const { host } = new URL(base);
        const below = `https://${[...more, host].join('.')}`;
        expect(isAllowedOrigin(below, [`https://*.${host}`])).toBe(more.length === 1);
      }),
    );
  });

  test('never throws, and what is stored can be stored again', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string().map((rest) => `https://${rest}`),
    );
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(typeof isAllowedOrigin(one, [other])).toBe('boolean');
        const { origin: stored } = checkAllowedOrigin(one);
        if (stored !== undefined) expect(checkAllowedOrigin(stored)).toEqual({ origin: stored });
      }),
    );
  });
});
