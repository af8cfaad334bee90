import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Plain context keys of CDK's command line: `cdk acknowledge`, `cdk cli-telemetry`. */
const OTHER_CDK_KEYS = new Set(['acknowledged-issue-numbers', 'cli-telemetry', 'assets-ecr-repository-name']);

/**
 * Whether a key of context belongs to CDK: feature flags (`@aws-cdk/…`), what its command line passes on
 * (`aws:cdk:…`), and what it has looked up (`availability-zones:account=…`). A key of this app has no colon.
 */
export function isCdkKey(key: string): boolean {
  return key.includes(':') || key.startsWith('@') || key.startsWith('cdk-') || OTHER_CDK_KEYS.has(key);
}

/** The keys that ~/.cdk.json gives to every CDK app. Those that are unknown here are for other apps. */
export function keysForAllApps(userDefaults = join(homedir(), '.cdk.json')): ReadonlySet<string> {
  try {
    const { context } = JSON.parse(readFileSync(userDefaults, 'utf8'));
    return new Set(Object.keys(context ?? {}));
  } catch {
    // Most people have none, and CDK's command line has already complained about an unreadable one.
    return new Set();
  }
}

/** The word that was probably meant, if one is close enough for a typo. */
export function nearestSpelling(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.toLowerCase();
  const [nearest] = words
    .map((word) => ({ word, edits: editsBetween(wanted, word.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits);
  return nearest !== undefined && nearest.edits <= Math.max(1, Math.floor(typed.length / 3))
    ? nearest.word
    : undefined;
}

/** Levenshtein distance, one row of the table at a time. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const changed = (row[column - 1] as number) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] as number) + 1, (next[column - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
