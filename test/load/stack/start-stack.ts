import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Question, Responses } from './tap-protocol.ts';

const LOWEST = 20_000;
/** Below the ephemeral ports, so that no outgoing connection takes the port while the stack is down. */
const COUNT = 10_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      server.close();
      await once(server, 'close');
      return port;
    } catch {
      // Taken: try another.
    }
  }
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TAP = new URL('./tap-stack.ts', import.meta.url).href;

/** `npm start` as a child process that can be queried and killed. */
export interface StackProcess {
  readonly ingestUrl: string;
  readonly outputsFile: string;
  readonly enginePid: number;
  readonly ended: Promise<unknown>;
  /** How it ended, if it did. */
  endedBy(): string | undefined;
  /** Its stderr lines since it was ready, except warnings. */
  complaints(): readonly string[];
  residentMegabytes(): Promise<number>;
  ask<Kind extends Question['kind']>(question: Question & { kind: Kind }): Promise<Responses[Kind]>;
  /** Without a chance to clean up. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Warnings of functions, and the note that the machine has no name server. */
const HARMLESS = /: WARN |^No DNS on this machine/;

/** By default in memory, on any port. */
export async function startStack(args: readonly string[] = []): Promise<StackProcess> {
  const place = args.includes('--data') ? [] : ['--ephemeral', '--port', '0'];
  const child = spawn(process.execPath, ['--import', TAP, 'local/main.ts', '--json', ...place, ...args], {
    cwd: ROOT,
    // In its own process group, so that Ctrl-C reaches only this process, which stops the stack last.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  running.add(child);
  const said: string[] = [];
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => said.push(line));
  const ended = once(child, 'exit').then(() => running.delete(child));
  const ready = await Promise.race([
    once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line'),
    ended.then((): never => {
      throw new Error(`The stack did not start:\n${said.join('\n')}`);
    }),
  ]);
  said.length = 0;
  const { ingestUrl, outputsFile } = JSON.parse(ready[0]) as { ingestUrl: string; outputsFile: string };
  // The other test modules find the stack by this variable.
  process.env.LEAD_INGEST_OUTPUTS = outputsFile;
  const pid = child.pid as number;
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    ingestUrl,
    outputsFile,
    ended,
    enginePid: Number(await output('pgrep', '-P', String(pid), 'java')),
    endedBy: () => child.signalCode ?? (child.exitCode === null ? undefined : `exit code ${child.exitCode}`),
    complaints: () => said.filter((line) => !HARMLESS.test(line)),
    residentMegabytes: async () => Number(await output('ps', '-o', 'rss=', '-p', String(pid))) / 1024,
    ask: askerOf(child, ended),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Rejects if the stack ends before it responds. */
function askerOf(child: ChildProcess, ended: Promise<unknown>): StackProcess['ask'] {
  let lastId = 0;
  const waiting = new Map<number, (result: never) => void>();
  child.on('message', ({ id, result }: { id: number; result: never }) => {
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  return (question) => {
    lastId += 1;
    const id = lastId;
    const asked = new Promise<never>((resolve, reject) => {
      waiting.set(id, resolve);
      child.send({ ...question, id }, (error) => error && reject(error));
    });
    return Promise.race([asked, ended.then(() => Promise.reject(new Error('the stack has ended')))]);
  };
}

async function output(program: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)(program, args)).stdout.trim();
}
