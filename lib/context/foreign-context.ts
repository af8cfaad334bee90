import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What CDK's command line keeps in context under a plain name: `cdk acknowledge`, `cdk cli-telemetry`. */
const PLAIN_KEYS_OF_CDK = new Set([
  'acknowledged-issue-numbers',
  'cli-telemetry',
  'assets-ecr-repository-name',
]);

/**
 * Whether a key of context belongs to CDK: feature flags (`@aws-cdk/…`), what its command line passes on
 * (`aws:cdk:…`), and what it has looked up (`availability-zones:account=…`). A key of this app has no colon.
 */
export function isOfCdk(key: string): boolean {
  return key.includes(':') || key.startsWith('@') || key.startsWith('cdk-') || PLAIN_KEYS_OF_CDK.has(key);
}

/** The keys that a person gives to every CDK app on the machine. Those that this one does not know are for others. */
export function keysForAllApps(userDefaults = join(homedir(), '.cdk.json')): ReadonlySet<string> {
  try {
    const { context } = JSON.parse(readFileSync(userDefaults, 'utf8'));
    return new Set(Object.keys(context ?? {}));
  } catch {
    // Most people have none, and one that cannot be read CDK's command line has complained about.
    return new Set();
  }
}
