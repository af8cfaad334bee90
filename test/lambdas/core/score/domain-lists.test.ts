import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { PACKED_LISTS, packedLists } from '#bin/make-domain-lists.ts';
import { DomainHashes, hashOfDomain, packHashes } from '#scoring/domain-hashes.ts';
import { DISPOSABLE_DOMAINS } from '#scoring/packed-lists.ts';

const require = createRequire(import.meta.url);

test('packed-lists.ts is up to date (if not: npm run make:domain-lists)', () => {
  expect(readFileSync(PACKED_LISTS, 'utf8') === packedLists()).toBe(true);
});

describe('the packed set', () => {
  const listed = require('disposable-email-domains-js').disposableEmailBlocklist() as string[];

  test('has what it was made from, and not its neighbours', () => {
    const disposable = new DomainHashes(DISPOSABLE_DOMAINS);
    const has = (domains: readonly string[]) => domains.map((domain) => disposable.has(domain));
    expect(has(['mailinator.com', 'trashmail.com', 'yopmail.com'])).toEqual([true, true, true]);
    expect(has(['gmail.com', 'analytical-engines.co.uk', ''])).toEqual([false, false, false]);
  });

  test('decides as a plain set of the same hashes does', () => {
    const disposable = new DomainHashes(DISPOSABLE_DOMAINS);
    const plain = new Set(listed.map(hashOfDomain));
    const strangers = listed.flatMap((domain) => [`a${domain}`, domain.slice(1), `${domain}.com`]);
    const judgedOtherwise = [...listed, ...strangers].filter(
      (domain) => disposable.has(domain) !== plain.has(hashOfDomain(domain)),
    );
    expect(judgedOtherwise).toEqual([]);
  });

  test('has a domain that is alone in it, in whatever group, and no other', () => {
    const some = listed.slice(0, 50);
    for (const only of some) {
      const set = new DomainHashes(brotliCompressSync(packHashes([only])).toString('base64'));
      expect(some.filter((domain) => set.has(domain))).toEqual([only]);
    }
  });
});
