import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { toBytes, validDraft } from './draft.ts';
import { exchange } from './exchange.ts';
import { makeRandom } from './random.ts';
import { readAsServer } from './read-as-server.ts';
import type { World } from './world.ts';

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

const AT_ONCE = 16;
const PATIENCE_MILLISECONDS = 60_000;

/** Has the functions load their code: that takes its time on a busy machine, and is not what is tried. */
export async function warmUp(url: URL, world: World): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, at) => {
        const random = makeRandom(round, at);
        const draft = validDraft(random, world, Math.floor(Date.now() / 1000));
        // Authenticated, and no lead.
        draft.body = Buffer.from('[]');
        const bytes = toBytes(draft, random);
        await exchange(url, { bytes }, await readAsServer(bytes), PATIENCE_MILLISECONDS);
      }),
    );
  }
}
