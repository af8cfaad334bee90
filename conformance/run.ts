import { main } from './main.ts';

/** `npm run conformance`: tests a deployment against the specification. */

// Not process.exit, which would cut off output to a pipe.
process.exitCode = await main(process.argv.slice(2));
