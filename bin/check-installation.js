import { existsSync } from 'node:fs';

// Loaded before every program that npm scripts start, and before Jest's configuration. In JavaScript that older
// versions of Node run as well, so that a person with the wrong one reads a sentence instead of a stack trace.

/** What Lambda runs. The packages bring it for most platforms: node_modules/.bin/node comes first in npm scripts. */
const NODE_MAJOR = 24;

function problem() {
  // npm writes it last: an installation that was interrupted has none.
  if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
    return 'The packages are not installed. Run: npm ci';
  }
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= NODE_MAJOR) return undefined;
  const platform = `${process.platform}-${process.arch}`;
  return `This needs Node ${NODE_MAJOR}, and this is Node ${node}. npm ci brings none for ${platform}: install Node ${NODE_MAJOR}.`;
}

const message = problem();
if (message !== undefined) {
  console.error(`error: ${message}`);
  process.exit(1);
}
