import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/leadctl.ts', import.meta.url));

export interface Run {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Surroundings {
  /** What arrives on standard input, which is never a terminal here. */
  readonly stdin?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs the real program, in an environment without the developer's own AWS settings. */
export async function runLeadctl(args: readonly string[], surroundings: Surroundings = {}): Promise<Run> {
  return startLeadctl(args, surroundings).run;
}

/** The same, for what has to be interrupted or watched. */
export function startLeadctl(args: readonly string[], surroundings: Surroundings = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env.PATH, ...surroundings.environment },
    stdio: 'pipe',
  });
  return { child, run: collect(child, surroundings) };
}

async function collect(child: ChildProcessWithoutNullStreams, surroundings: Surroundings): Promise<Run> {
  // The program may end without reading.
  child.stdin.on('error', () => undefined);
  child.stdin.end(surroundings.stdin ?? '');
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { exitCode, stdout, stderr };
}

/** Runs it against the stack that the test run started. */
export function onTestStack(args: readonly string[], surroundings?: Surroundings): Promise<Run> {
  return runLeadctl(['--outputs', testOutputsFile(), ...args], surroundings);
}

/** The result of a run that must have gone well: one line of JSON on stdout, and silence on stderr. */
export async function resultOf<Result>(
  args: readonly string[],
  surroundings?: Surroundings,
): Promise<Result> {
  const run = await onTestStack([...args, '--json'], surroundings);
  if (run.exitCode !== 0 || run.stderr !== '' || !/^[^\n]+\n$/.test(run.stdout)) {
    throw new Error(`not one line of JSON: ${JSON.stringify(run)}`);
  }
  return JSON.parse(run.stdout) as Result;
}

export function testOutputsFile(): string {
  const file = process.env.LEAD_INGEST_OUTPUTS;
  if (!file) throw new Error('LEAD_INGEST_OUTPUTS is not set: run the tests with npm test');
  return file;
}
