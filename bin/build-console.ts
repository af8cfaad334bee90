import { buildConsole } from '../lib/console-site/build.ts';

console.log(buildConsole());
