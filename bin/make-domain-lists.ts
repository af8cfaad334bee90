import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync } from 'node:zlib';
import type { MetadataJson } from 'libphonenumber-js/core/es6';
import { packHashes } from '../lambdas/scoring/domain-hashes.ts';
import { LEXICONS } from '../lambdas/scoring/lexicons.ts';
import { indexLexicons } from '../lambdas/scoring/phrases.ts';

/**
 * Packs what scoring looks things up in, so that it costs next to nothing to import: the maintained lists (npm:
 * disposable-email-domains-js, email-providers, tlds), the phone metadata (libphonenumber-js), and our own lexicons.
 * `npm run make:domain-lists`, after each update of a package and each change of a lexicon.
 */

const require = createRequire(import.meta.url);
export const PACKED_LISTS = new URL('../lambdas/scoring/packed-lists.ts', import.meta.url);

/** Listed by email-providers, and yet no free mail: names that it took over from old link pages. */
const NO_FREE_MAIL =
  /^(?:example|test|domain|mydomain|yourdomain|casino|law|doctor|name|games|about)\.|^(?:gmai|gmal|hotmai|hotmails|hotmial|yaho)\.com$/;

/** The text of packed-lists.ts. */
export function packedLists(): string {
  const disposable = require('disposable-email-domains-js').disposableEmailBlocklist() as string[];
  const providers = require('email-providers/all.json') as string[];
  const topLevel = require('tlds') as string[];
  const metadata = require('libphonenumber-js/metadata.min.json') as MetadataJson;
  const thrownAway = new Set(disposable);
  const free = providers.filter((domain) => !thrownAway.has(domain) && !NO_FREE_MAIL.test(domain));
  return [
    '// Made by bin/make-domain-lists.ts. Do not edit.\n',
    packed('DISPOSABLE_DOMAINS', 'the npm package disposable-email-domains-js', packHashes(disposable)),
    packed('FREE_MAIL_DOMAINS', 'the npm package email-providers', packHashes(free)),
    packed('TOP_LEVEL_DOMAINS', 'the npm package tlds', topLevel.join(' ')),
    packed('PHONE_METADATA', 'the npm package libphonenumber-js', JSON.stringify(withoutFormats(metadata))),
    packed('PACKED_LEXICONS', 'lexicons.ts', indexLexicons(LEXICONS)),
  ].join('\n');
}

/** Where the metadata of a country has how its numbers are written out, which is more than half of all metadata. */
const FORMATS = 4;

/** Scoring reads numbers and writes none. */
function withoutFormats(metadata: MetadataJson) {
  const unformatted = (plan: unknown[]) => plan.map((part, index) => (index === FORMATS ? 0 : part));
  const all = (plans: object) =>
    Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, unformatted(plan)]));
  return { ...metadata, countries: all(metadata.countries), nonGeographic: all(metadata.nonGeographic) };
}

function packed(name: string, source: string, content: string | Buffer): string {
  const text = brotliCompressSync(content).toString('base64');
  return `// From ${source}.\n// biome-ignore format: one literal\nexport const ${name} =\n  '${text}';\n`;
}

if (import.meta.main) writeFileSync(PACKED_LISTS, packedLists());
