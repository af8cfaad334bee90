import { spawnSync } from 'node:child_process';
import { test } from '@jest/globals';

/** The project asks for Node, npm and Java alone: what a snippet is run with may be missing. */
export function missingPrograms(programs: readonly string[]): string[] {
  return programs.filter((program) => spawnSync(program, ['--version']).error);
}

/** A test that says in its title what keeps it from running here, if anything does. */
export function testUnlessMissing(missing: readonly string[]) {
  return {
    here: missing.length === 0 ? test : test.skip,
    title: (text: string) =>
      missing.length === 0 ? text : `${text} (not run: this machine has no ${missing.join(', ')})`,
  };
}
