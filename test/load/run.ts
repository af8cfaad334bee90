import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { runChaos } from './chaos/chaos.ts';
import { type Finding, printFindings } from './findings.ts';
import { runFloods } from './floods/floods.ts';
import { runForwarding } from './forwarding/forwarding.ts';
import { runTenants } from './forwarding/tenants.ts';
import { runTiming } from './timing/timing.ts';

export const PARTS = ['chaos', 'timing', 'floods', 'forwarding', 'tenants'] as const;
export type Part = (typeof PARTS)[number];

export interface LoadOptions {
  readonly parts: readonly Part[];
  /** How long the chaos part lasts. */
  readonly seconds: number;
  readonly seed: number;
  /** How many rejected requests make a flood. */
  readonly requests: number;
  /** How many leads are forwarded beside a dead destination, and how many per second. */
  readonly leads: number;
  readonly rate: number;
  /** How many samples per request of a pair, and how many pairs at a time. */
  readonly samples: number;
  readonly environments: number;
  /** Times only the pairs whose name contains this. */
  readonly pairs: string;
}

/**
 * `npm run test:load -- [--only chaos|timing|floods|forwarding|tenants] [--seed N] [--seconds S] [--requests N]`, for forwarding
 * `[--leads N] [--rate N]`, and for the timing `[--samples N] [--environments N] [--pairs TEXT]`.
 */
export function readOptions(args: readonly string[]): LoadOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      seconds: { type: 'string' },
      requests: { type: 'string' },
      leads: { type: 'string' },
      rate: { type: 'string' },
      seed: { type: 'string' },
      samples: { type: 'string' },
      environments: { type: 'string' },
      pairs: { type: 'string' },
    },
  });
  const part = PARTS.find((each) => each === values.only);
  if (values.only !== undefined && !part) throw new Error(`--only must be one of ${PARTS.join(', ')}`);
  return {
    parts: part ? [part] : PARTS,
    seconds: numberOf('--seconds', values.seconds ?? '80'),
    requests: numberOf('--requests', values.requests ?? '10000'),
    leads: numberOf('--leads', values.leads ?? '10000'),
    rate: numberOf('--rate', values.rate ?? '30'),
    samples: numberOf('--samples', values.samples ?? '20000'),
    environments: numberOf('--environments', values.environments ?? String(availableParallelism())),
    pairs: values.pairs ?? '',
    seed: numberOf('--seed', values.seed ?? String(Date.now() % 1_000_000)),
  };
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number`);
  return Number(text);
}

/** Tests the whole stack under load: `npm run test:load`. Exits with 1 if a promise did not hold. */

const TITLES: Record<Part, string> = {
  chaos: 'Killing parts of the stack under load',
  timing: 'Timing of rejections that must be indistinguishable',
  floods: 'Floods of rejected requests',
  forwarding: 'Forwarding leads beside a destination that never answers',
  tenants: 'Forwarding leads beside hostile tenants',
};

const RUNS: Record<Part, (options: LoadOptions) => Promise<Finding[]>> = {
  chaos: runChaos,
  timing: runTiming,
  floods: runFloods,
  forwarding: runForwarding,
  tenants: runTenants,
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
