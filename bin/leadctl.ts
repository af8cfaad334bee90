#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Stripping types and compiling takes half of a command's time, so it is done once. Not in the system's temporary
// folder, Node's default: whoever else can write there could leave us code to run.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/leadctl', import.meta.url)));

const { main } = await import('./leadctl/main.ts');
// Not process.exit: what is still on its way to a pipe would be cut off.
process.exitCode = await main(process.argv.slice(2), process);
