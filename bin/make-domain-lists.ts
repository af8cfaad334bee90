import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { hashOfDomain } from '../lambdas/core/score/domain-hashes.ts';

/**
 * Turns the maintained lists (npm: disposable-email-domains-js, email-providers, tlds) and the phone metadata
 * (libphonenumber-js) into text that costs next to nothing to import: `npm run make:domain-lists`, after each update.
 */

const require = createRequire(import.meta.url);
const FOLDER = new URL('../lambdas/core/score/', import.meta.url);

/** Listed by email-providers, and yet no free mail: names that it took over from old link pages. */
const NO_FREE_MAIL =
  /^(?:example|test|domain|mydomain|yourdomain|casino|law|doctor|name|games|about)\.|^(?:gmai|gmal|hotmai|hotmails|hotmial|yaho)\.com$/;

export function domainLists(): Record<string, string> {
  const disposable = require('disposable-email-domains-js').disposableEmailBlocklist() as string[];
  const providers = require('email-providers/all.json') as string[];
  const topLevel = require('tlds') as string[];
  const thrownAway = new Set(disposable);
  const free = providers.filter((domain) => !thrownAway.has(domain) && !NO_FREE_MAIL.test(domain));
  return {
    'disposable-domains.ts': file('DISPOSABLE_DOMAINS', 'disposable-email-domains-js', pack(disposable)),
    'free-mail-domains.ts': file('FREE_MAIL_DOMAINS', 'email-providers', pack(free)),
    'top-level-domains.ts': file('TOP_LEVEL_DOMAINS', 'tlds', topLevel.join(' ')),
    'phone-metadata.ts': file(
      'PHONE_METADATA',
      'libphonenumber-js',
      JSON.stringify(require('libphonenumber-js/metadata.min.json')),
    ),
  };
}

/** Sorted 32-bit hashes, little-endian, in base64. */
function pack(domains: readonly string[]): string {
  const hashes = Uint32Array.from(new Set(domains.map(hashOfDomain))).sort();
  return Buffer.from(hashes.buffer).toString('base64');
}

function file(name: string, source: string, text: string): string {
  const literal = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  return `// Made by bin/make-domain-lists.ts from the npm package ${source}. Do not edit.\n// biome-ignore format: one literal\nexport const ${name} =\n  ${literal};\n`;
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(domainLists())) writeFileSync(new URL(name, FOLDER), text);
}
