import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export const PARTS = ['chaos', 'timing', 'floods'] as const;
export type Part = (typeof PARTS)[number];

export interface LoadOptions {
  readonly parts: readonly Part[];
  /** How long disasters go on; only the chaos is as long as one wants. */
  readonly seconds: number;
  readonly seed: number;
  /** How many rejected requests make a flood. */
  readonly requests: number;
  /** How many answers are timed of each request of a pair, and of how many pairs at once. */
  readonly samples: number;
  readonly environments: number;
  /** Times only the pairs whose name contains this. */
  readonly pairs: string;
}

/**
 * `npm run test:load -- [--only chaos|timing|floods] [--seed N] [--seconds S] [--requests N]`, and for the timing
 * `[--samples N] [--environments N] [--pairs TEXT]`.
 */
export function readOptions(args: readonly string[]): LoadOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      seconds: { type: 'string' },
      requests: { type: 'string' },
      seed: { type: 'string' },
      samples: { type: 'string' },
      environments: { type: 'string' },
      pairs: { type: 'string' },
    },
  });
  const part = PARTS.find((each) => each === values.only);
  if (values.only !== undefined && !part) throw new Error(`--only takes one of ${PARTS.join(', ')}`);
  return {
    parts: part ? [part] : PARTS,
    seconds: numberOf('--seconds', values.seconds ?? '80'),
    requests: numberOf('--requests', values.requests ?? '10000'),
    samples: numberOf('--samples', values.samples ?? '20000'),
    environments: numberOf('--environments', values.environments ?? String(availableParallelism())),
    pairs: values.pairs ?? '',
    seed: numberOf('--seed', values.seed ?? String(Date.now() % 1_000_000)),
  };
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} takes a whole number`);
  return Number(text);
}
