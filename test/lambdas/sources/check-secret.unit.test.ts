import { describe, expect, test } from '@jest/globals';
import { makeSourceSecret, problemOfSecret, SOURCE_SECRET_BYTES } from '#sources/check-secret.ts';
import { PROVIDERS, type Provider } from '#sources/providers.ts';

const row = (name: string) => PROVIDERS.get(name) as Provider;
const ALL = [...PROVIDERS.values()];
const base64Of = (bytes: number) => Buffer.alloc(bytes, 0xfb).toString('base64');

describe('a pasted secret', () => {
  test.each(['sk_live_', 'sk_test_', 'rk_live_', 'shpat_'])(
    'is refused if it is an API key: %s…',
    (prefix) => {
      for (const provider of ALL) {
        const problem = problemOfSecret(provider, `${prefix}0123456789abcdef0123456789abcdef`);
        expect(problem).toMatch(/^This is an API key\. Enter the signing secret of the /);
        expect(problem).toContain(provider.displayName);
        expect(problem).not.toContain('0123456789abcdef');
      }
    },
  );

  test.each(ALL.filter(({ secret }) => secret.key === 'text'))(
    'of $name has a smallest length',
    (provider) => {
      const least = provider.name === 'framer' ? 32 : 16;
      expect(problemOfSecret(provider, 'x'.repeat(least))).toBeUndefined();
      expect(problemOfSecret(provider, 'x'.repeat(least - 1))).toBe(
        `The secret is too short: it must have at least ${least} characters.`,
      );
      expect(problemOfSecret(provider, 'x'.repeat(200))).toBeUndefined();
      expect(problemOfSecret(provider, 'x'.repeat(201))).toContain('at most 200');
    },
  );

  test.each(['standard-webhooks', 'svix'])('of %s is base64 of at least 16 bytes', (name) => {
    for (const bytes of [16, 17, 18, 24, 64]) {
      expect(problemOfSecret(row(name), `whsec_${base64Of(bytes)}`)).toBeUndefined();
      expect(problemOfSecret(row(name), base64Of(bytes))).toBeUndefined();
    }
    // 24 characters with the prefix, so the length of the text alone would let it pass.
    expect(problemOfSecret(row(name), `whsec_${base64Of(15)}`)).toContain('at least 16 bytes');
    expect(problemOfSecret(row(name), 'whsec_')).toContain('at least 16 bytes');
    for (const bad of [
      'whsec_not*base64*at*all*of*it*',
      'whsec_aaaaaaaaaaaaaaaaaaaaaaaaa',
      'a secret in words',
    ]) {
      expect(problemOfSecret(row(name), bad)).toContain('followed by base64');
    }
  });

  test.each([' abcdefghijklmnopqrstuvwxyz0123456789', 'abcdefghijklmnopqrstuvwxyz0123456789\n'])(
    'is refused with white space around it: %j',
    (secret) => {
      expect(problemOfSecret(row('framer'), secret)).toContain('space or line break');
    },
  );

  test('of Stripe may begin with whsec_ and need not be base64', () => {
    expect(problemOfSecret(row('stripe'), 'whsec_0123456789_abcdefghij')).toBeUndefined();
  });
});

describe('a generated secret', () => {
  const random = Uint8Array.from({ length: SOURCE_SECRET_BYTES }, (_, at) => at * 7);

  test('exists only where the owner may choose it', () => {
    const made = ALL.filter((provider) => makeSourceSecret(provider, random) !== undefined);
    expect(made.map(({ name }) => name)).toEqual([
      'typeform',
      'tally',
      'framer',
      'calendly',
      'calcom',
      'standard-webhooks',
      'github',
    ]);
  });

  test('passes the check of its provider, whatever the bytes', () => {
    for (const bytes of [random, new Uint8Array(SOURCE_SECRET_BYTES), random.map((byte) => byte ^ 255)]) {
      for (const provider of ALL) {
        const secret = makeSourceSecret(provider, bytes);
        if (secret !== undefined) expect(problemOfSecret(provider, secret)).toBeUndefined();
      }
    }
  });

  test('is base64 after whsec_ for Standard Webhooks, letters and digits for others', () => {
    expect(makeSourceSecret(row('standard-webhooks'), random)).toBe(
      `whsec_${Buffer.from(random).toString('base64')}`,
    );
    expect(makeSourceSecret(row('framer'), random)).toMatch(/^[0-9A-Za-z]{43}$/);
  });
});
