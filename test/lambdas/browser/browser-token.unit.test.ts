import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  BROWSER_TOKEN_SECONDS,
  checkBrowserToken,
  mintBrowserToken,
  parseNonce,
  readBrowserToken,
  type SigningKey,
} from '#browser/browser-token.ts';

const NOW = Date.UTC(2026, 6, 1);
const NONCE = '00112233445566778899aabbccddeeff';
const ORIGIN = 'https://shop.example.com';
const CLAIMS = { slug: 'contact-1a2b', nonce: NONCE, origin: ORIGIN };
const KEY: SigningKey = { keyId: 'k2', secret: Buffer.alloc(32, 2) };
const OLD_KEY: SigningKey = { keyId: 'k1', secret: Buffer.alloc(32, 1) };

function verdict(token: string, { origin = ORIGIN, keys = [KEY, OLD_KEY], now = NOW } = {}) {
  const read = readBrowserToken(token);
  return read ? checkBrowserToken(read, origin, keys, now) : 'unreadable';
}

describe('a minted token', () => {
  const token = mintBrowserToken(CLAIMS, KEY, NOW);

  test('is valid at its origin and says its form and nonce', () => {
    expect(token).toMatch(/^ingt_brw_[\w-]+$/);
    expect(verdict(token)).toBe('valid');
    expect(readBrowserToken(token)).toMatchObject({ slug: 'contact-1a2b', nonce: NONCE, keyId: 'k2' });
  });

  test('is valid for 120 seconds', () => {
    const end = NOW + BROWSER_TOKEN_SECONDS * 1_000;
    expect(BROWSER_TOKEN_SECONDS).toBe(120);
    expect(verdict(token, { now: end - 1 })).toBe('valid');
    expect(verdict(token, { now: end })).toBe('expired');
  });

  test.each(['https://shop.example.org', 'https://shop.example.com:8443', 'http://shop.example.com', ''])(
    'is invalid at %p, also once it has expired',
    (origin) => {
      expect(verdict(token, { origin })).toBe('invalid');
      expect(verdict(token, { origin, now: NOW + 3_600_000 })).toBe('invalid');
    },
  );

  test('does not contain its origin and fits into an Authorization header', () => {
    const bytes = Buffer.from(token.slice('ingt_brw_'.length), 'base64url');
    expect(bytes.includes('example')).toBe(false);
    const longest = mintBrowserToken({ ...CLAIMS, slug: 'a'.repeat(100) }, KEY, NOW);
    expect(longest.length).toBeLessThan(300);
  });
});

describe('keys', () => {
  test('an older key still verifies, an unknown or replaced one does not', () => {
    const token = mintBrowserToken(CLAIMS, OLD_KEY, NOW);
    expect(verdict(token)).toBe('valid');
    expect(verdict(token, { keys: [KEY] })).toBe('invalid');
    expect(verdict(token, { keys: [{ ...OLD_KEY, secret: KEY.secret }] })).toBe('invalid');
    expect(verdict(token, { keys: [] })).toBe('invalid');
  });

  test('the decoy for unknown keys signs nothing', () => {
    const decoy = { keyId: 'gone', secret: Buffer.alloc(32, 'decoy-key-that-signs-nothing') };
    expect(verdict(mintBrowserToken(CLAIMS, decoy, NOW))).toBe('invalid');
  });
});

test.each([
  '',
  'ingt_brw_AAAA',
  'ingt_srv_0123456789',
  `ingt_brw_${'A'.repeat(43)}`,
  `ingt_brw_${Buffer.alloc(200, 0xff).toString('base64url')}`,
])('%p is no token', (text) => {
  expect(readBrowserToken(text)).toBeUndefined();
});

test.each([
  [NONCE, NONCE],
  [NONCE.toUpperCase(), NONCE],
  [NONCE.slice(1), undefined],
  [`${NONCE}0`, undefined],
  [`${NONCE.slice(1)}g`, undefined],
  [`${NONCE}\n`, undefined],
])('the nonce of %p is %p', (text, nonce) => {
  expect(parseNonce(text)).toBe(nonce);
});

describe('any token', () => {
  const slug = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,98}[A-Za-z0-9]$/);
  const nonce = fc.stringMatching(/^[0-9a-f]{32}$/);
  const origin = fc.webUrl({ withFragments: false }).map((url) => new URL(url).origin);
  const claims = fc.record({ slug, nonce, origin });

  test('is read back as it was minted', () => {
    fc.assert(
      fc.property(claims, fc.nat(1e12), (each, now) => {
        const token = mintBrowserToken(each, KEY, now);
        expect(verdict(token, { origin: each.origin, now })).toBe('valid');
        expect(readBrowserToken(token)).toMatchObject({ slug: each.slug, nonce: each.nonce });
      }),
    );
  });

  test('is invalid once a bit of it is changed', () => {
    fc.assert(
      fc.property(claims, fc.nat(), fc.nat(7), (each, position, bit) => {
        const token = mintBrowserToken(each, KEY, NOW);
        const bytes = Buffer.from(token.slice('ingt_brw_'.length), 'base64url');
        const at = position % bytes.length;
        bytes[at] = (bytes[at] as number) ^ (1 << bit);
        const changed = `ingt_brw_${bytes.toString('base64url')}`;
        expect(['invalid', 'unreadable']).toContain(verdict(changed, { origin: each.origin }));
      }),
    );
  });

  test('has one spelling', () => {
    fc.assert(
      fc.property(claims, fc.constantFrom('=', '==', ' ', '\n', '.', 'A'), (each, more) => {
        expect(readBrowserToken(mintBrowserToken(each, KEY, NOW) + more)).toBeUndefined();
      }),
    );
  });

  test('made up by somebody else is never valid', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = `ingt_brw_${Buffer.from(bytes).toString('base64url')}`;
        expect(verdict(text)).not.toBe('valid');
      }),
    );
  });
});
