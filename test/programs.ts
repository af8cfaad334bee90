import { spawn, spawnSync } from 'node:child_process';
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

interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Does not block, since the program may talk to a server in this process. */
export async function runProgram(program: string, words: readonly string[], { cwd, env }: Surroundings) {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  return { exitCode, ...output };
}
