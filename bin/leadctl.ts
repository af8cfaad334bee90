#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// Stripping types and compiling takes half of a command's time, so it is done once. Not in the system's temporary
// folder, Node's default: other users who can write there could plant code. Node 20 has no such cache.
module.enableCompileCache?.(fileURLToPath(new URL('../node_modules/.cache/leadctl', import.meta.url)));

const { main } = await import('./leadctl/main.ts');
// Not process.exit: it would cut off output that is still being written to a pipe.
process.exitCode = await main(process.argv.slice(2), process);
