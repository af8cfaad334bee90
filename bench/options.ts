import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly quick: boolean;
  readonly commit: boolean;
  /** The names of measurements; undefined: all, and the page is written. */
  readonly only: readonly string[] | undefined;
  readonly suiteSeconds: number | undefined;
}

export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      commit: { type: 'boolean', default: false },
      only: { type: 'string' },
      'suite-seconds': { type: 'string' },
    },
  });
  const seconds = values['suite-seconds'];
  return {
    quick: values.quick,
    commit: values.commit,
    only: values.only?.split(','),
    suiteSeconds: seconds === undefined ? undefined : Number(seconds),
  };
}
