import { createRequire } from 'node:module';
import type { MetadataJson } from 'libphonenumber-js/core/es6';
import { packHashes } from './domain-hashes.ts';
import { readLexicons } from './lexicons.ts';
import { indexLexicons } from './phrases.ts';

/**
 * How each list of scoring is made from our lexicons or from an npm package. Bundles contain the results
 * (lib/service-function/code.ts), without this file and without the packages.
 */
export const LIST_SOURCES = {
  disposableDomains: () => packHashes(disposableDomains()),
  freeMailDomains: () => packHashes(freeMailDomains()),
  topLevelDomains: () => Buffer.from(load<string[]>('tlds').join(' ')),
  phoneMetadata: () => Buffer.from(JSON.stringify(phoneMetadata())),
  lexicons: () => Buffer.from(indexLexicons(readLexicons())),
} as const satisfies Record<string, () => Buffer>;

export type ListName = keyof typeof LIST_SOURCES;

/** Not an import, which a bundle would keep. */
function load<T>(name: string): T {
  return createRequire(import.meta.url)(name);
}

function disposableDomains(): string[] {
  return load<{ disposableEmailBlocklist(): string[] }>(
    'disposable-email-domains-js',
  ).disposableEmailBlocklist();
}

/** In email-providers, but not free mail: names from old link pages, and misspellings. */
const NO_FREE_MAIL =
  /^(?:example|test|domain|mydomain|yourdomain|casino|law|doctor|name|games|about)\.|^(?:gmai|gmal|hotmai|hotmails|hotmial|yaho)\.com$/;

function freeMailDomains(): string[] {
  const disposable = new Set(disposableDomains());
  const providers = load<string[]>('email-providers/all.json');
  return providers.filter((domain) => !disposable.has(domain) && !NO_FREE_MAIL.test(domain));
}

/** The index of the number formats in a country's metadata: more than half of it. Scoring formats no numbers. */
const FORMATS = 4;

function phoneMetadata() {
  const metadata = load<MetadataJson>('libphonenumber-js/metadata.min.json');
  const withoutFormats = (plans: Readonly<Record<string, unknown[]>>) =>
    Object.fromEntries(
      Object.entries(plans).map(([name, plan]) => [
        name,
        plan.map((part, index) => (index === FORMATS ? 0 : part)),
      ]),
    );
  return {
    ...metadata,
    countries: withoutFormats(metadata.countries),
    nonGeographic: withoutFormats(metadata.nonGeographic),
  };
}
