import { readFileSync } from 'node:fs';
import { CURRENT_VERSION_EXPIRED_FLAGS, FLAGS, futureFlagDefault } from 'aws-cdk-lib/cx-api';
import type { Node } from 'constructs';
import { isCdkKey } from './context/kinds.ts';

/** Also in the package lead-ingest-cdk, there with the flags alone. */
const CDK_JSON = new URL('../cdk.json', import.meta.url);

/** Those of cdk.json, without a deployer's settings. */
export function featureFlags(): Record<string, unknown> {
  const { context } = JSON.parse(readFileSync(CDK_JSON, 'utf8'));
  return Object.fromEntries(Object.entries(context).filter(([key]) => isCdkKey(key)));
}

/**
 * Sets every feature flag that CDK knows for what is below a node without children, so that the app around it has no
 * influence: some flags change policies, others even logical IDs.
 */
export function pinFeatureFlags(node: Node): void {
  const ours = featureFlags();
  for (const flag of Object.keys(FLAGS)) {
    // CDK refuses a flag that has become the only behavior.
    if (CURRENT_VERSION_EXPIRED_FLAGS.includes(flag)) continue;
    node.setContext(flag, ours[flag] ?? futureFlagDefault(flag));
  }
}
