import { main } from './main.ts';

/** `npm run conformance`: proves a deployment. */

// Not process.exit: what is still on its way to a pipe would be cut off.
process.exitCode = await main(process.argv.slice(2));
