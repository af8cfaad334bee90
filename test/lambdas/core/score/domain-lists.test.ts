import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { domainLists } from '../../../../bin/make-domain-lists.ts';
import { DISPOSABLE_DOMAINS } from '../../../../lambdas/core/score/disposable-domains.ts';
import { DomainHashes } from '../../../../lambdas/core/score/domain-hashes.ts';

const FOLDER = resolve(import.meta.dirname, '../../../../lambdas/core/score');

test.each(Object.entries(domainLists()))('%s is what the installed package holds', (name, text) => {
  expect(readFileSync(resolve(FOLDER, name), 'utf8') === text).toBe(true);
});

test('the packed set has what it was made from, and not its neighbours', () => {
  const disposable = new DomainHashes(DISPOSABLE_DOMAINS);
  expect(['mailinator.com', 'trashmail.com', 'yopmail.com'].map((domain) => disposable.has(domain))).toEqual([
    true,
    true,
    true,
  ]);
  expect(['gmail.com', 'analytical-engines.co.uk', ''].map((domain) => disposable.has(domain))).toEqual([
    false,
    false,
    false,
  ]);
});
