import { runChaos } from './chaos/chaos.ts';
import { type Finding, printFindings } from './findings.ts';
import { runFloods } from './floods/floods.ts';
import { type LoadOptions, type Part, readOptions } from './options.ts';
import { runTiming } from './timing/timing.ts';

/** The real thing under load: `npm run test:load`. Ends with 1 when something did not hold. */

const TITLES: Record<Part, string> = {
  chaos: 'The real thing while its parts are killed',
  timing: 'Causes that must look alike, by the time they take',
  floods: 'Floods of what is rejected',
};

const RUNS: Record<Part, (options: LoadOptions) => Promise<Finding[]>> = {
  chaos: runChaos,
  timing: runTiming,
  floods: runFloods,
};

const options = readOptions(process.argv.slice(2));
const findings: Finding[] = [];
for (const part of options.parts) {
  console.error(`${part} (seed ${options.seed}) …`);
  const found = await RUNS[part](options);
  printFindings(TITLES[part], found);
  findings.push(...found);
}
const failed = findings.filter(({ held }) => held === false).length;
console.log(failed === 0 ? '\nEverything held.' : `\n${failed} did not hold.`);
process.exit(failed === 0 ? 0 : 1);
