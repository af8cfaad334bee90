import { buildConsole } from '../lib/console-build.ts';

console.log(buildConsole());
