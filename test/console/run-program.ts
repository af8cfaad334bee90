import { spawn } from 'node:child_process';

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
