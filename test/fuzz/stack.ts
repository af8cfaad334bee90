import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Draft, toBytes, validDraft } from './draft.ts';
import { exchange } from './exchange.ts';
import type { Api } from './model.ts';
import { makeRandom } from './random.ts';
import { readAsServer } from './read-as-server.ts';
import { validSourceDraft } from './source-draft.ts';
import type { World } from './world.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Warnings of functions, and the note that the machine has no name server. */
const HARMLESS = /: WARN |^No DNS on this machine/;

/** The stack under test. */
export interface StackUnderTest {
  readonly outputsFile: string;
  /** Its stderr lines since it was ready, except warnings. */
  readonly complaints: readonly string[];
  /** How it ended, if it did. */
  readonly ended: () => string | undefined;
  /** In megabytes; undefined for a stack this process did not start. */
  readonly memory: () => number | undefined;
  stop(): Promise<void>;
}

export function runningStack(outputsFile: string): StackUnderTest {
  const nothing = () => undefined;
  return { outputsFile, complaints: [], ended: nothing, memory: nothing, stop: async () => undefined };
}

/** Starts a stack like `npm start`, in memory. */
export async function startStack(): Promise<StackUnderTest> {
  const child = spawn(process.execPath, ['local/main.ts', '--ephemeral', '--json', '--port', '0'], {
    cwd: ROOT,
    // In its own process group, so that Ctrl-C reaches only this process, which stops the stack last.
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

const CONCURRENCY = 16;
const PATIENCE_MILLISECONDS = 60_000;

/** Makes the functions load their code, which is slow on a busy machine and not under test. */
export async function warmUp(urls: Readonly<Record<Api, URL>>, world: World): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async (_, at) => {
        const random = makeRandom(round, at);
        const api: Api = at % 3 === 0 ? 'sources' : 'ingest';
        const make = { ingest: validDraft, sources: validSourceDraft }[api];
        const draft: Draft = make(random, world, Math.floor(Date.now() / 1000));
        // Authenticated, but not a lead.
        draft.body = Buffer.from('[]');
        const bytes = toBytes(draft, random);
        await exchange(urls[api], { bytes }, await readAsServer(bytes), PATIENCE_MILLISECONDS);
      }),
    );
  }
}
