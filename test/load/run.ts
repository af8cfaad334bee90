import { availableParallelism } from 'node:os';
import { Command, Option } from 'commander';
import { wholeNumber } from '#leadctl/command-line.ts';
import { runChaos } from './chaos/chaos.ts';
import { allHeld, type Finding, printFindings } from './findings.ts';
import { runFloods } from './floods/floods.ts';
import { runForwarding } from './forwarding/forwarding.ts';
import { runTenants } from './forwarding/tenants.ts';
import { runTiming } from './timing/timing.ts';

const count = wholeNumber(0, 1e9);

type Run = (options: LoadOptions) => Promise<Finding[]>;

const PARTS: Readonly<Record<string, readonly [title: string, run: Run]>> = {
  chaos: ['Killing parts of the stack under load', runChaos],
  timing: ['Timing of rejections that must be indistinguishable', runTiming],
  floods: ['Floods of rejected requests', runFloods],
  forwarding: ['Forwarding leads beside a destination that never answers', runForwarding],
  tenants: ['Forwarding leads beside hostile tenants', runTenants],
};

export interface LoadOptions {
  readonly only?: string;
  readonly seed: number;
  readonly seconds: number;
  readonly requests: number;
  readonly leads: number;
  readonly rate: number;
  readonly samples: number;
  readonly environments: number;
  readonly pairs: string;
}

function readOptions(argv: readonly string[]): LoadOptions {
  return new Command('npm run test:load --')
    .description(
      'Tests the whole stack under load, with faults and hostile senders. Exits with 1 if a promise did not hold.',
    )
    .addOption(new Option('--only <part>', 'run only this part').choices(Object.keys(PARTS)))
    .option('--seed <n>', 'the same seed makes the same load', count, Date.now() % 1_000_000)
    .option('--seconds <n>', 'chaos: how long it lasts', count, 80)
    .option('--requests <n>', 'floods: rejected requests', count, 10_000)
    .option('--leads <n>', 'forwarding: leads beside a dead destination', count, 10_000)
    .option('--rate <n>', 'forwarding: leads per second', count, 30)
    .option('--samples <n>', 'timing: samples per request of a pair', count, 20_000)
    .option('--environments <n>', 'timing: pairs at a time', count, availableParallelism())
    .option('--pairs <text>', 'timing: only the pairs whose name contains this', '')
    .allowExcessArguments(false)
    .parse(argv, { from: 'user' })
    .opts<LoadOptions>();
}

const options = readOptions(process.argv.slice(2));
const findings: Finding[] = [];
for (const [part, [title, run]] of Object.entries(PARTS)) {
  if (options.only !== undefined && options.only !== part) continue;
  console.error(`${part} (seed ${options.seed}) …`);
  const found = await run(options);
  printFindings(title, found);
  findings.push(...found);
}
const failed = findings.filter((finding) => !allHeld([finding])).length;
console.log(failed === 0 ? '\nEverything held.' : `\n${failed} did not hold.`);
process.exit(failed === 0 ? 0 : 1);
