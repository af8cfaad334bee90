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
}

/** `npm run test:load -- [--only chaos|timing|floods] [--seconds S] [--requests N] [--seed N]` */
export function readOptions(args: readonly string[]): LoadOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      seconds: { type: 'string' },
      requests: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  const part = PARTS.find((each) => each === values.only);
  if (values.only !== undefined && !part) throw new Error(`--only takes one of ${PARTS.join(', ')}`);
  return {
    parts: part ? [part] : PARTS,
    seconds: numberOf('--seconds', values.seconds ?? '80'),
    requests: numberOf('--requests', values.requests ?? '10000'),
    seed: numberOf('--seed', values.seed ?? String(Date.now() % 1_000_000)),
  };
}

function numberOf(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} takes a whole number`);
  return Number(text);
}
