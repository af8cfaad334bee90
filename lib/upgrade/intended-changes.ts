import type { Finding } from './compare.ts';

/** A change that compare.ts refuses, made on purpose. */
export interface IntendedChange {
  /** As the test names it, such as `removed SearchQueueD0084E5B`. */
  readonly change: string;
  /** Why it is safe, and what an operator must know. */
  readonly reason: string;
  /** The release in which the rest follows, and what that is; or that nothing is left to do. */
  readonly rest: string;
}

/**
 * Since the last release, which is in test/released/. Emptied when a release is made: from then on it has these changes.
 * `leadctl doctor` gives an operator the reasons.
 */
export const INTENDED_CHANGES: readonly IntendedChange[] = [];

/** What nobody intended, and what somebody intended and nobody does. */
export function judge(findings: readonly Finding[], intended: readonly IntendedChange[]) {
  const known = new Set(intended.map(({ change }) => change));
  const found = new Set(findings.map(({ change }) => change));
  return {
    refused: findings.filter(({ change }) => !known.has(change)),
    unmatched: intended.filter(({ change }) => !found.has(change)).map(({ change }) => change),
  };
}
