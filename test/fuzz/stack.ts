import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Warnings of functions, and that this machine has no name server. */
const HARMLESS = /: WARN |^No DNS on this machine/;

/** The stack that is tried. */
export interface StackUnderTrial {
  readonly outputsFile: string;
  /** What it has said since it was ready that is no mere warning. */
  readonly complaints: readonly string[];
  /** How it came to its end, where it has. */
  readonly ended: () => string | undefined;
  /** In megabytes; undefined for a stack that somebody else runs. */
  readonly memory: () => number | undefined;
  stop(): Promise<void>;
}

export function runningStack(outputsFile: string): StackUnderTrial {
  const nothing = () => undefined;
  return { outputsFile, complaints: [], ended: nothing, memory: nothing, stop: async () => undefined };
}

/** Starts one as `npm start` does, in memory. */
export async function startStack(): Promise<StackUnderTrial> {
  const child = spawn(process.execPath, ['local/main.ts', '--ephemeral', '--json', '--port', '0'], {
    cwd: ROOT,
    // Out of the terminal's process group: Ctrl-C reaches us alone, and we end it after what uses it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
  const exited = once(child, 'exit');
  const ready = once(createInterface({ input: child.stdout }), 'line');
  const [first] = await Promise.race([ready, exited]);
  if (typeof first !== 'string') throw new Error(`The stack did not start:\n${said.join('\n')}`);
  said.length = 0;
  return {
    outputsFile: (JSON.parse(first) as { outputsFile: string }).outputsFile,
    get complaints() {
      return said.filter((line) => !HARMLESS.test(line));
    },
    ended: () => child.signalCode ?? (child.exitCode === null ? undefined : `exit code ${child.exitCode}`),
    memory: () => residentMegabytes(child),
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function residentMegabytes({ pid }: ChildProcess): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return undefined;
  }
}
