import { describe, expect, test } from '@jest/globals';
import { isPublicAddress, parseDestinationUrl } from '#sending/public-address.ts';

describe('the URL of a webhook', () => {
  const strict = { allowLoopback: false };

  test.each([
    'http://example.com/',
    'https://example.com:8443/',
    'https://user@example.com/',
    'https://user:pass@example.com/',
    'https://192.0.2.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://intranet/',
    'https://example.com/#top',
    'http://127.0.0.1:9000/',
    'ftp://example.com/',
    'example.com',
  ])('is refused: %s', (url) => {
    expect(() => parseDestinationUrl(url, strict)).toThrow();
  });

  test('is refused if it is longer than any address needs to be', () => {
    expect(() => parseDestinationUrl(`https://example.com/${'a'.repeat(2_000)}`, strict)).toThrow('2000');
  });

  test('can have a path and a query, and a name in any script', () => {
    expect(parseDestinationUrl('https://example.com/hooks/1?key=2', strict).href).toBe(
      'https://example.com/hooks/1?key=2',
    );
    expect(parseDestinationUrl('https://bücher.example/', strict).hostname).toBe('xn--bcher-kva.example');
  });

  test('can be on this machine only where that is allowed, and only by its address', () => {
    expect(parseDestinationUrl('http://127.0.0.1:9000/x', { allowLoopback: true }).port).toBe('9000');
    for (const url of ['http://127.0.0.2/', 'http://localhost/', 'http://u@127.0.0.1/', 'http://10.0.0.1/']) {
      expect(() => parseDestinationUrl(url, { allowLoopback: true })).toThrow();
    }
  });
});

test.each([
  ['93.184.215.14', true],
  ['8.8.8.8', true],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['172.31.255.255', false],
  ['172.32.0.1', true],
  ['192.168.1.1', false],
  ['198.19.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['::127.0.0.1', false],
  ['::ffff:8.8.8.8', false],
  ['not an address', false],
])('%s is public: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});
