import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';

// Loaded before every program that npm scripts start, and before Jest's configuration. Older versions of Node can run
// it too, so that people with the wrong version get a message instead of a stack trace.

/** As on Lambda. npm ci installs it for most platforms, and npm scripts use node_modules/.bin/node first. */
const NODE_MAJOR = 24;

function problem() {
  // npm writes it last, so an interrupted installation has none.
  if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url))) {
    return 'The packages are not installed. Run: npm ci';
  }
  const { node } = process.versions;
  if (Number.parseInt(node, 10) >= NODE_MAJOR) return undefined;
  const platform = `${process.platform}-${process.arch}`;
  return `Node ${NODE_MAJOR} is required, but this is Node ${node}. npm ci cannot install it on ${platform}: install Node ${NODE_MAJOR} yourself.`;
}

const message = problem();
if (message !== undefined) {
  console.error(`error: ${message}`);
  process.exit(1);
}

// Keeps compiled code between starts. It has to begin before the first TypeScript file: Node loads its compiler, of some
// 20 MB, only for files whose result was not kept.
nodeModule.enableCompileCache();
