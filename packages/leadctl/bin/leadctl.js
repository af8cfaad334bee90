#!/usr/bin/env node
import { existsSync } from 'node:fs';

// On Node 20 the AWS SDK prints six lines about its own future versions, which a bundle never loads.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

// Only a checkout has the build script: the packed command consists of this file and the bundle.
if (!existsSync(new URL('../build.js', import.meta.url))) {
  await import('../dist/leadctl.js');
} else if (process.features.typescript) {
  await import('../../../bin/leadctl.ts');
} else {
  // Node before 22.18 cannot run the TypeScript sources.
  const { bundleIfStale } = await import('../build.js');
  await bundleIfStale();
  await import('../dist/leadctl.js');
}
